package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.core.pipeline.ScriptedEngine.read;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.strowger.core.inference.Reply;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That no place, stream or thread is left is checked when an engine is closed. */
@DisplayName("A request whose ledger or store fails")
class LedgerFaultsTest {
  private static InferenceRequest onlyAlpha(InferenceRequest request) {
    var alone = ProviderPreferences.builder().only(List.of("alpha")).build();
    return request.toBuilder().preferences(alone).build();
  }

  static List<Throwable> failures() {
    return List.of(new IllegalStateException("planted"), new OutOfMemoryError("planted"));
  }

  private static void isOver(ScriptedEngine engine, String id, CallRecord.Outcome how) {
    assertThat(engine.records).singleElement().extracting(CallRecord::outcome).isEqualTo(how);
    assertThat(engine.generations.find(id)).as("its record, saved by itself").isNotNull();
    assertThat(engine.underWay()).isZero();
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName("is over when its answer is, although settling throws: its reader sees why")
  void complete(Throwable failure) {
    try (var engine = new ScriptedEngine()) {
      engine.money.failure = failure;
      engine.alpha.streams(text("word"), finished());
      Reply.Answered reply = answered(engine.serve(ask()));
      assertThat(catchThrowable(() -> read(reply.answer()))).isSameAs(failure);
      reply.answer().close();
      isOver(engine, reply.id(), CallRecord.Outcome.COMPLETE);
    }
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName("is over when its reader goes away, although settling throws")
  void givenUp(Throwable failure) {
    try (var engine = new ScriptedEngine()) {
      engine.money.failure = failure;
      engine.alpha.streams(text("word"), text("more"), finished());
      Reply.Answered reply = answered(engine.serve(ask()));
      reply.answer().next();
      assertThat(catchThrowable(() -> reply.answer().close())).isSameAs(failure);
      isOver(engine, reply.id(), CallRecord.Outcome.CANCELLED);
    }
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName("is told 500 when nobody answers and settling throws")
  void exhausted(Throwable failure) {
    try (var engine = new ScriptedEngine()) {
      engine.money.failure = failure;
      engine.alpha.alwaysRefuses(Failure.of(FailureKind.UNAVAILABLE, "planted"));
      InferenceRequest request = onlyAlpha(ask());
      Reply.Refused reply = refused(engine.serve(request));
      assertThat(reply.error().code()).isEqualTo(ErrorCode.INTERNAL);
      isOver(engine, reply.id(), CallRecord.Outcome.ERROR);
    }
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName("is answered and charged when its lines cannot be written; no money follows it")
  void unwritten(Throwable failure) {
    try (var engine = new ScriptedEngine("100")) {
      engine.store.failure = failure;
      engine.alpha.streams(text("word"), finished());
      Reply.Answered reply = answered(engine.serve(ask()));
      assertThat(drain(reply)).isNotEmpty();
      assertThat(reply.answer().bill()).isNotNull();
      assertThat(engine.balance().held()).isEqualTo(Usd.ZERO);
      assertThat(engine.balance().settled().nanos()).isPositive();
      assertThat(engine.records).hasSize(1);
      Reply.Refused next = refused(engine.serve(ask()));
      assertThat(next.error().code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }
  }

  @ParameterizedTest(name = "of {0} dollars")
  @ValueSource(strings = {"1.005", "1"}) // what is dearest still fits the rest of it, or not
  @DisplayName("is served from the slice in hand while the store is away, where that can do")
  void sliceInHand(String limit) {
    try (var engine = new ScriptedEngine(limit)) {
      engine.alpha.streams(text("word"), finished());
      drain(answered(engine.serve(onlyAlpha(ask()))));
      engine.store.away = true;
      engine.alpha.streams(text("word"), finished());
      Reply.Answered reply = answered(engine.serve(ask())); // gamma alone would take all there is
      drain(reply);
      assertThat(engine.records)
          .extracting(CallRecord::outcome)
          .containsExactly(CallRecord.Outcome.COMPLETE, CallRecord.Outcome.COMPLETE);
      assertThat(engine.balance().held()).isEqualTo(Usd.ZERO);
    }
  }
}
