package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.ScriptedEngine.read;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Reply;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.Interceptor.Scope;
import io.strowger.spi.provider.EventStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A request that is answered")
class CallExchangeTest {
  private static ScriptedEngine engine(boolean plugins) {
    return plugins
        ? new ScriptedEngine(
            null,
            TestInterceptor.pluginsOf(
                new TestInterceptor(
                    "around", 10, Scope.REQUEST, (asked, chain) -> chain.proceed(asked))))
        : new ScriptedEngine();
  }

  @ParameterizedTest(name = "through plugins: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName(
      "is paid and recorded before its last event, and is reported to sinks when it was delivered")
  void afterDelivery(boolean plugins) {
    try (ScriptedEngine engine = engine(plugins)) {
      engine.alpha.streams(text("word"), finished());
      Reply.Answered reply = answered(engine.serve(helloRequest()));
      EventStream events = reply.answer();
      while (engine.generations.find(reply.id()) == null) {
        assertThat(events.next()).as("an event before the last").isNotNull();
      }
      assertThat(engine.balance().held().nanos()).isZero();
      assertThat(engine.balance().settled().nanos()).isPositive();
      assertThat(read(events)).as("the last events").isNotEmpty();
      assertThat(engine.records).isEmpty();
      reply.answer().close();
      assertThat(engine.records).hasSize(1);
      reply.answer().close();
      assertThat(engine.records).hasSize(1);
      assertThat(engine.callsInProgress()).isZero();
    }
  }

  @ParameterizedTest(name = "through plugins: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("is paid, recorded and reported to sinks when its reader stops in the middle")
  void givenUp(boolean plugins) {
    try (ScriptedEngine engine = engine(plugins)) {
      engine.alpha.streams(text("word"), text("more"), finished());
      Reply.Answered reply = answered(engine.serve(helloRequest()));
      reply.answer().next();
      reply.answer().close();
      assertThat(engine.records)
          .singleElement()
          .extracting(CallRecord::outcome)
          .isEqualTo(CallRecord.Outcome.CANCELLED);
      assertThat(engine.generations.find(reply.id())).isNotNull();
      assertThat(engine.callsInProgress()).isZero();
    }
  }

  @Test
  @DisplayName("is reported to sinks when the gateway closes, even if its answer is never closed")
  void shutdown() {
    try (ScriptedEngine engine = engine(false)) {
      engine.alpha.streams(text("word"), finished());
      Reply.Answered reply = answered(engine.serve(helloRequest()));
      read(reply.answer());
      assertThat(engine.callsInProgress()).isOne();
      engine.shutDown();
      assertThat(engine.records)
          .singleElement()
          .extracting(CallRecord::outcome)
          .isEqualTo(CallRecord.Outcome.COMPLETE);
      assertThat(engine.callsInProgress()).isZero();
      reply.answer().close();
      assertThat(engine.records).hasSize(1);
    }
  }

  @Test
  @DisplayName("is not cancelled by its deadline or by a closing gateway once it is complete")
  void slowClient() {
    try (ScriptedEngine engine = engine(false)) {
      engine.alpha.streams(text("word"), finished());
      Reply.Answered reply = answered(engine.serve(helloRequest()));
      read(reply.answer());
      engine.ambient.awaitSleepers(1);
      engine.ambient.advance(Duration.ofMinutes(10)); // the total timeout
      engine.ambient.awaitSleepers(1);
      engine.ambient.advance(Duration.ofSeconds(1));
      engine.ambient.awaitSleepers(1);
      engine.shutDown();
      assertThat(engine.cancellation.isCancelled()).isFalse();
      assertThat(engine.records).hasSize(1);
      reply.answer().close();
      assertThat(engine.records).hasSize(1);
    }
  }

  @RepeatedTest(50)
  @DisplayName("is paid, recorded and reported to sinks once when it ends while the gateway closes")
  void race() throws InterruptedException {
    try (ScriptedEngine engine = engine(false)) {
      engine.alpha.streams(text("word"), finished());
      Reply.Answered reply = answered(engine.serve(helloRequest()));
      var start = new CountDownLatch(2);
      Thread closing =
          engine.ambient.start(
              "closing",
              () -> {
                awaitOthers(start);
                engine.shutDown();
              });
      awaitOthers(start);
      drain(reply);
      closing.join();
      assertThat(engine.records).hasSize(1);
      assertThat(engine.generations.find(reply.id())).isNotNull();
      assertThat(engine.balance().held().nanos()).isZero();
    }
  }

  private static void awaitOthers(CountDownLatch others) {
    others.countDown();
    while (others.getCount() > 0) {
      Thread.onSpinWait();
    }
  }
}
