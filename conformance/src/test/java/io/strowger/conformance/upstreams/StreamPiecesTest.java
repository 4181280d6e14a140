package io.strowger.conformance.upstreams;

import static io.strowger.conformance.upstreams.HostileUpstreamGateway.chunk;
import static io.strowger.conformance.upstreams.HostileUpstreamGateway.delta;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.http.AnswerMemory;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Events of a stream")
class StreamPiecesTest {
  private static final String HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final int WORDS = 40;

  /** Returns a response with {@link #WORDS} events, each in a chunk of its own. */
  private static String events() {
    var events = new StringBuilder(HEAD);
    for (int i = 0; i < WORDS; i++) {
      events.append(chunk(delta("{\"content\":\"word" + i + " \"}", "null")));
    }
    return events
        .append(chunk(delta("{}", "\"stop\"") + "data: [DONE]\n\n"))
        .append("0\r\n\r\n")
        .toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "/chat/completions; {'model':'lab/openai-chat-one','stream':true,"
            + "'messages':[{'role':'user','content':'Hi'}]}",
        "/messages; {'model':'lab/openai-chat-one','stream':true,'max_tokens':900,"
            + "'messages':[{'role':'user','content':'Hi'}]}",
        "/responses; {'model':'lab/openai-chat-one','stream':true,'input':'Hi'}"
      })
  @DisplayName("that arrive together are sent together, in each API:")
  void together(String path, String body) throws Exception {
    try (var upstream =
        new HostileUpstreamGateway(
            AnswerMemory.ofHeap(),
            connection -> {
              while (true) {
                connection.readRequest();
                connection.write(events());
              }
            })) {
      List<String> pieces = upstream.pieces(path, body.replace('\'', '"'));
      String all = String.join("", pieces);
      for (int i = 0; i < WORDS; i++) {
        assertThat(all).contains("word" + i + " ");
      }
      assertThat(pieces.size()).as("writes to the client").isLessThanOrEqualTo(5);
    }
  }
}
