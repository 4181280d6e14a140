package io.strowger.conformance.upstreams;

import static io.strowger.conformance.upstreams.HostileUpstreamGateway.FIRST_KEY;
import static io.strowger.conformance.upstreams.HostileUpstreamGateway.SECOND_KEY;
import static io.strowger.conformance.upstreams.HostileUpstreamGateway.answer;
import static io.strowger.conformance.upstreams.HostileUpstreamGateway.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.observe.CallRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A transport without a free connection")
class FullPoolTest {
  /** More failures than it takes to set an endpoint aside. */
  private static final int TIMES = 8;

  private final CountDownLatch upstreamAsked = new CountDownLatch(1);
  private final CountDownLatch answerMayStart = new CountDownLatch(1);

  @Test
  @DisplayName("is an overload of the gateway, not a failure of a provider")
  void full() throws Exception {
    var transport = new ApacheTransport(new ApacheTransport.Limits(1, 1));
    try (var hostile =
        new HostileUpstreamGateway(
            AnswerMemory.ofHeap(),
            transport,
            Duration.ofMillis(30),
            connection -> {
              while (true) {
                connection.readRequest();
                upstreamAsked.countDown();
                answerMayStart.await();
                connection.write(response(answer("in the end")));
              }
            })) {
      var first = new CompletableFuture<HostileUpstreamGateway.Reply>();
      hostile.ambient().start("first", () -> ask(hostile, first));
      assertThat(upstreamAsked.await(30, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < TIMES; i++) {
        var refused = hostile.ask(SECOND_KEY, "openai-chat-two-or-good", i % 2 == 0);
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.headers()).containsEntry("Retry-After", "1");
        assertThat(refused.body()).contains("\"overload\":\"connections\"").doesNotContain("two");
      }
      assertThat(hostile.records())
          .hasSize(TIMES)
          .extracting(CallRecord::cost)
          .containsOnly(Usd.ZERO);
      answerMayStart.countDown();
      assertThat(first.get(30, TimeUnit.SECONDS).body()).contains("in the end");
      assertThat(hostile.ask(SECOND_KEY, "openai-chat-two", false).body()).contains("in the end");
    }
  }

  private static void ask(
      HostileUpstreamGateway hostile, CompletableFuture<HostileUpstreamGateway.Reply> answered) {
    try {
      answered.complete(hostile.ask(FIRST_KEY, "openai-chat-one", false));
    } catch (IOException failed) {
      answered.completeExceptionally(failed);
    }
  }
}
