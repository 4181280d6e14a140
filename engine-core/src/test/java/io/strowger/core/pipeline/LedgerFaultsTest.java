package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.refused;
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

/** Closing the engine checks that no place, stream or thread is left. */
@DisplayName("A request whose ledger or store fails")
class LedgerFaultsTest {
  private static InferenceRequest onlyAlpha(InferenceRequest request) {
    var alphaOnly = ProviderPreferences.builder().only(List.of("alpha")).build();
    return request.toBuilder().preferences(alphaOnly).build();
  }

  static List<Throwable> failures() {
    return List.of(new IllegalStateException("planted"), new OutOfMemoryError("planted"));
  }

  private static void assertEnded(ScriptedEngine engine, String id, CallRecord.Outcome outcome) {
    assertThat(engine.records).singleElement().extracting(CallRecord::outcome).isEqualTo(outcome);
    assertThat(engine.generations.find(id))
        .as("the record, saved apart from the lines")
        .isNotNull();
    assertThat(engine.callsInProgress()).isZero();
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName(
      "ends with its answer although settling throws, and its reader receives the exception")
  void complete(Throwable failure) {
    try (var engine = new ScriptedEngine()) {
      engine.faultyLedger.failure = failure;
      engine.alpha.streams(text("word"), finished());
      Reply.Answered reply = answered(engine.serve(helloRequest()));
      assertThat(catchThrowable(() -> read(reply.answer()))).isSameAs(failure);
      reply.answer().close();
      assertEnded(engine, reply.id(), CallRecord.Outcome.COMPLETE);
    }
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName("ends when its reader closes the answer early, although settling throws")
  void givenUp(Throwable failure) {
    try (var engine = new ScriptedEngine()) {
      engine.faultyLedger.failure = failure;
      engine.alpha.streams(text("word"), text("more"), finished());
      Reply.Answered reply = answered(engine.serve(helloRequest()));
      reply.answer().next();
      assertThat(catchThrowable(() -> reply.answer().close())).isSameAs(failure);
      assertEnded(engine, reply.id(), CallRecord.Outcome.CANCELLED);
    }
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName("is refused with 500 when no candidate answers and settling throws")
  void exhausted(Throwable failure) {
    try (var engine = new ScriptedEngine()) {
      engine.faultyLedger.failure = failure;
      engine.alpha.alwaysRefuses(Failure.of(FailureKind.UNAVAILABLE, "planted"));
      InferenceRequest request = onlyAlpha(helloRequest());
      Reply.Refused reply = refused(engine.serve(request));
      assertThat(reply.error().code()).isEqualTo(ErrorCode.INTERNAL);
      assertEnded(engine, reply.id(), CallRecord.Outcome.ERROR);
    }
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName(
      "is answered and charged when its lines cannot be written, but the next request is refused")
  void unwritten(Throwable failure) {
    try (var engine = new ScriptedEngine("100")) {
      engine.ledgerStore.failure = failure;
      engine.alpha.streams(text("word"), finished());
      Reply.Answered reply = answered(engine.serve(helloRequest()));
      assertThat(drain(reply)).isNotEmpty();
      assertThat(reply.answer().bill()).isNotNull();
      assertThat(engine.balance().held()).isEqualTo(Usd.ZERO);
      assertThat(engine.balance().settled().nanos()).isPositive();
      assertThat(engine.records).hasSize(1);
      Reply.Refused next = refused(engine.serve(helloRequest()));
      assertThat(next.error().code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }
  }

  @ParameterizedTest(name = "of {0} dollars")
  @ValueSource(strings = {"1.005", "1"}) // the dearest candidate fits the rest of it, or not
  @DisplayName(
      "is served from the node's slice while the store is unavailable, by a candidate that the"
          + " slice covers")
  void fromSlice(String limit) {
    try (var engine = new ScriptedEngine(limit)) {
      engine.alpha.streams(text("word"), finished());
      drain(answered(engine.serve(onlyAlpha(helloRequest()))));
      engine.ledgerStore.unavailable = true;
      engine.alpha.streams(text("word"), finished());
      Reply.Answered reply =
          answered(engine.serve(helloRequest())); // gamma alone would take the whole budget
      drain(reply);
      assertThat(engine.records)
          .extracting(CallRecord::outcome)
          .containsExactly(CallRecord.Outcome.COMPLETE, CallRecord.Outcome.COMPLETE);
      assertThat(engine.balance().held()).isEqualTo(Usd.ZERO);
    }
  }
}
