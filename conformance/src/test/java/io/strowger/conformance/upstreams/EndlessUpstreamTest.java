package io.strowger.conformance.upstreams;

import static io.strowger.conformance.upstreams.HostileUpstream.FIRST_KEY;
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

  /** What sockets and a reader's first buffers hold of an answer that nobody reads any more. */
  private static final long SOCKETS = 12 << 20;

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
  @DisplayName("cost no more than there is for all of them, and no upstream is read to its end")
  void together(String what, boolean streaming, String begin, String again) throws Exception {
    var memory = new AnswerMemory(TOTAL, TOTAL);
    byte[] first = bytes(HEAD + begin);
    byte[] more = bytes(again.repeat(Math.max(1, 8192 / again.length())));
    var largest = new AtomicLong();
    var heardOut = new AtomicInteger();
    try (var hostile =
        new HostileUpstream(
            memory,
            connection -> {
              connection.readRequest();
              connection.write(first);
              for (long written = 0; written < SOCKETS + TOTAL * 4; written += more.length) {
                connection.write(more);
                largest.accumulateAndGet(memory.takenBytes(), Math::max);
              }
              heardOut.incrementAndGet();
            })) {
      var replies = new ArrayList<CompletableFuture<Integer>>();
      for (int i = 0; i < CALLERS; i++) {
        replies.add(asking(hostile, streaming));
      }
      for (CompletableFuture<Integer> reply : replies) {
        assertThat(reply.get(60, TimeUnit.SECONDS)).isIn(200, 502, 503);
      }
      assertThat(heardOut.get()).as("upstreams nobody hung up on").isZero();
      assertThat(largest.get()).as(what).isLessThanOrEqualTo(TOTAL);
      assertThat(memory.takenBytes()).as("all is given back").isZero();
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
      "cost no more than there is where they are collected, and then the gateway ends them")
  void collected(String delta) throws Exception {
    byte[] first = bytes(HEAD + "Content-Type: text/event-stream~~");
    String frame = "data: {\"choices\":[{\"index\":0,\"delta\":" + delta + "}]}^^";
    byte[] more = bytes(frame.repeat(8192 / frame.length()));
    try (var hostile =
        new HostileUpstream(
            new AnswerMemory(TOTAL, TOTAL),
            connection -> {
              connection.readRequest();
              connection.write(first);
              while (true) {
                connection.write(more);
              }
            })) {
      var replies = new ArrayList<CompletableFuture<HostileUpstream.Reply>>();
      for (int i = 0; i < CALLERS; i++) {
        var reply = new CompletableFuture<HostileUpstream.Reply>();
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
      for (CompletableFuture<HostileUpstream.Reply> reply : replies) {
        String body = reply.get(60, TimeUnit.SECONDS).body();
        assertThat(body.contains("no memory left")).isTrue();
      }
      assertThat(hostile.records()).allMatch(record -> record.cost().nanos() > 0);
    }
  }

  private static byte[] bytes(String text) {
    return text.replace("~", "\r\n").replace('^', '\n').getBytes(StandardCharsets.UTF_8);
  }

  /** What the caller reads in the end; a stream that had begun says so inside. */
  private static CompletableFuture<Integer> asking(HostileUpstream hostile, boolean streaming) {
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
