package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.core.pipeline.Loops.asking;
import static io.strowger.core.pipeline.Loops.calls;
import static io.strowger.core.pipeline.Loops.clock;
import static io.strowger.core.pipeline.Loops.json;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Given.request;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Reply;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A request whose tools the gateway runs")
@Timeout(60)
class ToolLoopEndsTest {
  private final AtomicInteger runs = new AtomicInteger();

  /** A clock during whose run something happens. */
  private ScriptedEngine exchange(Runnable meanwhile) {
    return new ScriptedEngine(null, Loops.with(clockThat(meanwhile)));
  }

  private ServerTool clockThat(Runnable meanwhile) {
    return new ServerTool() {
      private final ServerTool clock = new Loops.Clock();

      @Override
      public Spec spec() {
        return clock.spec();
      }

      @Override
      public Json run(Invocation call, Chain chain) throws ToolException {
        runs.incrementAndGet();
        meanwhile.run();
        return clock.run(call, chain);
      }
    };
  }

  private static void assertNothingLeft(ScriptedEngine exchange, CallRecord.Outcome outcome) {
    assertThat(exchange.balance().held()).isEqualTo(Usd.ZERO);
    assertThat(exchange.balance().settled()).isEqualTo(exchange.records.getFirst().cost());
    assertThat(exchange.underWay()).isZero();
    assertThat(exchange.records).hasSize(1);
    assertThat(exchange.records.getFirst().outcome()).isEqualTo(outcome);
  }

  @Test
  @DisplayName("runs no more of them once its caller is gone, and asks nobody any more")
  void callerGone() {
    var gone = new Cancellation[1];
    try (var exchange = exchange(() -> gone[0].cancel(Cancellation.Cause.CALLER_GONE))) {
      gone[0] = exchange.cancellation;
      exchange.alpha.streams(text("a"), clock(0), clock(1), usage(1, 1), calls());
      List<Event> events = drain(answered(exchange.serve(asking())));
      assertThat(((Event.Failed) events.getLast()).kind()).isEqualTo(FailureKind.CANCELLED);
      assertThat(runs).hasValue(1);
      assertThat(exchange.alpha.calls()).hasSize(1);
      assertNothingLeft(exchange, CallRecord.Outcome.CANCELLED);
    }
  }

  @Test
  @DisplayName("ends at once when it is closed while a later turn is awaited")
  void closedBetween() throws InterruptedException {
    try (var exchange = exchange(() -> {})) {
      exchange.alpha.streams(text("a"), clock(0), usage(1, 1), calls()).stallsInOpen();
      Reply.Answered reply = answered(exchange.serve(asking()));
      var events = new ArrayList<Event>();
      Thread reader =
          exchange.ambient.start(
              "reader", () -> events.addAll(ScriptedEngine.read(reply.answer())));
      while (exchange.alpha.calls().size() < 2) {
        Thread.onSpinWait();
      }
      reply.answer().close();
      reader.join();
      assertThat(events).noneMatch(Event::isTerminal);
      assertThat(exchange.cancellation.isCancelled()).as("the caller's own").isFalse();
      assertNothingLeft(exchange, CallRecord.Outcome.CANCELLED);
    }
  }

  @Test
  @DisplayName("is settled when the gateway closes while a tool runs")
  void shutDown() {
    var gateway = new ScriptedEngine[1];
    try (var exchange = exchange(() -> gateway[0].shutDown())) {
      gateway[0] = exchange;
      exchange.alpha.streams(text("a"), clock(0), clock(1), usage(1, 1), calls());
      drain(answered(exchange.serve(asking())));
      assertThat(runs).hasValue(1);
      assertNothingLeft(exchange, CallRecord.Outcome.CANCELLED);
    }
  }

  @Test
  @DisplayName("is refused and settled when the gateway closes before any of the answer exists")
  void shutDownBefore() {
    var gateway = new ScriptedEngine[1];
    try (var exchange = exchange(() -> gateway[0].shutDown())) {
      gateway[0] = exchange;
      exchange.alpha.streams(clock(0), usage(1, 1), calls());
      assertThat(refused(exchange.serve(asking())).error().code()).isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(exchange.alpha.calls()).hasSize(1);
      assertNothingLeft(exchange, CallRecord.Outcome.CANCELLED);
    }
  }

  @Test
  @DisplayName("is over in its total time, however many turns and tools it takes")
  void totalTime() {
    var running = new ScriptedEngine[1];
    Runnable slow =
        () -> {
          running[0].ambient.awaitSleep("strowger-watchdog");
          running[0].ambient.advance(Duration.ofMinutes(10));
          running[0].ambient.awaitSleep("strowger-watchdog"); // it has looked
        };
    try (var exchange = exchange(slow)) {
      running[0] = exchange;
      exchange.alpha.streams(text("a"), clock(0), clock(1), usage(1, 1), calls());
      List<Event> events = drain(answered(exchange.serve(asking())));
      assertThat(((Event.Failed) events.getLast()).code()).isEqualTo(ErrorCode.TIMEOUT);
      assertThat(runs).hasValue(1);
      assertNothingLeft(exchange, CallRecord.Outcome.ERROR);
    }
  }

  @Test
  @DisplayName("asks for one among allowed tools only once, by the functions they are offered as")
  void allowedTools() {
    try (var exchange = exchange(() -> {})) {
      exchange
          .alpha
          .streams(clock(0), usage(1, 1), calls())
          .streams(text("x"), usage(1, 1), finished());
      var asked =
          InferenceRequest.builder(Dialect.RESPONSES, Json.Obj.EMPTY)
              .models(asking().models())
              .messages(asking().messages())
              .streaming(true)
              .build();
      drain(
          answered(
              exchange.serve(
                  asking(
                      asked,
                      "tool_choice",
                      "{'type':'allowed_tools','mode':'required','tools':[{'type':'router:clock'}]}"))));
      assertThat(choice(exchange, 0))
          .isEqualTo(
              json(
                  "{'type':'allowed_tools','mode':'required',"
                      + "'tools':[{'type':'function','name':'clock'}]}"));
      assertThat(choice(exchange, 1).get("mode")).isEqualTo(Json.of("auto"));
    }
  }

  private static Json.Obj choice(ScriptedEngine exchange, int turn) {
    Json choice = exchange.alpha.calls().get(turn).request().member("tool_choice");
    return (Json.Obj) Objects.requireNonNull(choice);
  }

  @Proves("plugins.pipeline.server_tools")
  @Test
  @DisplayName("says which were run also when a later turn fails")
  void stage() {
    try (var exchange = exchange(() -> {})) {
      exchange
          .alpha
          .streams(text("a"), clock(0), usage(1, 1), calls())
          .alwaysRefuses(failure(FailureKind.CONTENT_POLICY, 400, -1));
      drain(answered(exchange.serve(asking())));
      assertThat(exchange.records.getFirst().trace())
          .contains(
              new TraceEntry.Stage(
                  "server_tools",
                  "server-tools",
                  "router:clock x1",
                  Json.object()
                      .put("mode", "sdk")
                      .put("tools", Json.array(Json.of("router:clock")))
                      .build()));
    }
  }

  @Test
  @DisplayName("goes on when one of them was made for another version")
  void wrongVersion() {
    Runnable missing =
        () -> {
          throw new NoSuchMethodError("gone");
        };
    try (var exchange = exchange(missing)) {
      exchange
          .alpha
          .streams(clock(0), usage(1, 1), calls())
          .streams(text("fine"), usage(1, 1), finished());
      List<Event> events = drain(answered(exchange.serve(asking())));
      assertThat(Loops.said(events)).isEqualTo("fine");
      assertNothingLeft(exchange, CallRecord.Outcome.COMPLETE);
    }
  }

  @Test
  @DisplayName("shows no call of theirs that was cut off in an answer that comes whole")
  void cutOff() {
    try (var exchange = exchange(() -> {})) {
      var call =
          new Part.ToolCall(
              "c1", "clock", new Arguments.Value(Json.Obj.EMPTY), Json.Obj.EMPTY, null);
      exchange.alpha.answers(
          new Answer(
              List.of(new Part.Text("One moment. "), call),
              StopReason.LENGTH,
              "length",
              Given.usage(1, 1),
              Dialect.CHAT,
              null));
      List<Event> events =
          drain(answered(exchange.serve(asking(request(ScriptedEngine.MODEL, "t?")))));
      var answer = ((Event.CompleteAnswer) events.getLast()).answer();
      assertThat(answer.parts()).singleElement().isInstanceOf(Part.Text.class);
      assertThat(answer.stopReason()).isEqualTo(StopReason.LENGTH);
    }
  }
}
