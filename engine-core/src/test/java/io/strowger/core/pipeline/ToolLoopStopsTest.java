package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.ToolLoops.clockCall;
import static io.strowger.core.pipeline.ToolLoops.clockRequest;
import static io.strowger.core.pipeline.ToolLoops.finishedWithCalls;
import static io.strowger.core.pipeline.ToolLoops.textOf;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Call;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks every stop condition of the plugins fact sheet, section 12. */
@DisplayName("The loop over tools of the gateway stops")
class ToolLoopStopsTest {
  private final ToolLoops.ClockTool clock = new ToolLoops.ClockTool();

  private ScriptedEngine engine() {
    return new ScriptedEngine(null, ToolLoops.pluginsWith(clock));
  }

  private void callsForever(ScriptedEngine engine) {
    engine.alpha.always(
        call ->
            call.request().mayCallTools()
                ? List.of(clockCall(0), usage(10, 10), finishedWithCalls())
                : List.of(text("So it is noon."), usage(10, 10), finished()));
  }

  private void assertStops(int runs, String... members) {
    try (var engine = engine()) {
      callsForever(engine);
      List<Event> events = drain(answered(engine.serve(clockRequest(members))));
      assertThat(clock.invocations).hasSize(runs);
      List<Call> turns = engine.alpha.calls();
      assertThat(turns).hasSize(runs + 1);
      assertThat(turns.getLast().request().mayCallTools()).isFalse();
      assertThat(turns.getLast().request().tools()).hasSize(2);
      assertThat(textOf(events)).isEqualTo("So it is noon.");
    }
  }

  @Proves({"plugins.loop.max_tool_calls", "plugins.loop.SL-1"})
  @Test
  @DisplayName("SL-1: after 30 calls, with an answer without tools")
  void thirty() {
    assertStops(30);
  }

  @Proves({
    "chat.stop_server_tools_when",
    "plugins.loop.step_count_is",
    "plugins.loop.last-turn",
    "plugins.loop.SL-2"
  })
  @Test
  @DisplayName("SL-2: after two steps, when two are the condition")
  void steps() {
    assertStops(2, "stop_server_tools_when", "[{'type':'step_count_is','step_count':2}]");
  }

  @Proves({"plugins.loop.max_cost", "plugins.loop.SL-3"})
  @Test
  @DisplayName("SL-3: after the step in which the cost passed the limit")
  void cost() {
    // a turn costs 20,000 nanodollars
    assertStops(
        3,
        "stop_server_tools_when",
        "[{'type':'step_count_is','step_count':10},"
            + "{'type':'max_cost','max_cost_in_dollars':0.00004}]");
  }

  @Test
  @DisplayName("by another condition, when the cost limit is too large for an amount of money")
  void absurdCost() {
    assertStops(
        2,
        "stop_server_tools_when",
        "[{'type':'max_cost','max_cost_in_dollars':1e2147483647},"
            + "{'type':'step_count_is','step_count':2}]");
  }

  @Proves({"operation.messages.stop_server_tools_when", "plugins.loop.SL-4"})
  @Test
  @DisplayName("SL-4: by the condition, which overrides max_tool_calls")
  void overrides() {
    assertStops(
        5,
        "max_tool_calls",
        "1",
        "stop_server_tools_when",
        "[{'type':'step_count_is','step_count':5}]");
  }

  @Proves("plugins.loop.max_tool_calls")
  @Test
  @DisplayName("after as many calls as the request allows")
  void allowed() {
    assertStops(1, "max_tool_calls", "1");
  }

  @Proves({"plugins.loop.max_tool_calls", "open.11"})
  @Test
  @DisplayName("after 30 calls at the latest, whatever the request allows")
  void clamped() {
    assertStops(30, "max_tool_calls", "500");
  }

  @Proves({"plugins.loop.has_tool_call", "open.62"})
  @Test
  @DisplayName("when the tool with the given name or type was called")
  void named() {
    assertStops(1, "stop_server_tools_when", "[{'type':'has_tool_call','tool_name':'clock'}]");
    clock.invocations.clear();
    assertStops(
        1, "stop_server_tools_when", "[{'type':'has_tool_call','tool_name':'router:clock'}]");
  }

  @Proves("plugins.loop.max_tokens_used")
  @Test
  @DisplayName("when more tokens were used than the limit, not when exactly as many")
  void tokens() {
    assertStops(3, "stop_server_tools_when", "[{'type':'max_tokens_used','max_tokens':40}]");
  }

  @Proves("plugins.loop.finish_reason_is")
  @Test
  @DisplayName("when the upstream ended a turn with the given finish reason")
  void reason() {
    assertStops(1, "stop_server_tools_when", "[{'type':'finish_reason_is','reason':'tool_calls'}]");
  }

  @Test
  @DisplayName("before calls of one turn that exceed the limit, whose results say so")
  void beyond() {
    try (var engine = engine()) {
      engine
          .alpha
          .streams(clockCall(0), clockCall(1), clockCall(2), finishedWithCalls())
          .streams(text("x"), finished());
      drain(answered(engine.serve(clockRequest("max_tool_calls", "2"))));
      assertThat(clock.invocations).hasSize(2);
      var last =
          (Part.ToolResult)
              engine.alpha.calls().get(1).request().messages().getLast().parts().getFirst();
      assertThat(((Part.Text) last.content().getFirst()).text().text())
          .contains("at most 2 tool calls");
    }
  }
}
