package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.inOrder;
import static io.strowger.core.pipeline.ScriptedEngine.MODEL;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.core.inference.Reply;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.Interceptor.Scope;
import io.strowger.tck.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The memory for output that is collected while it is streamed")
class CollectedOutputTest {
  private static final int CAP = 10_000;
  private static final TestInterceptor PASS_THROUGH =
      new TestInterceptor("passing", 10, Scope.REQUEST, (request, chain) -> chain.proceed(request));

  private long most; // the most bytes of the budget that were reserved at any time

  private static InferenceRequest withOutputLimit(InferenceRequest asked) {
    return asked.toBuilder().maxOutputTokens(CAP).build();
  }

  private static InferenceRequest responses() {
    var request =
        InferenceRequest.builder(Dialect.RESPONSES, Json.Obj.EMPTY)
            .streaming(true)
            .models(Given.request(MODEL, "hello").models())
            .messages(Given.request(MODEL, "hello").messages())
            .build();
    return withOutputLimit(inOrder(request, "alpha"));
  }

  private static Event thousandChars() {
    return new Event.TextDelta("x".repeat(1000));
  }

  /**
   * Serves the request several times and reads one event of each answer in turn until all have
   * ended; returns the last event of each.
   */
  private List<Event> serveInterleaved(ScriptedEngine engine, InferenceRequest asked, int count) {
    var open = new ArrayList<Reply.Answered>();
    for (int i = 0; i < count; i++) {
      open.add(answered(engine.serve(asked)));
    }
    var last = new ArrayList<Event>();
    for (boolean anyLeft = true; anyLeft; ) {
      anyLeft = false;
      for (Reply.Answered reply : open) {
        Event event = reply.answer().next();
        anyLeft |= event != null;
        most = Math.max(most, engine.outputBudget.reserved());
        if (event != null && event.isTerminal()) {
          last.add(event);
        }
      }
    }
    open.forEach(reply -> reply.answer().close());
    assertThat(most)
        .as("bytes reserved by all answers")
        .isLessThanOrEqualTo(ScriptedEngine.OUTPUT_BUDGET_BYTES);
    assertThat(engine.outputBudget.reserved()).isZero();
    return last;
  }

  @Test
  @DisplayName("is not used by streams that are only passed on, which end at their holds")
  void passedOn() {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(new EndlessProvider(i -> thousandChars()));
      assertThat(serveInterleaved(engine, withOutputLimit(helloRequest()), 20))
          .hasSize(20)
          .allMatch(new Event.Finished(StopReason.LENGTH, null, null)::equals);
      assertThat(most).isZero();
    }
  }

  @Test
  @DisplayName("is shared by all answers that are collected, and its limit is never exceeded")
  void shared() {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(new EndlessProvider(i -> thousandChars()));
      assertThat(serveInterleaved(engine, responses(), 20))
          .hasSize(20)
          .allMatch(Event.Failed.class::isInstance);
      assertThat(engine.balance().held().nanos()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "RESPONSES"})
  @DisplayName(
      "ends an answer that exceeds it with the gateway's error; the answer is billed and does not"
          + " count in the health:")
  void collected(Dialect dialect) {
    try (var engine =
        dialect == Dialect.CHAT
            ? new ScriptedEngine(null, TestInterceptor.pluginsOf(PASS_THROUGH))
            : new ScriptedEngine()) {
      engine.replaceAlpha(new EndlessProvider(i -> thousandChars()));
      List<Event> events =
          drain(
              answered(
                  engine.serve(
                      dialect == Dialect.CHAT ? withOutputLimit(helloRequest()) : responses())));
      Event.Failed failed = (Event.Failed) events.getLast();
      assertThat(failed.cause()).as("the provider's failure").isNull();
      assertThat(failed.code()).isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(failed.error().message()).contains("no memory left");
      assertThat(events).as("the events of one answer that fit in 1 MiB").hasSizeBetween(500, 700);
      assertThat(engine.balance())
          .as("at most the hold")
          .isEqualTo(EngineCalls.settled(10_002_000));
      assertThat(engine.records.getFirst().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
      var statistics =
          engine
              .health
              .healthOf(engine.catalogHealth.catalog())
              .published()
              .of(engine.endpointOf("alpha"));
      assertThat(statistics.failures(CountingPeriod.FIVE_MINUTES)).isZero();
      assertThat(engine.outputBudget.reserved()).isZero();
    }
  }

  @Test
  @DisplayName("is enough for many ordinary answers, even if they consist of small events")
  void ordinaryAnswers() {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(
          new EndlessProvider(
              i ->
                  i < 10_000
                      ? new Event.TextDelta("abcd")
                      : new Event.Finished(StopReason.END, null, null)));
      assertThat(serveInterleaved(engine, responses(), 100))
          .hasSize(100)
          .allMatch(Event.Finished.class::isInstance);
    }
  }

  static Stream<Event> objects() {
    Json.Str x = Json.of("x");
    return Stream.of(
        new Event.BlockStop(null),
        new Event.BlockStart(Event.BlockStart.Kind.TEXT, null),
        new Event.ToolCallDelta(0, null, null, x, null),
        new Event.ToolCallDelta(0, "a", "look", x, null),
        new Event.ReasoningSignature(x, null, null),
        new Event.EncryptedReasoning(x, null, null, null),
        new Event.Logprobs(Json.array(x)),
        new Event.OtherContent(Json.object().put("a", 1).build()),
        new Event.Annotation(Json.object().put("a", 1).build(), null));
  }

  @ParameterizedTest
  @MethodSource("objects")
  @DisplayName("counts small events with the objects that are created for them:")
  void small(Event piece) {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(new EndlessProvider(i -> i % 2 == 0 ? new Event.TextDelta("x") : piece));
      List<Event> events = drain(answered(engine.serve(responses())));
      assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
      assertThat(events).hasSizeBetween(1_000, 5_000);
    }
  }

  @Test
  @DisplayName("is released when the caller closes the answer early")
  void released() {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(new EndlessProvider(i -> thousandChars()));
      var reply = answered(engine.serve(responses()));
      for (int i = 0; i < 300; i++) {
        reply.answer().next();
      }
      assertThat(engine.outputBudget.reserved()).isBetween(200_000L, 400_000L);
      reply.answer().close();
      assertThat(engine.outputBudget.reserved()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "RESPONSES"})
  @DisplayName(
      "is reserved until the answer is closed, although the answer is paid with its last event:")
  void untilClosed(Dialect dialect) {
    try (var engine =
        dialect == Dialect.CHAT
            ? new ScriptedEngine(null, TestInterceptor.pluginsOf(PASS_THROUGH))
            : new ScriptedEngine()) {
      engine.replaceAlpha(
          new EndlessProvider(
              i -> i < 300 ? thousandChars() : new Event.Finished(StopReason.END, null, null)));
      Reply.Answered reply =
          answered(
              engine.serve(
                  dialect == Dialect.CHAT ? withOutputLimit(helloRequest()) : responses()));
      assertThat(ScriptedEngine.read(reply.answer()).getLast()).isInstanceOf(Event.Finished.class);
      assertThat(engine.generations.find(reply.id())).as("recorded").isNotNull();
      assertThat(engine.balance().held().nanos()).as("held").isZero();
      assertThat(engine.outputBudget.reserved()).isBetween(200_000L, 400_000L);
      reply.answer().close();
      assertThat(engine.outputBudget.reserved()).isZero();
    }
  }

  @Test
  @DisplayName("is released when the gateway closes while an answer is still read")
  void abandoned() {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(new EndlessProvider(i -> thousandChars()));
      Reply.Answered reply = answered(engine.serve(responses()));
      for (int i = 0; i < 300; i++) {
        reply.answer().next();
      }
      engine.shutDown();
      assertThat(engine.outputBudget.reserved()).isZero();
    }
  }

  @Test
  @DisplayName("counts the frame of the last event, which may repeat the whole answer")
  void lastFrame() {
    try (var engine = new ScriptedEngine()) {
      Json.Obj frame = Json.object().put("response", "x".repeat(900_000)).build();
      engine.alphaReturns(thousandChars(), new Event.Finished(StopReason.END, null, frame));
      List<Event> events = drain(answered(engine.serve(responses())));
      assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
    }
  }
}
