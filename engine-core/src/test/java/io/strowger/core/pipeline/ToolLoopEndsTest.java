package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.refused;
import static io.strowger.core.pipeline.ToolLoops.clockCall;
import static io.strowger.core.pipeline.ToolLoops.clockRequest;
import static io.strowger.core.pipeline.ToolLoops.finishedWithCalls;
import static io.strowger.core.pipeline.ToolLoops.json;
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

  /** Returns an engine with a clock that runs this action whenever it is called. */
  private ScriptedEngine engine(Runnable meanwhile) {
    return new ScriptedEngine(null, ToolLoops.pluginsWith(clockRunning(meanwhile)));
  }

  private ServerTool clockRunning(Runnable meanwhile) {
    return new ServerTool() {
      private final ServerTool clock = new ToolLoops.ClockTool();

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

  private static void assertNothingLeft(ScriptedEngine engine, CallRecord.Outcome outcome) {
    assertThat(engine.balance().held()).isEqualTo(Usd.ZERO);
    assertThat(engine.balance().settled()).isEqualTo(engine.records.getFirst().cost());
    assertThat(engine.callsInProgress()).isZero();
    assertThat(engine.records).hasSize(1);
    assertThat(engine.records.getFirst().outcome()).isEqualTo(outcome);
  }

  @Test
  @DisplayName("runs no more of them once its caller has disconnected, and calls no model any more")
  void callerGone() {
    var cancellation = new Cancellation[1];
    try (var engine = engine(() -> cancellation[0].cancel(Cancellation.Cause.CALLER_GONE))) {
      cancellation[0] = engine.cancellation;
      engine.alpha.streams(text("a"), clockCall(0), clockCall(1), usage(1, 1), finishedWithCalls());
      List<Event> events = drain(answered(engine.serve(clockRequest())));
      assertThat(((Event.Failed) events.getLast()).kind()).isEqualTo(FailureKind.CANCELLED);
      assertThat(runs).hasValue(1);
      assertThat(engine.alpha.calls()).hasSize(1);
      assertNothingLeft(engine, CallRecord.Outcome.CANCELLED);
    }
  }

  @Test
  @DisplayName("ends at once when its answer is closed while it waits for a later turn")
  void closedBetween() throws InterruptedException {
    try (var engine = engine(() -> {})) {
      engine
          .alpha
          .streams(text("a"), clockCall(0), usage(1, 1), finishedWithCalls())
          .stallsInOpen();
      Reply.Answered reply = answered(engine.serve(clockRequest()));
      var events = new ArrayList<Event>();
      Thread reader =
          engine.ambient.start("reader", () -> events.addAll(ScriptedEngine.read(reply.answer())));
      while (engine.alpha.calls().size() < 2) {
        Thread.onSpinWait();
      }
      reply.answer().close();
      reader.join();
      assertThat(events).noneMatch(Event::isTerminal);
      assertThat(engine.cancellation.isCancelled()).as("the caller's own cancellation").isFalse();
      assertNothingLeft(engine, CallRecord.Outcome.CANCELLED);
    }
  }

  @Test
  @DisplayName("is settled when the gateway closes while a tool runs")
  void shutDown() {
    var engineHolder = new ScriptedEngine[1];
    try (var engine = engine(() -> engineHolder[0].shutDown())) {
      engineHolder[0] = engine;
      engine.alpha.streams(text("a"), clockCall(0), clockCall(1), usage(1, 1), finishedWithCalls());
      drain(answered(engine.serve(clockRequest())));
      assertThat(runs).hasValue(1);
      assertNothingLeft(engine, CallRecord.Outcome.CANCELLED);
    }
  }

  @Test
  @DisplayName("is refused and settled when the gateway closes before it has any content")
  void shutDownBefore() {
    var engineHolder = new ScriptedEngine[1];
    try (var engine = engine(() -> engineHolder[0].shutDown())) {
      engineHolder[0] = engine;
      engine.alpha.streams(clockCall(0), usage(1, 1), finishedWithCalls());
      assertThat(refused(engine.serve(clockRequest())).error().code())
          .isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(engine.alpha.calls()).hasSize(1);
      assertNothingLeft(engine, CallRecord.Outcome.CANCELLED);
    }
  }

  @Test
  @DisplayName("is ended by its total timeout, however many turns and tools it has")
  void totalTime() {
    var engineHolder = new ScriptedEngine[1];
    Runnable slow =
        () -> {
          engineHolder[0].ambient.awaitSleep("strowger-watchdog");
          engineHolder[0].ambient.advance(Duration.ofMinutes(10));
          engineHolder[0].ambient.awaitSleep("strowger-watchdog"); // it has checked the deadlines
        };
    try (var engine = engine(slow)) {
      engineHolder[0] = engine;
      engine.alpha.streams(text("a"), clockCall(0), clockCall(1), usage(1, 1), finishedWithCalls());
      List<Event> events = drain(answered(engine.serve(clockRequest())));
      assertThat(((Event.Failed) events.getLast()).code()).isEqualTo(ErrorCode.TIMEOUT);
      assertThat(runs).hasValue(1);
      assertNothingLeft(engine, CallRecord.Outcome.ERROR);
    }
  }

  @Test
  @DisplayName(
      "requires one of the allowed tools in the first turn only, by the functions they are offered"
          + " as")
  void allowedTools() {
    try (var engine = engine(() -> {})) {
      engine
          .alpha
          .streams(clockCall(0), usage(1, 1), finishedWithCalls())
          .streams(text("x"), usage(1, 1), finished());
      var asked =
          InferenceRequest.builder(Dialect.RESPONSES, Json.Obj.EMPTY)
              .models(clockRequest().models())
              .messages(clockRequest().messages())
              .streaming(true)
              .build();
      drain(
          answered(
              engine.serve(
                  clockRequest(
                      asked,
                      "tool_choice",
                      "{'type':'allowed_tools','mode':'required','tools':[{'type':'router:clock'}]}"))));
      assertThat(choice(engine, 0))
          .isEqualTo(
              json(
                  "{'type':'allowed_tools','mode':'required',"
                      + "'tools':[{'type':'function','name':'clock'}]}"));
      assertThat(choice(engine, 1).get("mode")).isEqualTo(Json.of("auto"));
    }
  }

  private static Json.Obj choice(ScriptedEngine engine, int turn) {
    Json choice = engine.alpha.calls().get(turn).request().member("tool_choice");
    return (Json.Obj) Objects.requireNonNull(choice);
  }

  @Proves("plugins.pipeline.server_tools")
  @Test
  @DisplayName("lists the tools that ran in its trace even if a later turn fails")
  void stage() {
    try (var engine = engine(() -> {})) {
      engine
          .alpha
          .streams(text("a"), clockCall(0), usage(1, 1), finishedWithCalls())
          .alwaysRefuses(failure(FailureKind.CONTENT_POLICY, 400, -1));
      drain(answered(engine.serve(clockRequest())));
      assertThat(engine.records.getFirst().trace())
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
  @DisplayName("continues when one of them was built for another version")
  void wrongVersion() {
    Runnable missing =
        () -> {
          throw new NoSuchMethodError("gone");
        };
    try (var engine = engine(missing)) {
      engine
          .alpha
          .streams(clockCall(0), usage(1, 1), finishedWithCalls())
          .streams(text("fine"), usage(1, 1), finished());
      List<Event> events = drain(answered(engine.serve(clockRequest())));
      assertThat(ToolLoops.textOf(events)).isEqualTo("fine");
      assertNothingLeft(engine, CallRecord.Outcome.COMPLETE);
    }
  }

  @Test
  @DisplayName("shows no call of them that was cut off in an answer that is not streamed")
  void cutOff() {
    try (var engine = engine(() -> {})) {
      var call =
          new Part.ToolCall(
              "c1", "clock", new Arguments.Value(Json.Obj.EMPTY), Json.Obj.EMPTY, null);
      engine.alpha.answers(
          new Answer(
              List.of(new Part.Text("One moment. "), call),
              StopReason.LENGTH,
              "length",
              Given.usage(1, 1),
              Dialect.CHAT,
              null));
      List<Event> events =
          drain(answered(engine.serve(clockRequest(request(ScriptedEngine.MODEL, "t?")))));
      var answer = ((Event.CompleteAnswer) events.getLast()).answer();
      assertThat(answer.parts()).singleElement().isInstanceOf(Part.Text.class);
      assertThat(answer.stopReason()).isEqualTo(StopReason.LENGTH);
    }
  }
}
