package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Loops.asking;
import static io.strowger.core.pipeline.Loops.calls;
import static io.strowger.core.pipeline.Loops.clock;
import static io.strowger.core.pipeline.Loops.said;
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

/** Plugins fact sheet, section 12: every stop condition. */
@DisplayName("The loop over tools of the gateway stops")
class ToolLoopStopsTest {
  private final Loops.Clock clock = new Loops.Clock();

  private ScriptedEngine exchange() {
    return new ScriptedEngine(null, Loops.with(clock));
  }

  private void callsForEver(ScriptedEngine exchange) {
    exchange.alpha.always(
        call ->
            call.request().mayCallTools()
                ? List.of(clock(0), usage(10, 10), calls())
                : List.of(text("So it is noon."), usage(10, 10), finished()));
  }

  private void check(int runs, String... members) {
    try (var exchange = exchange()) {
      callsForEver(exchange);
      List<Event> events = drain(answered(exchange.serve(asking(members))));
      assertThat(clock.asked).hasSize(runs);
      List<Call> turns = exchange.alpha.calls();
      assertThat(turns).hasSize(runs + 1);
      assertThat(turns.getLast().request().mayCallTools()).isFalse();
      assertThat(turns.getLast().request().tools()).hasSize(2);
      assertThat(said(events)).isEqualTo("So it is noon.");
    }
  }

  @Proves({"plugins.loop.max_tool_calls", "plugins.loop.SL-1"})
  @Test
  @DisplayName("SL-1: after 30 calls, with an answer without tools")
  void thirty() {
    check(30);
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
    check(2, "stop_server_tools_when", "[{'type':'step_count_is','step_count':2}]");
  }

  @Proves({"plugins.loop.max_cost", "plugins.loop.SL-3"})
  @Test
  @DisplayName("SL-3: after the step in which the cost passed the limit")
  void cost() {
    // a turn costs 20,000 nanodollars
    check(
        3,
        "stop_server_tools_when",
        "[{'type':'step_count_is','step_count':10},"
            + "{'type':'max_cost','max_cost_in_dollars':0.00004}]");
  }

  @Test
  @DisplayName("by another condition, where the cost may be more than anybody can write out")
  void absurdCost() {
    check(
        2,
        "stop_server_tools_when",
        "[{'type':'max_cost','max_cost_in_dollars':1e2147483647},"
            + "{'type':'step_count_is','step_count':2}]");
  }

  @Proves({"operation.messages.stop_server_tools_when", "plugins.loop.SL-4"})
  @Test
  @DisplayName("SL-4: by the condition, which overrides max_tool_calls")
  void overrides() {
    check(
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
    check(1, "max_tool_calls", "1");
  }

  @Proves({"plugins.loop.max_tool_calls", "open.11"})
  @Test
  @DisplayName("not later than after 30 calls, whatever the request allows")
  void clamped() {
    check(30, "max_tool_calls", "500");
  }

  @Proves({"plugins.loop.has_tool_call", "open.62"})
  @Test
  @DisplayName("when a tool of this name or type was called")
  void named() {
    check(1, "stop_server_tools_when", "[{'type':'has_tool_call','tool_name':'clock'}]");
    clock.asked.clear();
    check(1, "stop_server_tools_when", "[{'type':'has_tool_call','tool_name':'router:clock'}]");
  }

  @Proves("plugins.loop.max_tokens_used")
  @Test
  @DisplayName("when more tokens were used than the limit, not at it")
  void tokens() {
    check(3, "stop_server_tools_when", "[{'type':'max_tokens_used','max_tokens':40}]");
  }

  @Proves("plugins.loop.finish_reason_is")
  @Test
  @DisplayName("when the upstream ended a turn with this word")
  void reason() {
    check(1, "stop_server_tools_when", "[{'type':'finish_reason_is','reason':'tool_calls'}]");
  }

  @Test
  @DisplayName("runs no call beyond the limit of those a turn makes at once, and says so")
  void beyond() {
    try (var exchange = exchange()) {
      exchange.alpha.streams(clock(0), clock(1), clock(2), calls()).streams(text("x"), finished());
      drain(answered(exchange.serve(asking("max_tool_calls", "2"))));
      assertThat(clock.asked).hasSize(2);
      var last =
          (Part.ToolResult)
              exchange.alpha.calls().get(1).request().messages().getLast().parts().getFirst();
      assertThat(((Part.Text) last.content().getFirst()).text().text())
          .contains("at most 2 tool calls");
    }
  }
}
