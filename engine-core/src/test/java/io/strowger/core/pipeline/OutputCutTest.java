package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.inOrder;
import static io.strowger.core.pipeline.ScriptedEngine.MODEL;
import static io.strowger.tck.Given.request;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.core.inference.Reply;
import io.strowger.core.meter.DeliveredOutput;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.Interceptor.Scope;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.Given;
import io.strowger.tck.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An answer that exceeds its hold")
class OutputCutTest {
  private static final int CAP = 50;
  private static final String PIECE = "twelve bytes";
  private static final Json.Obj LARGE = Json.object().put("data", "x".repeat(100_000)).build();

  private static InferenceRequest withOutputLimit() {
    return helloRequest().toBuilder().maxOutputTokens(CAP).build();
  }

  private static Event end(List<Event> events) {
    assertThat(events.getLast()).isInstanceOf(Event.Finished.class);
    return events.getLast();
  }

  @Test
  @DisplayName("ends like one at its output limit, is billed once, and its upstream is closed")
  void endless() {
    try (var engine = new ScriptedEngine()) {
      var endless = new EndlessProvider(i -> new Event.TextDelta(PIECE));
      engine.replaceAlpha(endless);
      List<Event> events = drain(answered(engine.serve(withOutputLimit())));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      long delivered = events.stream().filter(Event.TextDelta.class::isInstance).count();
      assertThat(delivered * PIECE.length())
          .isBetween(CAP * 128L, DeliveredOutput.maxTextBytes(CAP))
          .isLessThan(8_000);
      assertThat(endless.closed()).isTrue();
      // 2 tokens in, 50 out: the output that was held for, and no more
      assertThat(engine.balance()).isEqualTo(EngineCalls.settled(52_000));
      CallRecord record = engine.records.getFirst();
      assertThat(record.outcome()).isEqualTo(CallRecord.Outcome.COMPLETE);
      assertThat(record.stopReason()).isEqualTo(StopReason.LENGTH);
      assertThat(record.billLines().getFirst().usage().isEstimated()).isTrue();
      assertThat(record.trace())
          .contains(new TraceEntry.Note("engine", "output_cut_at_hold: acme/large@alpha"));
    }
  }

  static Stream<Arguments> pieces() {
    Json.Str text = Json.of(PIECE);
    return Stream.of(
        Arguments.of("text", new Event.TextDelta(PIECE)),
        Arguments.of("reasoning", new Event.ReasoningDelta(text, null)),
        Arguments.of("a refusal", new Event.RefusalDelta(text, null)),
        Arguments.of("a tool call", new Event.ToolCallDelta(0, "a", "look", text, null)),
        Arguments.of(
            "empty tool calls", new Event.ToolCallDelta(0, "a", "look", Json.of(""), null)),
        Arguments.of("encrypted reasoning", new Event.EncryptedReasoning(text, null, null, null)),
        Arguments.of("signatures", new Event.ReasoningSignature(text, null, null)),
        Arguments.of("images or audio", new Event.OtherContent(LARGE)),
        Arguments.of("citations", new Event.Annotation(LARGE, null)),
        Arguments.of("probabilities", new Event.Logprobs(Json.array(LARGE))),
        Arguments.of("blocks", new Event.BlockStop(null)),
        Arguments.of("empty text", new Event.TextDelta("")),
        Arguments.of("usage reports", new Event.UsageReport(Usage.NONE, null)));
  }

  /** Reads the answer to its end and returns the last event only. */
  private static @Nullable Event last(Reply.Answered reply) {
    Event last = null;
    EventStream events = reply.answer();
    for (Event event = events.next(); event != null; event = events.next()) {
      last = event;
    }
    reply.answer().close();
    return last;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pieces")
  @DisplayName("is cut whatever it consists of, and costs about its hold:")
  void kinds(String name, Event piece) {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(new EndlessProvider(i -> i == 0 ? new Event.TextDelta("x") : piece));
      assertThat(last(answered(engine.serve(withOutputLimit()))))
          .isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      assertThat(engine.balance().settled().nanos()).isBetween(45_000L, 52_000L);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pieces")
  @DisplayName("costs the same when its upstream reported one token at the beginning:")
  void countedEarly(String name, Event piece) {
    var early = new Event.UsageReport(Given.usage(2, 1), null);
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(
          new EndlessProvider(i -> i == 0 ? new Event.TextDelta("x") : i == 1 ? early : piece));
      last(answered(engine.serve(withOutputLimit())));
      assertThat(engine.balance().settled().nanos()).isBetween(45_000L, 52_000L);
    }
  }

  @Test
  @DisplayName("is cut when it has more tool calls than any model makes at once")
  void tooManyCalls() {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(
          new EndlessProvider(i -> new Event.ToolCallDelta(i, null, null, Json.of("1"), null)));
      List<Event> events = drain(answered(engine.serve(helloRequest())));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      assertThat(events).hasSizeLessThan(1_100);
      assertThat(engine.balance()).isEqualTo(EngineCalls.settled((2 + 1_024 / 4) * 1_000));
    }
  }

  @Test
  @DisplayName(
      "costs a token for each of too many tool calls, up to its hold, when its upstream reported"
          + " usage early")
  void callsCountedEarly() {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(
          new EndlessProvider(
              i ->
                  i == 0
                      ? new Event.UsageReport(Given.usage(2, 1), null)
                      : new Event.ToolCallDelta(i, "id", "look", Json.of(""), null)));
      last(answered(engine.serve(helloRequest())));
      assertThat(engine.balance()).isEqualTo(EngineCalls.settled(1_002_000));
    }
  }

  @Test
  @DisplayName(
      "is cut when it begins more blocks than its output limit has tokens, and costs that limit")
  void blocks() {
    try (var engine = new ScriptedEngine()) {
      var early = new Event.UsageReport(Given.usage(2, 1), null);
      var begins = new Event.BlockStart(Event.BlockStart.Kind.TEXT, null);
      engine.replaceAlpha(
          new EndlessProvider(i -> i == 0 ? new Event.TextDelta("x") : i == 1 ? early : begins));
      assertThat(drain(answered(engine.serve(withOutputLimit())))).hasSizeLessThan(1_200);
      assertThat(engine.balance()).isEqualTo(EngineCalls.settled((2 + CAP) * 1_000));
    }
  }

  @Test
  @DisplayName("is cut at the default limit when the caller set none")
  void noLimit() {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(new EndlessProvider(i -> new Event.TextDelta("x".repeat(1000))));
      List<Event> events = drain(answered(engine.serve(helloRequest())));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      assertThat(engine.balance()).isEqualTo(EngineCalls.settled(1_002_000));
    }
  }

  @Test
  @DisplayName("is cut also when the output limit of its endpoint is unknown")
  void hugeLimit() {
    Endpoint unknown =
        Endpoint.builder(MODEL, Given.provider("alpha"))
            .pricing(Given.perMillion("1", "1"))
            .build();
    try (var engine = new ScriptedEngine(null, unknown)) {
      var piece = new Event.TextDelta("x".repeat(1_000_000));
      engine.replaceAlpha(new EndlessProvider(i -> piece));
      var asked = helloRequest().toBuilder().maxOutputTokens(Integer.MAX_VALUE).build();
      List<Event> events = drain(answered(engine.serve(asked)));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      long delivered = events.stream().filter(piece::equals).count();
      assertThat(delivered * 1_000_000).isLessThan(DeliveredOutput.maxTextBytes(1 << 20));
    }
  }

  @Test
  @DisplayName("is cut as soon as its upstream reports more output than was requested")
  void counted() {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(
          new EndlessProvider(
              i ->
                  i % 2 == 0
                      ? new Event.TextDelta("x")
                      : new Event.UsageReport(Given.usage(7, i), null)));
      List<Event> events = drain(answered(engine.serve(withOutputLimit())));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      assertThat(events).hasSizeLessThan(100);
      assertThat(engine.balance()).isEqualTo(EngineCalls.settled((7 + 115) * 1000));
    }
  }

  @Test
  @DisplayName("is not cut when only its hidden reasoning was longer, which some providers allow")
  void hiddenReasoning() {
    try (var engine = new ScriptedEngine()) {
      Usage counted = Usage.builder().freshInput(7).reasoning(900).outputText(2).build();
      engine.alpha.streams(
          text("1234"), Step.emit(new Event.UsageReport(counted, null)), text("5678"), finished());
      List<Event> events = drain(answered(engine.serve(withOutputLimit())));
      assertThat(events.stream().filter(Event.TextDelta.class::isInstance)).hasSize(2);
      assertThat(engine.balance().settled().nanos()).isEqualTo(909_000);
    }
  }

  @Test
  @DisplayName("is shortened when it is not streamed")
  void unstreamed() {
    try (var engine = new ScriptedEngine()) {
      var parts = List.<Part>of(new Part.Text("é".repeat(1_000_000)), new Part.Text("more"));
      engine.alpha.answers(new Answer(parts, StopReason.END, "stop", null, Dialect.CHAT, null));
      InferenceRequest asked =
          inOrder(request(MODEL, "hello"), "alpha").toBuilder().maxOutputTokens(CAP).build();
      List<Event> events = drain(answered(engine.serve(asked)));
      Answer answer = ((Event.CompleteAnswer) events.getLast()).answer();
      assertThat(answer.stopReason()).isEqualTo(StopReason.LENGTH);
      String text = ((Part.Text) answer.parts().getFirst()).text().text();
      assertThat(text).hasSize((int) DeliveredOutput.maxTextBytes(CAP) / 2).matches("é+");
      assertThat(answer.parts()).hasSize(1);
      assertThat(engine.balance()).isEqualTo(EngineCalls.settled(52_000));
    }
  }

  @Test
  @DisplayName("is not cut when it consists of the longest possible tokens")
  void longestTokens() {
    try (var engine = new ScriptedEngine()) {
      var steps = new ArrayList<Step>();
      for (int i = 0; i < CAP; i++) {
        steps.add(text(" ".repeat(128)));
      }
      steps.add(usage(7, CAP));
      steps.add(finished(StopReason.LENGTH));
      engine.alpha.streams(steps.toArray(Step[]::new));
      List<Event> events = drain(answered(engine.serve(withOutputLimit())));
      assertThat(events.stream().filter(Event.TextDelta.class::isInstance)).hasSize(CAP);
      assertThat(engine.balance()).isEqualTo(EngineCalls.settled(57_000));
      assertThat(engine.records.getFirst().trace()).noneMatch(TraceEntry.Note.class::isInstance);
    }
  }

  @Test
  @DisplayName("is cut before it reaches a plugin that keeps all of it")
  void behindPlugin() {
    var kept = new ArrayList<Event>();
    var keeping =
        new TestInterceptor(
            "keeping",
            10,
            Scope.ATTEMPT,
            (request, chain) -> {
              EventStream stream = chain.proceed(request);
              for (Event e = stream.next(); e != null; e = stream.next()) {
                kept.add(e);
              }
              return EventStream.of(kept);
            });
    try (var engine = new ScriptedEngine(null, TestInterceptor.pluginsOf(keeping))) {
      engine.replaceAlpha(new EndlessProvider(i -> new Event.TextDelta(PIECE)));
      List<Event> events = drain(answered(engine.serve(withOutputLimit())));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      assertThat(engine.balance()).isEqualTo(EngineCalls.settled(52_000));
    }
  }

  @Test
  @DisplayName("ends the tool loop, each turn of which is limited by its own hold")
  void toolLoop() {
    try (var engine = new ScriptedEngine(null, ToolLoops.pluginsWith(new ToolLoops.ClockTool()))) {
      engine.replaceAlpha(
          new EndlessProvider(
              i -> new Event.ToolCallDelta(0, "a", "clock", Json.of("{\"a\":\"" + PIECE), null)));
      List<Event> events =
          drain(
              answered(
                  engine.serve(ToolLoops.clockRequest().toBuilder().maxOutputTokens(CAP).build())));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      assertThat(engine.records.getFirst().billLines()).hasSize(1);
      assertThat(engine.records.getFirst().billLines().getFirst().usage().outputText())
          .isEqualTo(CAP);
    }
  }

  @Test
  @DisplayName("does not count in the health of its endpoint")
  void health() {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(new EndlessProvider(i -> new Event.TextDelta(PIECE)));
      drain(answered(engine.serve(withOutputLimit())));
      var statistics =
          engine
              .health
              .healthOf(engine.catalogHealth.catalog())
              .published()
              .of(engine.endpointOf("alpha"));
      assertThat(statistics.failures(CountingPeriod.FIVE_MINUTES)).isZero();
    }
  }
}
