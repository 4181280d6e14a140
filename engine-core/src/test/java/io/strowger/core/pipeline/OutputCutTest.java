package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.inOrder;
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

@DisplayName("An answer that goes beyond what its hold covers")
class OutputCutTest {
  private static final int CAP = 50;
  private static final String PIECE = "twelve bytes";
  private static final Json.Obj LONG = Json.object().put("data", "x".repeat(100_000)).build();

  private static InferenceRequest capped() {
    return ask().toBuilder().maxOutputTokens(CAP).build();
  }

  private static Event end(List<Event> events) {
    assertThat(events.getLast()).isInstanceOf(Event.Finished.class);
    return events.getLast();
  }

  @Test
  @DisplayName("ends as one that reached its limit, is billed once, and its upstream is closed")
  void endless() {
    try (var exchange = new ScriptedEngine()) {
      var endless = new EndlessProvider(i -> new Event.TextDelta(PIECE));
      exchange.alphaIs(endless);
      List<Event> events = drain(answered(exchange.serve(capped())));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      long delivered = events.stream().filter(Event.TextDelta.class::isInstance).count();
      assertThat(delivered * PIECE.length())
          .isBetween(CAP * 128L, DeliveredOutput.maxTextBytes(CAP))
          .isLessThan(8_000);
      assertThat(endless.closed()).isTrue();
      // 2 tokens in, 50 out: what was set aside for the output, and not more
      assertThat(exchange.balance()).isEqualTo(Asking.settled(52_000));
      CallRecord record = exchange.records.getFirst();
      assertThat(record.outcome()).isEqualTo(CallRecord.Outcome.COMPLETE);
      assertThat(record.stopReason()).isEqualTo(StopReason.LENGTH);
      assertThat(record.billLines().getFirst().usage().isEstimated()).isTrue();
      assertThat(record.trace())
          .contains(new TraceEntry.Note("engine", "output_cut_at_hold: acme/large@alpha"));
    }
  }

  static Stream<Arguments> pieces() {
    Json.Str said = Json.of(PIECE);
    return Stream.of(
        Arguments.of("text", new Event.TextDelta(PIECE)),
        Arguments.of("reasoning", new Event.ReasoningDelta(said, null)),
        Arguments.of("a refusal", new Event.RefusalDelta(said, null)),
        Arguments.of("a tool call", new Event.ToolCallDelta(0, "a", "look", said, null)),
        Arguments.of(
            "calls of nothing", new Event.ToolCallDelta(0, "a", "look", Json.of(""), null)),
        Arguments.of("sealed reasoning", new Event.EncryptedReasoning(said, null, null, null)),
        Arguments.of("signatures", new Event.ReasoningSignature(said, null, null)),
        Arguments.of("images or sound", new Event.OtherContent(LONG)),
        Arguments.of("citations", new Event.Annotation(LONG, null)),
        Arguments.of("probabilities", new Event.Logprobs(Json.array(LONG))),
        Arguments.of("blocks", new Event.BlockStop(null)),
        Arguments.of("empty text", new Event.TextDelta("")),
        Arguments.of("counts", new Event.UsageReport(Usage.NONE, null)));
  }

  /** The last event; the others are not kept. */
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
  @DisplayName("is cut whatever it is made of, and costs about what its hold covers:")
  void kinds(String name, Event piece) {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(new EndlessProvider(i -> i == 0 ? new Event.TextDelta("x") : piece));
      assertThat(last(answered(exchange.serve(capped()))))
          .isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      assertThat(exchange.balance().settled().nanos()).isBetween(45_000L, 52_000L);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pieces")
  @DisplayName("costs that much too when its upstream counted one token at its beginning:")
  void countedEarly(String name, Event piece) {
    var early = new Event.UsageReport(Given.usage(2, 1), null);
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(
          new EndlessProvider(i -> i == 0 ? new Event.TextDelta("x") : i == 1 ? early : piece));
      last(answered(exchange.serve(capped())));
      assertThat(exchange.balance().settled().nanos()).isBetween(45_000L, 52_000L);
    }
  }

  @Test
  @DisplayName(
      "is cut when it calls more tools than any model does at once, for each is remembered")
  void calls() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(
          new EndlessProvider(i -> new Event.ToolCallDelta(i, null, null, Json.of("1"), null)));
      List<Event> events = drain(answered(exchange.serve(ask())));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      assertThat(events).hasSizeLessThan(1_100);
      assertThat(exchange.balance()).isEqualTo(Asking.settled((2 + 1_024 / 4) * 1_000));
    }
  }

  @Test
  @DisplayName(
      "costs a token for each of too many calls, up to its hold, when one was counted before")
  void callsCountedEarly() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(
          new EndlessProvider(
              i ->
                  i == 0
                      ? new Event.UsageReport(Given.usage(2, 1), null)
                      : new Event.ToolCallDelta(i, "id", "look", Json.of(""), null)));
      last(answered(exchange.serve(ask())));
      assertThat(exchange.balance()).isEqualTo(Asking.settled(1_002_000));
    }
  }

  @Test
  @DisplayName(
      "is cut when it begins more blocks than there can be tokens in them, and costs those")
  void blocks() {
    try (var exchange = new ScriptedEngine()) {
      var early = new Event.UsageReport(Given.usage(2, 1), null);
      var begins = new Event.BlockStart(Event.BlockStart.Kind.TEXT, null);
      exchange.alphaIs(
          new EndlessProvider(i -> i == 0 ? new Event.TextDelta("x") : i == 1 ? early : begins));
      assertThat(drain(answered(exchange.serve(capped())))).hasSizeLessThan(1_200);
      assertThat(exchange.balance()).isEqualTo(Asking.settled((2 + CAP) * 1_000));
    }
  }

  @Test
  @DisplayName("is cut at the default limit when its caller gave none")
  void noLimit() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(new EndlessProvider(i -> new Event.TextDelta("x".repeat(1000))));
      List<Event> events = drain(answered(exchange.serve(ask())));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      assertThat(exchange.balance()).isEqualTo(Asking.settled(1_002_000));
    }
  }

  @Test
  @DisplayName("is cut somewhere also when nobody knows how much its endpoint can put out")
  void hugeLimit() {
    Endpoint unknown =
        Endpoint.builder(MODEL, Given.provider("alpha"))
            .pricing(Given.perMillion("1", "1"))
            .build();
    try (var exchange = new ScriptedEngine(null, unknown)) {
      var piece = new Event.TextDelta("x".repeat(1_000_000));
      exchange.alphaIs(new EndlessProvider(i -> piece));
      var asked = ask().toBuilder().maxOutputTokens(Integer.MAX_VALUE).build();
      List<Event> events = drain(answered(exchange.serve(asked)));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      long delivered = events.stream().filter(piece::equals).count();
      assertThat(delivered * 1_000_000).isLessThan(DeliveredOutput.maxTextBytes(1 << 20));
    }
  }

  @Test
  @DisplayName("is cut as soon as its upstream itself counts more than it was asked for")
  void counted() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(
          new EndlessProvider(
              i ->
                  i % 2 == 0
                      ? new Event.TextDelta("x")
                      : new Event.UsageReport(Given.usage(7, i), null)));
      List<Event> events = drain(answered(exchange.serve(capped())));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      assertThat(events).hasSizeLessThan(100);
      assertThat(exchange.balance()).isEqualTo(Asking.settled((7 + 115) * 1000));
    }
  }

  @Test
  @DisplayName("is no answer whose hidden reasoning alone was longer, as some providers allow")
  void reasoned() {
    try (var exchange = new ScriptedEngine()) {
      Usage counted = Usage.builder().freshInput(7).reasoning(900).outputText(2).build();
      exchange.alpha.streams(
          text("1234"), Step.emit(new Event.UsageReport(counted, null)), text("5678"), finished());
      List<Event> events = drain(answered(exchange.serve(capped())));
      assertThat(events.stream().filter(Event.TextDelta.class::isInstance)).hasSize(2);
      assertThat(exchange.balance().settled().nanos()).isEqualTo(909_000);
    }
  }

  @Test
  @DisplayName("is shortened when it comes whole")
  void whole() {
    try (var exchange = new ScriptedEngine()) {
      var parts = List.<Part>of(new Part.Text("é".repeat(1_000_000)), new Part.Text("more"));
      exchange.alpha.answers(new Answer(parts, StopReason.END, "stop", null, Dialect.CHAT, null));
      InferenceRequest asked =
          inOrder(request(MODEL, "hello"), "alpha").toBuilder().maxOutputTokens(CAP).build();
      List<Event> events = drain(answered(exchange.serve(asked)));
      Answer answer = ((Event.CompleteAnswer) events.getLast()).answer();
      assertThat(answer.stopReason()).isEqualTo(StopReason.LENGTH);
      String said = ((Part.Text) answer.parts().getFirst()).text().text();
      assertThat(said).hasSize((int) DeliveredOutput.maxTextBytes(CAP) / 2).matches("é+");
      assertThat(answer.parts()).hasSize(1);
      assertThat(exchange.balance()).isEqualTo(Asking.settled(52_000));
    }
  }

  @Test
  @DisplayName("is no answer that an honest upstream makes of the longest tokens there are")
  void honest() {
    try (var exchange = new ScriptedEngine()) {
      var steps = new ArrayList<Step>();
      for (int i = 0; i < CAP; i++) {
        steps.add(text(" ".repeat(128)));
      }
      steps.add(usage(7, CAP));
      steps.add(finished(StopReason.LENGTH));
      exchange.alpha.streams(steps.toArray(Step[]::new));
      List<Event> events = drain(answered(exchange.serve(capped())));
      assertThat(events.stream().filter(Event.TextDelta.class::isInstance)).hasSize(CAP);
      assertThat(exchange.balance()).isEqualTo(Asking.settled(57_000));
      assertThat(exchange.records.getFirst().trace()).noneMatch(TraceEntry.Note.class::isInstance);
    }
  }

  @Test
  @DisplayName("is cut in front of a plugin that keeps all of it")
  void behindPlugin() {
    var kept = new ArrayList<Event>();
    var keeping =
        new Around(
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
    try (var exchange = new ScriptedEngine(null, Around.all(keeping))) {
      exchange.alphaIs(new EndlessProvider(i -> new Event.TextDelta(PIECE)));
      List<Event> events = drain(answered(exchange.serve(capped())));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      assertThat(exchange.balance()).isEqualTo(Asking.settled(52_000));
    }
  }

  @Test
  @DisplayName("ends the tool loop, and each turn of it is held to its own hold")
  void toolLoop() {
    try (var exchange = new ScriptedEngine(null, Loops.with(new Loops.Clock()))) {
      exchange.alphaIs(
          new EndlessProvider(
              i -> new Event.ToolCallDelta(0, "a", "clock", Json.of("{\"a\":\"" + PIECE), null)));
      List<Event> events =
          drain(answered(exchange.serve(Loops.asking().toBuilder().maxOutputTokens(CAP).build())));
      assertThat(end(events)).isEqualTo(new Event.Finished(StopReason.LENGTH, null, null));
      assertThat(exchange.records.getFirst().billLines()).hasSize(1);
      assertThat(exchange.records.getFirst().billLines().getFirst().usage().outputText())
          .isEqualTo(CAP);
    }
  }

  @Test
  @DisplayName("says nothing of its endpoint's health")
  void health() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(new EndlessProvider(i -> new Event.TextDelta(PIECE)));
      drain(answered(exchange.serve(capped())));
      var told =
          exchange.health.healthOf(exchange.board.catalog()).published().of(exchange.at("alpha"));
      assertThat(told.failures(CountingPeriod.FIVE_MINUTES)).isZero();
    }
  }
}
