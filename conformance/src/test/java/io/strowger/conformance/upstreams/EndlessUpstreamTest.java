package io.strowger.conformance.upstreams;

import static io.strowger.conformance.upstreams.HostileUpstreamGateway.FIRST_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.http.AnswerMemory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("full")
@DisplayName("Answers that do not end")
class EndlessUpstreamTest {
  private static final int CALLERS = 20;
  private static final long TOTAL = 4 << 20;
  private static final String HEAD = "HTTP/1.1 200 OK\r\n";

  /** The bytes of an unread answer that sockets and the first buffers of a reader can hold. */
  private static final long BUFFERED = 12 << 20;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          head      | false | X-A:                                            | `a`
          heads     | false | X-A: b~~                                        | `HTTP/1.1 100 Continue~~`
          document  | false | ~{"id":"                                        | `xxxxxxxxxxxxxxxxxxxxxxxxxxxxx`
          values    | false | ~{"choices":[1                                  | `,1`
          spaces    | false | ~                                               | `                             `
          line      | true  | Content-Type: text/event-stream~~data: {"id":"  | `xxxxxxxxxxxxxxxxxxxxxxxxxxxxx`
          event     | true  | Content-Type: text/event-stream~~               | `data: x^`
          frames    | true  | Content-Type: text/event-stream~~               | `data: {}^^`
          values in frames        | true | Content-Type: text/event-stream~~ | `data: {"x":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}^^`
          values in one frame     | true | Content-Type: text/event-stream~~data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}^^data: {"x":[1 | `,1`
          trailers  | false | Transfer-Encoding: chunked~~~2~{}~0~         | `X-A: bbbbbbbbbbbbbbbbbbbbbbbbb~`
          """)
  @DisplayName(
      "take no more memory than all answers may have together, and are never read to the end:")
  void together(String what, boolean streaming, String begin, String again) throws Exception {
    var memory = new AnswerMemory(TOTAL, TOTAL);
    byte[] first = bytes(HEAD + begin);
    byte[] more = bytes(again.repeat(Math.max(1, 8192 / again.length())));
    var largest = new AtomicLong();
    var completelySent = new AtomicInteger();
    try (var hostile =
        new HostileUpstreamGateway(
            memory,
            connection -> {
              connection.readRequest();
              connection.write(first);
              for (long written = 0; written < BUFFERED + TOTAL * 4; written += more.length) {
                connection.write(more);
                largest.accumulateAndGet(memory.takenBytes(), Math::max);
              }
              completelySent.incrementAndGet();
            })) {
      var replies = new ArrayList<CompletableFuture<Integer>>();
      for (int i = 0; i < CALLERS; i++) {
        replies.add(askInBackground(hostile, streaming));
      }
      for (CompletableFuture<Integer> reply : replies) {
        assertThat(reply.get(60, TimeUnit.SECONDS)).isIn(200, 502, 503);
      }
      assertThat(completelySent.get()).as("answers that were sent to the end").isZero();
      assertThat(largest.get()).as(what).isLessThanOrEqualTo(TOTAL);
      assertThat(memory.takenBytes()).as("memory after the answers").isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"content\":\"x\",\"annotations\":[{\"type\":\"x\"}]}",
        "{\"content\":\"and so on, and so on, and so on, and so on, and so on, and so on, and so"
            + " on\"}",
        "{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"1\"}}]}"
      })
  @DisplayName(
      "are ended by the gateway and charged when the memory for collected output is used up:")
  void collected(String delta) throws Exception {
    byte[] first = bytes(HEAD + "Content-Type: text/event-stream~~");
    String frame = "data: {\"choices\":[{\"index\":0,\"delta\":" + delta + "}]}^^";
    byte[] more = bytes(frame.repeat(8192 / frame.length()));
    try (var hostile =
        new HostileUpstreamGateway(
            new AnswerMemory(TOTAL, TOTAL),
            connection -> {
              connection.readRequest();
              connection.write(first);
              while (true) {
                connection.write(more);
              }
            })) {
      var replies = new ArrayList<CompletableFuture<HostileUpstreamGateway.Reply>>();
      for (int i = 0; i < CALLERS; i++) {
        var reply = new CompletableFuture<HostileUpstreamGateway.Reply>();
        replies.add(reply);
        hostile
            .ambient()
            .start(
                "caller",
                () -> {
                  try {
                    reply.complete(hostile.askForResponse(FIRST_KEY, "openai-chat-one"));
                  } catch (Exception failed) {
                    reply.completeExceptionally(failed);
                  }
                });
      }
      for (CompletableFuture<HostileUpstreamGateway.Reply> reply : replies) {
        String body = reply.get(60, TimeUnit.SECONDS).body();
        assertThat(body.contains("no memory left")).isTrue();
      }
      assertThat(hostile.records()).allMatch(record -> record.cost().nanos() > 0);
    }
  }

  private static byte[] bytes(String text) {
    return text.replace("~", "\r\n").replace('^', '\n').getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns the status that a caller gets; 0 for an answer without an error, also in its stream.
   */
  private static CompletableFuture<Integer> askInBackground(
      HostileUpstreamGateway hostile, boolean streaming) {
    var status = new CompletableFuture<Integer>();
    hostile
        .ambient()
        .start(
            "caller",
            () -> {
              try {
                var reply = hostile.ask(FIRST_KEY, "openai-chat-one", streaming);
                boolean failed = reply.status() != 200 || reply.body().contains("\"error\"");
                status.complete(failed ? reply.status() : 0);
              } catch (Exception failed) {
                status.completeExceptionally(failed);
              }
            });
    return status;
  }
}
