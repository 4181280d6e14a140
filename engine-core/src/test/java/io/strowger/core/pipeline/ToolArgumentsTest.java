package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.settled;
import static io.strowger.core.pipeline.ToolLoops.clockRequest;
import static io.strowger.core.pipeline.ToolLoops.finishedWithCalls;
import static io.strowger.core.pipeline.ToolLoops.toolCall;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.Plugins;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.SchemaValidator.Verdict;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import java.util.function.Supplier;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The arguments that a model writes for a tool of the gateway")
class ToolArgumentsTest {
  private static final Problem INVALID_ZONE =
      new Problem(JsonPointer.ROOT.child("zone"), "must be a string", "7");
  private static final Problem UNKNOWN_MEMBER =
      new Problem(JsonPointer.ROOT.child("more"), "is not allowed here", "");

  private final ToolLoops.ClockTool clock = new ToolLoops.ClockTool();

  private static String toolResult(ScriptedEngine engine) {
    var result =
        (Part.ToolResult)
            engine.alpha.calls().get(1).request().messages().getLast().parts().getFirst();
    return ((Part.Text) result.content().getFirst()).text().text();
  }

  private static Event.UsageReport serveWithToolCall(ScriptedEngine engine) {
    engine
        .alpha
        .streams(
            toolCall(0, "c", "clock", "{\"zone\":7,\"more\":1}"), usage(10, 5), finishedWithCalls())
        .streams(text("ok"), usage(10, 5), finished());
    List<Event> events = drain(answered(engine.serve(clockRequest())));
    return (Event.UsageReport) events.get(events.size() - 2);
  }

  private ScriptedEngine engineWith(SchemaValidator validator) {
    return new ScriptedEngine(null, ToolLoops.pluginsWith(clock).schemas(validator));
  }

  @Test
  @DisplayName(
      "are returned to the model with all problems when they do not fit the schema, and the tool"
          + " is not run")
  void misfit() {
    try (var engine =
        engineWith((schema, value) -> new Verdict.Invalid(List.of(INVALID_ZONE, UNKNOWN_MEMBER)))) {
      Event.UsageReport report = serveWithToolCall(engine);
      assertThat(clock.invocations).isEmpty();
      assertThat(toolResult(engine))
          .isEqualTo(
              "{\"error\":\"The arguments do not fit the schema of the tool.\",\"problems\":"
                  + "[\"/zone: must be a string, was 7\",\"/more: is not allowed here\"]}");
      assertThat(report.usage().toolCallsRequested()).isEqualTo(1);
      assertThat(report.usage().toolCallsExecuted()).isZero();
      assertThat(engine.balance()).isEqualTo(settled(30_000));
    }
  }

  @Test
  @DisplayName("are checked against the schema in the tool's own description")
  void schema() {
    try (var engine =
        engineWith(
            (schema, value) -> {
              assertThat(schema).isEqualTo(clock.spec().parameters());
              assertThat(value).isEqualTo(Json.object().put("zone", 7).put("more", 1).build());
              return new Verdict.Valid();
            })) {
      serveWithToolCall(engine);
      assertThat(clock.invocations).hasSize(1);
      assertThat(clock.invocations.getFirst().request().messages()).hasSize(1);
      assertThat(clock.invocations.getFirst().request().tools()).isEqualTo(clockRequest().tools());
    }
  }

  @Test
  @DisplayName("are passed on unchecked when the schema is unusable, which the trace reports")
  void unusable() {
    try (var engine = engineWith((schema, value) -> new Verdict.UnusableSchema("is malformed"))) {
      serveWithToolCall(engine);
      assertThat(clock.invocations).hasSize(1);
      assertThat(engine.records.getFirst().trace())
          .anyMatch(
              entry ->
                  entry instanceof TraceEntry.Note note
                      && note.text().contains("router:clock are not checked: the schema is malf"));
    }
  }

  @Test
  @DisplayName(
      "cost the caller nothing more when the check itself fails, and the model receives an error")
  void broken() {
    try (var engine =
        engineWith(
            (schema, value) -> {
              throw new IllegalStateException("secret of the house");
            })) {
      serveWithToolCall(engine);
      assertThat(clock.invocations).isEmpty();
      assertThat(toolResult(engine)).isEqualTo("{\"error\":\"The tool failed.\"}");
      assertThat(engine.balance()).isEqualTo(settled(30_000));
    }
  }

  @Test
  @DisplayName("are checked by one validator; to configure two is an error of the host")
  void twice() {
    SchemaValidator fits = (schema, value) -> new Verdict.Valid();
    Assertions.assertThatThrownBy(
            () -> PluginRegistry.of(Plugins.none().schemas(fits).schemas(fits)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("two validators of JSON Schemas");
  }

  /** A tool that returns this result. */
  private record ReturningTool(Supplier<@Nullable Json> result) implements ServerTool {
    @Override
    public Spec spec() {
      return new Spec(ToolLoops.CLOCK, "gives", Json.object().put("type", "object").build());
    }

    @Override
    @SuppressWarnings("NullAway") // a broken tool
    public Json run(Invocation call, Interceptor.Chain chain) {
      return result.get();
    }
  }

  @Test
  @DisplayName(
      "are answered with the reason, which is also in the trace, when the tool returns nothing or"
          + " too much, or fails")
  void badResults() {
    badResult(() -> null, "{\"error\":\"The tool returned nothing.\"}", "returned nothing");
    badResult(
        () -> Json.of("x".repeat(2 << 20)),
        "{\"error\":\"The tool returned more than a model can read.\"}",
        "returned more than 1048576 bytes");
    badResult(
        () -> {
          throw new StackOverflowError("at secret.Place");
        },
        "{\"error\":\"The tool failed.\"}",
        "failed");
  }

  private static void badResult(
      Supplier<@Nullable Json> result, String expectedResult, String expectedNote) {
    try (var engine = new ScriptedEngine(null, ToolLoops.pluginsWith(new ReturningTool(result)))) {
      serveWithToolCall(engine);
      assertThat(toolResult(engine)).isEqualTo(expectedResult);
      assertThat(engine.records.getFirst().trace())
          .anyMatch(
              entry ->
                  entry instanceof TraceEntry.Note note
                      && note.text().equals("the tool router:clock " + expectedNote));
      assertThat(engine.balance()).isEqualTo(settled(30_000));
    }
  }
}
