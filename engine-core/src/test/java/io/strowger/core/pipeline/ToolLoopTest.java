package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.settled;
import static io.strowger.core.pipeline.Loops.asking;
import static io.strowger.core.pipeline.Loops.call;
import static io.strowger.core.pipeline.Loops.calls;
import static io.strowger.core.pipeline.Loops.clock;
import static io.strowger.core.pipeline.Loops.json;
import static io.strowger.core.pipeline.Loops.said;
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

@DisplayName("A request with a tool the gateway runs")
class ToolLoopTest {
  private final Loops.Clock clock = new Loops.Clock();

  private ScriptedEngine exchange() {
    return new ScriptedEngine(null, Loops.with(clock));
  }

  private static InferenceRequest sent(ScriptedEngine exchange, int turn) {
    return exchange.alpha.calls().get(turn).request();
  }

  @Nested
  @DisplayName("in its turns")
  class Turns {
    @Test
    @DisplayName("is offered to the model as a function, in its place among the others")
    void offered() {
      try (var exchange = exchange()) {
        exchange.alpha.streams(started(), text("hi"), finished());
        drain(answered(exchange.serve(asking())));
        assertThat(sent(exchange, 0).tools())
            .extracting(tool -> ((Tool.Function) tool).name())
            .containsExactly("clock", "lookup");
      }
    }

    @Test
    @DisplayName("hands on what the model says between them, and nothing of the calls")
    void streamed() {
      try (var exchange = exchange()) {
        exchange
            .alpha
            .streams(started(), text("Let me see. "), clock(0), usage(10, 5), calls())
            .streams(started(), text("It is noon."), usage(20, 7), finished());
        List<Event> events = drain(answered(exchange.serve(asking())));
        assertThat(said(events)).isEqualTo("Let me see. It is noon.");
        assertThat(events).noneMatch(event -> event instanceof Event.ToolCallDelta);
        assertThat(events).filteredOn(event -> event instanceof Event.Started).hasSize(1);
        assertThat(events.getLast()).isEqualTo(new Event.Finished(StopReason.END, null, null));
        assertThat(clock.asked.getFirst().parameters()).isEqualTo(json("{'zone':'UTC'}"));
      }
    }

    @Proves("plugins.loop.loop")
    @Test
    @DisplayName("gives the model its calls and their results in the next one")
    void results() {
      try (var exchange = exchange()) {
        exchange
            .alpha
            .streams(text("Hm."), clock(0), call(1, "b", "clock", "{\"fail\":1}"), calls())
            .streams(text("done"), finished());
        drain(answered(exchange.serve(asking())));
        List<Message> messages = sent(exchange, 1).messages();
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
      try (var exchange = exchange()) {
        exchange
            .alpha
            .streams(text("a"), clock(0), usage(10, 5), calls())
            .streams(text("b"), usage(20, 7), finished());
        Reply.Answered reply = answered(exchange.serve(asking()));
        List<Event> events = drain(reply);
        var report = (Event.UsageReport) events.get(events.size() - 2);
        assertThat(report.usage().promptTokens()).isEqualTo(30);
        assertThat(report.usage().completionTokens()).isEqualTo(12);
        assertThat(report.usage().toolCallsRequested()).isEqualTo(1);
        assertThat(report.usage().toolCallsExecuted()).isEqualTo(1);
        assertThat(Objects.requireNonNull(reply.answer().bill()).total().nanos()).isEqualTo(42_000);
        assertThat(exchange.balance()).isEqualTo(settled(42_000));
        assertThat(exchange.records).hasSize(1);
        CallRecord record = exchange.records.getFirst();
        assertThat(record.billLines()).hasSize(2);
        assertThat(record.cost().nanos()).isEqualTo(42_000);
        assertThat(record.trace())
            .anyMatch(e -> e instanceof TraceEntry.Stage s && s.type().equals("server_tools"));
      }
    }

    @Test
    @DisplayName("prefers who served the first turn, whatever the draw says")
    void sameEndpoint() {
      try (var exchange = exchange()) {
        exchange.alpha.refuses(failure(FailureKind.UNAVAILABLE));
        exchange
            .beta
            .streams(clock(0), calls())
            .streams(clock(0), calls())
            .streams(text("x"), finished());
        InferenceRequest drawn = asking().toBuilder().preferences(ProviderPreferences.NONE).build();
        drain(answered(exchange.serve(drawn)));
        assertThat(exchange.alpha.calls()).hasSize(1);
        assertThat(exchange.beta.calls()).hasSize(3);
      }
    }

    @Test
    @DisplayName("ends in the stream when a later one fails, and what was said is paid")
    void laterFailure() {
      try (var exchange = exchange()) {
        exchange
            .alpha
            .streams(text("a"), clock(0), usage(10, 5), calls())
            .alwaysRefuses(failure(FailureKind.CONTENT_POLICY, 400, -1));
        List<Event> events = drain(answered(exchange.serve(asking())));
        assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
        assertThat(((Event.Failed) events.getLast()).code())
            .isEqualTo(ErrorCode.CONTENT_POLICY_VIOLATION);
        assertThat(exchange.balance()).isEqualTo(settled(15_000));
        assertThat(exchange.records.getFirst().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
      }
    }

    @Test
    @DisplayName("comes whole when it was asked for whole: all that was said, without the calls")
    void whole() {
      try (var exchange = exchange()) {
        var call =
            new Part.ToolCall(
                "c1", "clock", new Arguments.Value(Json.Obj.EMPTY), Json.Obj.EMPTY, null);
        exchange
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
            drain(answered(exchange.serve(asking(request(ScriptedEngine.MODEL, "time?")))));
        var answer = ((Event.CompleteAnswer) events.getLast()).answer();
        assertThat(answer.parts())
            .extracting(part -> ((Part.Text) part).text().text())
            .containsExactly("One moment. ", "Noon.");
        assertThat(answer.source()).isNull();
        assertThat(Objects.requireNonNull(answer.usage()).toolCallsExecuted()).isEqualTo(1);
      }
    }

    @Test
    @DisplayName("closes every turn and gives all money back when the caller leaves between two")
    void callerLeaves() {
      try (var exchange = exchange()) {
        exchange
            .alpha
            .streams(text("a"), clock(0), usage(1, 1), calls())
            .streams(text("b"), text("c"));
        Reply.Answered reply = answered(exchange.serve(asking()));
        assertThat(reply.answer().next()).isNotNull();
        reply.answer().next();
        reply.answer().close();
        assertThat(exchange.balance().held().nanos()).isZero();
        assertThat(exchange.records).hasSize(1);
        assertThat(exchange.underWay()).isZero();
      }
    }
  }

  @Nested
  @DisplayName("beside calls of the caller's")
  class Mixed {
    @Proves({"plugins.loop.loop", "plugins.loop.SL-5"})
    @Test
    @DisplayName("SL-5: is run, and the caller's call ends the answer")
    void mixed() {
      try (var exchange = exchange()) {
        exchange.alpha.streams(
            clock(0), call(1, "mine", "lookup", "{\"q\":"), call(1, null, null, "1}"), calls());
        List<Event> events = drain(answered(exchange.serve(asking())));
        assertThat(exchange.alpha.calls()).hasSize(1);
        assertThat(clock.asked).hasSize(1);
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
                  assertThat(run.tool()).isEqualTo(Loops.CLOCK);
                  assertThat(run.result()).isEqualTo(json("{'now':'12:01'}"));
                });
        assertThat(((Event.Finished) events.getLast()).reason()).isEqualTo(StopReason.TOOL_CALLS);
      }
    }

    @Proves("open.61")
    @Test
    @DisplayName("comes back with the caller's next request as the call and the result it was")
    void replayed() {
      try (var exchange = exchange()) {
        exchange.alpha.streams(text("x"), finished());
        var run =
            new Part.ServerToolRun(
                "call_0", Loops.CLOCK, new Arguments.Value(Json.Obj.EMPTY), Json.of("noon"), null);
        var mine =
            new Part.ToolCall(
                "mine", "lookup", new Arguments.Value(Json.Obj.EMPTY), Json.Obj.EMPTY, null);
        InferenceRequest first = asking();
        InferenceRequest next =
            first.toBuilder()
                .messages(
                    List.of(
                        first.messages().getFirst(),
                        new Message(
                            Message.Role.ASSISTANT,
                            List.of(run, mine),
                            Message.ContentForm.NULL,
                            Json.Obj.EMPTY,
                            null)))
                .build();
        drain(answered(exchange.serve(next)));
        List<Message> messages = sent(exchange, 0).messages();
        assertThat(messages.get(1).parts())
            .extracting(part -> ((Part.ToolCall) part).name())
            .containsExactly("clock", "lookup");
        var result = (Part.ToolResult) messages.get(2).parts().getFirst();
        assertThat(result.callId()).isEqualTo("call_0");
      }
    }

    @Test
    @DisplayName("is named apart from a function of the caller's that has its name")
    void clash() {
      try (var exchange = exchange()) {
        exchange.alpha.streams(call(0, "a", "clock", "{}"), calls());
        InferenceRequest clashing =
            asking().toBuilder()
                .tools(
                    List.of(
                        new Tool.Function("clock", null, null, Json.Obj.EMPTY, null),
                        new Tool.Server(Loops.CLOCK, Json.Obj.EMPTY, null)))
                .build();
        List<Event> events = drain(answered(exchange.serve(clashing)));
        assertThat(clock.asked).isEmpty();
        assertThat(events).anyMatch(event -> event instanceof Event.ToolCallDelta);
        assertThat(((Tool.Function) sent(exchange, 0).tools().get(1)).name())
            .isEqualTo("router_clock");
      }
    }
  }

  @Test
  @DisplayName("asks for the tool only once when the caller requires it")
  void required() {
    try (var exchange = exchange()) {
      exchange.alpha.streams(clock(0), calls()).streams(text("x"), finished());
      drain(answered(exchange.serve(asking("tool_choice", "{'type':'router:clock'}"))));
      assertThat(sent(exchange, 0).member("tool_choice"))
          .isEqualTo(json("{'type':'function','function':{'name':'clock'}}"));
      assertThat(sent(exchange, 1).member("tool_choice")).isNull();
    }
  }

  @Test
  @DisplayName("reads malformed arguments as the model's mistake, and a broken tool as ours")
  void mistakes() {
    try (var exchange = exchange()) {
      exchange
          .alpha
          .streams(call(0, "a", "clock", "{oops}"), call(1, "b", "clock", ""), calls())
          .streams(text("x"), finished());
      drain(answered(exchange.serve(asking())));
      assertThat(clock.asked).hasSize(1);
      var first = (Part.ToolResult) sent(exchange, 1).messages().get(2).parts().getFirst();
      assertThat(((Part.Text) first.content().getFirst()).text().text()).contains("no JSON object");
      assertThat(first.isError()).isTrue();
    }
  }
}
