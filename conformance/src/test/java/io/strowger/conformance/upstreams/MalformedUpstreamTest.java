package io.strowger.conformance.upstreams;

import static io.strowger.conformance.upstreams.HostileUpstreamGateway.FIRST_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A response that is not valid HTTP")
class MalformedUpstreamTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  /** The number of failures after which an endpoint is not used for a while. */
  private static final int FAILURES_TO_COOLDOWN = 5;

  private static List<FailureKind> failures(CallRecord record) {
    var kinds = new ArrayList<FailureKind>();
    for (TraceEntry entry : record.trace()) {
      if (entry instanceof TraceEntry.Attempted attempted && attempted.failure() != null) {
        kinds.add(attempted.failure());
      }
    }
    return kinds;
  }

  @Proves("error.502")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 abc Garbage\r\n\r\n",
        "garbage\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        OK + "no colon\r\n\r\n",
        OK + "Content-Length: -1\r\n\r\n{}",
        OK + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
        OK + "Keep-Alive: timeout=9223372036854775807\r\nContent-Length: 1\r\n\r\n{",
        OK + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        OK + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\u001f\u0001\b\b",
        OK + "Content-Type: text/event-stream\r\nContent-Length: 10\r\n\r\ndata: {}\n\n"
      })
  @DisplayName("is a failure of the provider: the next candidate is tried, or the caller gets 502:")
  void malformed(String bytes) throws IOException {
    try (var hostile = answering(bytes)) {
      for (String dialect : HostileUpstreamGateway.DIALECTS) {
        assertFails(hostile, dialect + "-one", false);
        assertFails(hostile, dialect + "-two", true);
      }
    }
  }

  /** Asserts that the good provider answers where it is a fallback, and otherwise a 502. */
  private static void assertFails(HostileUpstreamGateway hostile, String model, boolean streaming)
      throws IOException {
    hostile.records().clear();
    assertThat(hostile.ask(FIRST_KEY, model + "-or-good", streaming).body())
        .as("%s, streaming %s", model, streaming)
        .contains(HostileUpstreamGateway.GOOD);
    assertThat(hostile.ask(FIRST_KEY, model, streaming).status()).as(model).isEqualTo(502);
    assertThat(hostile.records())
        .hasSize(2)
        .allSatisfy(record -> assertThat(failures(record)).containsExactly(FailureKind.PROTOCOL));
  }

  @Test
  @DisplayName("counts against its endpoint, which is not used for a while after five of them")
  void coolsDown() throws IOException {
    try (var hostile = answering("HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n")) {
      for (int i = 0; i < FAILURES_TO_COOLDOWN; i++) {
        assertThat(hostile.ask(FIRST_KEY, "gemini-one", true).status()).isEqualTo(502);
      }
      assertThat(hostile.ask(FIRST_KEY, "gemini-one", true).status()).isEqualTo(503);
    }
  }

  private static HostileUpstreamGateway answering(String bytes) {
    return new HostileUpstreamGateway(
        AnswerMemory.ofHeap(),
        connection -> {
          while (true) {
            connection.readRequest();
            connection.write(bytes);
          }
        });
  }
}
