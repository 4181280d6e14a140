package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.settled;
import static io.strowger.core.pipeline.Loops.asking;
import static io.strowger.core.pipeline.Loops.call;
import static io.strowger.core.pipeline.Loops.calls;
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

@DisplayName("Arguments a model writes for a tool of the gateway")
class ToolArgumentsTest {
  private static final Problem ZONE =
      new Problem(JsonPointer.ROOT.child("zone"), "must be a string", "7");
  private static final Problem MORE =
      new Problem(JsonPointer.ROOT.child("more"), "is not allowed here", "");

  private final Loops.Clock clock = new Loops.Clock();

  private static String told(ScriptedEngine engine) {
    var result =
        (Part.ToolResult)
            engine.alpha.calls().get(1).request().messages().getLast().parts().getFirst();
    return ((Part.Text) result.content().getFirst()).text().text();
  }

  private static Event.UsageReport serve(ScriptedEngine engine) {
    engine
        .alpha
        .streams(call(0, "c", "clock", "{\"zone\":7,\"more\":1}"), usage(10, 5), calls())
        .streams(text("ok"), usage(10, 5), finished());
    List<Event> events = drain(answered(engine.serve(asking())));
    return (Event.UsageReport) events.get(events.size() - 2);
  }

  private ScriptedEngine checked(SchemaValidator validator) {
    return new ScriptedEngine(null, Loops.with(clock).schemas(validator));
  }

  @Test
  @DisplayName("that do not fit its schema go back to it with all problems, and run nothing")
  void misfit() {
    try (var engine = checked((schema, value) -> new Verdict.Invalid(List.of(ZONE, MORE)))) {
      Event.UsageReport report = serve(engine);
      assertThat(clock.asked).isEmpty();
      assertThat(told(engine))
          .isEqualTo(
              "{\"error\":\"The arguments do not fit the schema of the tool.\",\"problems\":"
                  + "[\"/zone: must be a string, was 7\",\"/more: is not allowed here\"]}");
      assertThat(report.usage().toolCallsRequested()).isEqualTo(1);
      assertThat(report.usage().toolCallsExecuted()).isZero();
      assertThat(engine.balance()).isEqualTo(settled(30_000));
    }
  }

  @Test
  @DisplayName("are checked against the schema that the tool describes itself with")
  void schema() {
    try (var engine =
        checked(
            (schema, value) -> {
              assertThat(schema).isEqualTo(clock.spec().parameters());
              assertThat(value).isEqualTo(Json.object().put("zone", 7).put("more", 1).build());
              return new Verdict.Valid();
            })) {
      serve(engine);
      assertThat(clock.asked).hasSize(1);
      assertThat(clock.asked.getFirst().request().messages()).hasSize(1);
      assertThat(clock.asked.getFirst().request().tools()).isEqualTo(asking().tools());
    }
  }

  @Test
  @DisplayName("run it unchecked when its schema is unusable, which the trace says")
  void unusable() {
    try (var engine = checked((schema, value) -> new Verdict.UnusableSchema("is malformed"))) {
      serve(engine);
      assertThat(clock.asked).hasSize(1);
      assertThat(engine.records.getFirst().trace())
          .anyMatch(
              entry ->
                  entry instanceof TraceEntry.Note note
                      && note.text().contains("router:clock are not checked: the schema is malf"));
    }
  }

  @Test
  @DisplayName("cost the caller nothing more when the check itself breaks: the model reads that")
  void broken() {
    try (var engine =
        checked(
            (schema, value) -> {
              throw new IllegalStateException("secret of the house");
            })) {
      serve(engine);
      assertThat(clock.asked).isEmpty();
      assertThat(told(engine)).isEqualTo("{\"error\":\"The tool failed.\"}");
      assertThat(engine.balance()).isEqualTo(settled(30_000));
    }
  }

  @Test
  @DisplayName("are checked by one validator: two are a fault of the host")
  void twice() {
    SchemaValidator fits = (schema, value) -> new Verdict.Valid();
    Assertions.assertThatThrownBy(
            () -> PluginRegistry.of(Plugins.none().schemas(fits).schemas(fits)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("two validators of JSON Schemas");
  }

  /** Gives what it is told to. */
  private record Giving(Supplier<@Nullable Json> result) implements ServerTool {
    @Override
    public Spec spec() {
      return new Spec(Loops.CLOCK, "gives", Json.object().put("type", "object").build());
    }

    @Override
    @SuppressWarnings("NullAway") // a broken tool
    public Json run(Invocation call, Interceptor.Chain chain) {
      return result.get();
    }
  }

  @Test
  @DisplayName("get the reason when the tool gives nothing, too much or breaks, as the trace does")
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

  private static void badResult(Supplier<@Nullable Json> result, String read, String traced) {
    try (var engine = new ScriptedEngine(null, Loops.with(new Giving(result)))) {
      serve(engine);
      assertThat(told(engine)).isEqualTo(read);
      assertThat(engine.records.getFirst().trace())
          .anyMatch(
              entry ->
                  entry instanceof TraceEntry.Note note
                      && note.text().equals("the tool router:clock " + traced));
      assertThat(engine.balance()).isEqualTo(settled(30_000));
    }
  }
}
