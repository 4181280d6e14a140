package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.settled;
import static io.strowger.core.pipeline.ToolLoops.clockCall;
import static io.strowger.core.pipeline.ToolLoops.clockRequest;
import static io.strowger.core.pipeline.ToolLoops.finishedWithCalls;
import static io.strowger.core.pipeline.ToolLoops.json;
import static io.strowger.core.pipeline.ToolLoops.textOf;
import static io.strowger.core.pipeline.ToolLoops.toolCall;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Given.request;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.started;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Reply;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Tool;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A request with a tool that the gateway runs,")
class ToolLoopTest {
  private final ToolLoops.ClockTool clock = new ToolLoops.ClockTool();

  private ScriptedEngine engine() {
    return new ScriptedEngine(null, ToolLoops.pluginsWith(clock));
  }

  private static InferenceRequest sent(ScriptedEngine engine, int turn) {
    return engine.alpha.calls().get(turn).request();
  }

  @Nested
  @DisplayName("in its turns,")
  class Turns {
    @Test
    @DisplayName("offers the tool to the model as a function, at its position among the others")
    void offered() {
      try (var engine = engine()) {
        engine.alpha.streams(started(), text("hi"), finished());
        drain(answered(engine.serve(clockRequest())));
        assertThat(sent(engine, 0).tools())
            .extracting(tool -> ((Tool.Function) tool).name())
            .containsExactly("clock", "lookup");
      }
    }

    @Test
    @DisplayName("passes on the text of the model between them, but not its calls")
    void streamed() {
      try (var engine = engine()) {
        engine
            .alpha
            .streams(
                started(), text("Let me see. "), clockCall(0), usage(10, 5), finishedWithCalls())
            .streams(started(), text("It is noon."), usage(20, 7), finished());
        List<Event> events = drain(answered(engine.serve(clockRequest())));
        assertThat(textOf(events)).isEqualTo("Let me see. It is noon.");
        assertThat(events).noneMatch(event -> event instanceof Event.ToolCallDelta);
        assertThat(events).filteredOn(event -> event instanceof Event.Started).hasSize(1);
        assertThat(events.getLast()).isEqualTo(new Event.Finished(StopReason.END, null, null));
        assertThat(clock.invocations.getFirst().parameters()).isEqualTo(json("{'zone':'UTC'}"));
      }
    }

    @Proves("plugins.loop.loop")
    @Test
    @DisplayName("sends the model its calls and their results in the next turn")
    void results() {
      try (var engine = engine()) {
        engine
            .alpha
            .streams(
                text("Hm."),
                clockCall(0),
                toolCall(1, "b", "clock", "{\"fail\":1}"),
                finishedWithCalls())
            .streams(text("done"), finished());
        drain(answered(engine.serve(clockRequest())));
        List<Message> messages = sent(engine, 1).messages();
        assertThat(messages).hasSize(4);
        assertThat(messages.get(1).role()).isEqualTo(Message.Role.ASSISTANT);
        assertThat(messages.get(1).parts())
            .extracting(part -> part.getClass().getSimpleName())
            .containsExactly("Text", "ToolCall", "ToolCall");
        assertThat(result(messages.get(2))).isEqualTo("{\"now\":\"12:01\"}");
        assertThat(result(messages.get(3))).isEqualTo("{\"error\":\"the clock stands still\"}");
      }
    }

    private String result(Message message) {
      var result = (Part.ToolResult) message.parts().getFirst();
      return ((Part.Text) result.content().getFirst()).text().text();
    }

    @Proves("plugins.loop.last-turn")
    @Test
    @DisplayName("is billed as one: usage and money summed, calls counted, one record")
    void billed() {
      try (var engine = engine()) {
        engine
            .alpha
            .streams(text("a"), clockCall(0), usage(10, 5), finishedWithCalls())
            .streams(text("b"), usage(20, 7), finished());
        Reply.Answered reply = answered(engine.serve(clockRequest()));
        List<Event> events = drain(reply);
        var report = (Event.UsageReport) events.get(events.size() - 2);
        assertThat(report.usage().promptTokens()).isEqualTo(30);
        assertThat(report.usage().completionTokens()).isEqualTo(12);
        assertThat(report.usage().toolCallsRequested()).isEqualTo(1);
        assertThat(report.usage().toolCallsExecuted()).isEqualTo(1);
        assertThat(Objects.requireNonNull(reply.answer().bill()).total().nanos()).isEqualTo(42_000);
        assertThat(engine.balance()).isEqualTo(settled(42_000));
        assertThat(engine.records).hasSize(1);
        CallRecord record = engine.records.getFirst();
        assertThat(record.billLines()).hasSize(2);
        assertThat(record.cost().nanos()).isEqualTo(42_000);
        assertThat(record.trace())
            .anyMatch(e -> e instanceof TraceEntry.Stage s && s.type().equals("server_tools"));
      }
    }

    @Test
    @DisplayName("prefers the endpoint that served the first turn, whatever the draw")
    void sameEndpoint() {
      try (var engine = engine()) {
        engine.alpha.refuses(failure(FailureKind.UNAVAILABLE));
        engine
            .beta
            .streams(clockCall(0), finishedWithCalls())
            .streams(clockCall(0), finishedWithCalls())
            .streams(text("x"), finished());
        InferenceRequest drawn =
            clockRequest().toBuilder().preferences(ProviderPreferences.NONE).build();
        drain(answered(engine.serve(drawn)));
        assertThat(engine.alpha.calls()).hasSize(1);
        assertThat(engine.beta.calls()).hasSize(3);
      }
    }

    @Test
    @DisplayName(
        "ends with an error in the stream when a later turn fails, and the delivered content is"
            + " paid")
    void laterFailure() {
      try (var engine = engine()) {
        engine
            .alpha
            .streams(text("a"), clockCall(0), usage(10, 5), finishedWithCalls())
            .alwaysRefuses(failure(FailureKind.CONTENT_POLICY, 400, -1));
        List<Event> events = drain(answered(engine.serve(clockRequest())));
        assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
        assertThat(((Event.Failed) events.getLast()).code())
            .isEqualTo(ErrorCode.CONTENT_POLICY_VIOLATION);
        assertThat(engine.balance()).isEqualTo(settled(15_000));
        assertThat(engine.records.getFirst().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
      }
    }

    @Test
    @DisplayName("is answered with all text, without the calls, when it is not streamed")
    void unstreamed() {
      try (var engine = engine()) {
        var call =
            new Part.ToolCall(
                "c1", "clock", new Arguments.Value(Json.Obj.EMPTY), Json.Obj.EMPTY, null);
        engine
            .alpha
            .answers(
                new Answer(
                    List.of(new Part.Text("One moment. "), call),
                    StopReason.TOOL_CALLS,
                    "tool_calls",
                    Given.usage(1, 1),
                    Dialect.CHAT,
                    null))
            .answers(Given.answer("Noon."));
        List<Event> events =
            drain(answered(engine.serve(clockRequest(request(ScriptedEngine.MODEL, "time?")))));
        var answer = ((Event.CompleteAnswer) events.getLast()).answer();
        assertThat(answer.parts())
            .extracting(part -> ((Part.Text) part).text().text())
            .containsExactly("One moment. ", "Noon.");
        assertThat(answer.source()).isNull();
        assertThat(Objects.requireNonNull(answer.usage()).toolCallsExecuted()).isEqualTo(1);
      }
    }

    @Test
    @DisplayName(
        "closes every turn and releases all money when the caller closes the answer between two")
    void callerLeaves() {
      try (var engine = engine()) {
        engine
            .alpha
            .streams(text("a"), clockCall(0), usage(1, 1), finishedWithCalls())
            .streams(text("b"), text("c"));
        Reply.Answered reply = answered(engine.serve(clockRequest()));
        assertThat(reply.answer().next()).isNotNull();
        reply.answer().next();
        reply.answer().close();
        assertThat(engine.balance().held().nanos()).isZero();
        assertThat(engine.records).hasSize(1);
        assertThat(engine.callsInProgress()).isZero();
      }
    }
  }

  @Nested
  @DisplayName("beside functions of the caller,")
  class Mixed {
    @Proves({"plugins.loop.loop", "plugins.loop.SL-5"})
    @Test
    @DisplayName("SL-5: runs the tool, and the call of the caller's function ends the answer")
    void mixed() {
      try (var engine = engine()) {
        engine.alpha.streams(
            clockCall(0),
            toolCall(1, "mine", "lookup", "{\"q\":"),
            toolCall(1, null, null, "1}"),
            finishedWithCalls());
        List<Event> events = drain(answered(engine.serve(clockRequest())));
        assertThat(engine.alpha.calls()).hasSize(1);
        assertThat(clock.invocations).hasSize(1);
        assertThat(events)
            .filteredOn(event -> event instanceof Event.ToolCallDelta)
            .containsExactly(
                new Event.ToolCallDelta(0, "mine", "lookup", Json.of("{\"q\":"), null),
                new Event.ToolCallDelta(0, null, null, Json.of("1}"), null));
        assertThat(events)
            .filteredOn(event -> event instanceof Event.ServerToolRun)
            .singleElement()
            .satisfies(
                event -> {
                  var run = ((Event.ServerToolRun) event).run();
                  assertThat(run.tool()).isEqualTo(ToolLoops.CLOCK);
                  assertThat(run.result()).isEqualTo(json("{'now':'12:01'}"));
                });
        assertThat(((Event.Finished) events.getLast()).reason()).isEqualTo(StopReason.TOOL_CALLS);
      }
    }

    @Proves("open.61")
    @Test
    @DisplayName("sends the model a run in the caller's next request as a call and its result")
    void replayed() {
      try (var engine = engine()) {
        engine.alpha.streams(text("x"), finished());
        var run =
            new Part.ServerToolRun(
                "call_0",
                ToolLoops.CLOCK,
                new Arguments.Value(Json.Obj.EMPTY),
                Json.of("noon"),
                null);
        var callerCall =
            new Part.ToolCall(
                "mine", "lookup", new Arguments.Value(Json.Obj.EMPTY), Json.Obj.EMPTY, null);
        InferenceRequest first = clockRequest();
        InferenceRequest next =
            first.toBuilder()
                .messages(
                    List.of(
                        first.messages().getFirst(),
                        new Message(
                            Message.Role.ASSISTANT,
                            List.of(run, callerCall),
                            Message.ContentForm.NULL,
                            Json.Obj.EMPTY,
                            null)))
                .build();
        drain(answered(engine.serve(next)));
        List<Message> messages = sent(engine, 0).messages();
        assertThat(messages.get(1).parts())
            .extracting(part -> ((Part.ToolCall) part).name())
            .containsExactly("clock", "lookup");
        var result = (Part.ToolResult) messages.get(2).parts().getFirst();
        assertThat(result.callId()).isEqualTo("call_0");
      }
    }

    @Test
    @DisplayName("renames the tool when a function of the caller has its name")
    void clash() {
      try (var engine = engine()) {
        engine.alpha.streams(toolCall(0, "a", "clock", "{}"), finishedWithCalls());
        InferenceRequest clashing =
            clockRequest().toBuilder()
                .tools(
                    List.of(
                        new Tool.Function("clock", null, null, Json.Obj.EMPTY, null),
                        new Tool.Server(ToolLoops.CLOCK, Json.Obj.EMPTY, null)))
                .build();
        List<Event> events = drain(answered(engine.serve(clashing)));
        assertThat(clock.invocations).isEmpty();
        assertThat(events).anyMatch(event -> event instanceof Event.ToolCallDelta);
        assertThat(((Tool.Function) sent(engine, 0).tools().get(1)).name())
            .isEqualTo("router_clock");
      }
    }
  }

  @Test
  @DisplayName("requires the tool in the first turn only when the caller requires it")
  void required() {
    try (var engine = engine()) {
      engine.alpha.streams(clockCall(0), finishedWithCalls()).streams(text("x"), finished());
      drain(answered(engine.serve(clockRequest("tool_choice", "{'type':'router:clock'}"))));
      assertThat(sent(engine, 0).member("tool_choice"))
          .isEqualTo(json("{'type':'function','function':{'name':'clock'}}"));
      assertThat(sent(engine, 1).member("tool_choice")).isNull();
    }
  }

  @Test
  @DisplayName(
      "reports malformed arguments to the model, and runs the tool when the arguments are empty")
  void malformedArguments() {
    try (var engine = engine()) {
      engine
          .alpha
          .streams(
              toolCall(0, "a", "clock", "{oops}"),
              toolCall(1, "b", "clock", ""),
              finishedWithCalls())
          .streams(text("x"), finished());
      drain(answered(engine.serve(clockRequest())));
      assertThat(clock.invocations).hasSize(1);
      var first = (Part.ToolResult) sent(engine, 1).messages().get(2).parts().getFirst();
      assertThat(((Part.Text) first.content().getFirst()).text().text()).contains("no JSON object");
      assertThat(first.isError()).isTrue();
    }
  }
}
