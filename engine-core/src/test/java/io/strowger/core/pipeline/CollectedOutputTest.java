package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.inOrder;
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
  private static final Around PASSING =
      new Around("passing", 10, Scope.REQUEST, (request, chain) -> chain.proceed(request));

  private long most; // of the budget, taken at any moment

  private static InferenceRequest lengthy(InferenceRequest asked) {
    return asked.toBuilder().maxOutputTokens(CAP).build();
  }

  private static InferenceRequest responses() {
    var request =
        InferenceRequest.builder(Dialect.RESPONSES, Json.Obj.EMPTY)
            .streaming(true)
            .models(Given.request(MODEL, "hello").models())
            .messages(Given.request(MODEL, "hello").messages())
            .build();
    return lengthy(inOrder(request, "alpha"));
  }

  private static Event said() {
    return new Event.TextDelta("x".repeat(1000));
  }

  /** Reads one event of each in turn until all have ended; the last event of each. */
  private List<Event> together(ScriptedEngine exchange, InferenceRequest asked, int count) {
    var open = new ArrayList<Reply.Answered>();
    for (int i = 0; i < count; i++) {
      open.add(answered(exchange.serve(asked)));
    }
    var last = new ArrayList<Event>();
    for (boolean more = true; more; ) {
      more = false;
      for (Reply.Answered one : open) {
        Event event = one.answer().next();
        more |= event != null;
        most = Math.max(most, exchange.outputs.reserved());
        if (event != null && event.isTerminal()) {
          last.add(event);
        }
      }
    }
    open.forEach(one -> one.answer().close());
    assertThat(most).as("taken by all of them").isLessThanOrEqualTo(ScriptedEngine.OUTPUTS);
    assertThat(exchange.outputs.reserved()).isZero();
    return last;
  }

  @Test
  @DisplayName("is not taken by streams that are only passed on, which end at their holds")
  void passedOn() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(new EndlessProvider(i -> said()));
      assertThat(together(exchange, lengthy(ask()), 20))
          .hasSize(20)
          .allMatch(new Event.Finished(StopReason.LENGTH, null, null)::equals);
      assertThat(most).isZero();
    }
  }

  @Test
  @DisplayName("is shared by all that are collected, and is never more than there is")
  void shared() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(new EndlessProvider(i -> said()));
      assertThat(together(exchange, responses(), 20))
          .hasSize(20)
          .allMatch(Event.Failed.class::isInstance);
      assertThat(exchange.balance().held().nanos()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "RESPONSES"})
  @DisplayName("ends what is collected in the gateway's name, billed, and says nothing of health:")
  void collected(Dialect dialect) {
    try (var exchange =
        dialect == Dialect.CHAT
            ? new ScriptedEngine(null, Around.all(PASSING))
            : new ScriptedEngine()) {
      exchange.alphaIs(new EndlessProvider(i -> said()));
      List<Event> events =
          drain(answered(exchange.serve(dialect == Dialect.CHAT ? lengthy(ask()) : responses())));
      Event.Failed failed = (Event.Failed) events.getLast();
      assertThat(failed.cause()).as("the provider's part").isNull();
      assertThat(failed.code()).isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(failed.error().message()).contains("no memory left");
      assertThat(events).as("what one may hold of 1 MiB").hasSizeBetween(500, 700);
      assertThat(exchange.balance()).as("at most the hold").isEqualTo(Asking.settled(10_002_000));
      assertThat(exchange.records.getFirst().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
      var told =
          exchange.health.healthOf(exchange.board.catalog()).published().of(exchange.at("alpha"));
      assertThat(told.failures(CountingPeriod.FIVE_MINUTES)).isZero();
      assertThat(exchange.outputs.reserved()).isZero();
    }
  }

  @Test
  @DisplayName("is enough for many ordinary answers, whatever their events are")
  void honest() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(
          new EndlessProvider(
              i ->
                  i < 10_000
                      ? new Event.TextDelta("abcd")
                      : new Event.Finished(StopReason.END, null, null)));
      assertThat(together(exchange, responses(), 100))
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
  @DisplayName("counts small events with the objects they become:")
  void small(Event piece) {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(new EndlessProvider(i -> i % 2 == 0 ? new Event.TextDelta("x") : piece));
      List<Event> events = drain(answered(exchange.serve(responses())));
      assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
      assertThat(events).hasSizeBetween(1_000, 5_000);
    }
  }

  @Test
  @DisplayName("is given back when a caller goes away, and when a request is refused")
  void givenBack() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(new EndlessProvider(i -> said()));
      var reply = answered(exchange.serve(responses()));
      for (int i = 0; i < 300; i++) {
        reply.answer().next();
      }
      assertThat(exchange.outputs.reserved()).isBetween(200_000L, 400_000L);
      reply.answer().close();
      assertThat(exchange.outputs.reserved()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "RESPONSES"})
  @DisplayName("is taken until the answer is closed, though it is paid with its last event:")
  void untilClosed(Dialect dialect) {
    try (var exchange =
        dialect == Dialect.CHAT
            ? new ScriptedEngine(null, Around.all(PASSING))
            : new ScriptedEngine()) {
      exchange.alphaIs(
          new EndlessProvider(
              i -> i < 300 ? said() : new Event.Finished(StopReason.END, null, null)));
      Reply.Answered reply =
          answered(exchange.serve(dialect == Dialect.CHAT ? lengthy(ask()) : responses()));
      assertThat(ScriptedEngine.read(reply.answer()).getLast()).isInstanceOf(Event.Finished.class);
      assertThat(exchange.generations.find(reply.id())).as("recorded").isNotNull();
      assertThat(exchange.balance().held().nanos()).as("set aside").isZero();
      assertThat(exchange.outputs.reserved()).isBetween(200_000L, 400_000L);
      reply.answer().close();
      assertThat(exchange.outputs.reserved()).isZero();
    }
  }

  @Test
  @DisplayName("is given back when the gateway closes while the end is still being read")
  void abandoned() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(new EndlessProvider(i -> said()));
      Reply.Answered reply = answered(exchange.serve(responses()));
      for (int i = 0; i < 300; i++) {
        reply.answer().next();
      }
      exchange.shutDown();
      assertThat(exchange.outputs.reserved()).isZero();
    }
  }

  @Test
  @DisplayName("counts the frame of the end, which may repeat all that was said")
  void lastFrame() {
    try (var exchange = new ScriptedEngine()) {
      Json.Obj frame = Json.object().put("response", "x".repeat(900_000)).build();
      exchange.alphaGives(said(), new Event.Finished(StopReason.END, null, frame));
      List<Event> events = drain(answered(exchange.serve(responses())));
      assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
    }
  }
}
