package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What every {@link ServerTool} owes the engine: it describes itself, and whatever a model says to
 * it, it gives JSON or a failure the model can read. An author extends this class and gives his
 * tool.
 *
 * <pre>{@code
 * class OurLookupContractTest extends ServerToolContract {
 *   @Override protected ServerTool tool() { return new OurLookup(index); }
 * }
 * }</pre>
 */
public abstract class ServerToolContract {
  private static final List<Json> ODD =
      List.of(
          Json.NULL,
          Json.TRUE,
          Json.of(-1),
          Json.of(""),
          Json.of("\u0000\ud800 odd"),
          Json.of("long".repeat(10_000)),
          Json.array(Json.NULL),
          Json.Obj.EMPTY);

  /** A new tool, as a host would make it. */
  protected abstract ServerTool tool();

  /** What requests declare it with; valid by the contract. None is always among those tried. */
  protected List<Json.Obj> parameters() {
    return List.of();
  }

  /** What models call it with and what works. */
  protected List<Json.Obj> calls() {
    return List.of();
  }

  /** What its own calls of models are answered with; nothing is called by default. */
  protected FakeChain chain() {
    return new FakeChain(
        request -> {
          throw new AssertionError("calls a model: override chain()");
        });
  }

  /** Whether it talks to others over the network; says false. */
  protected boolean usesNetwork() {
    return false;
  }

  /** Whether it reads or writes files; says false. */
  protected boolean usesFiles() {
    return false;
  }

  private Set<ForbiddenUse> permitted() {
    var permitted = EnumSet.noneOf(ForbiddenUse.class);
    if (usesNetwork()) {
      permitted.add(ForbiddenUse.NETWORK);
    }
    if (usesFiles()) {
      permitted.add(ForbiddenUse.FILES);
    }
    return permitted;
  }

  /** The result; null when the tool said that it failed. */
  private @Nullable Json run(Json.Obj arguments, Json.Obj parameters) {
    FakeChain chain = chain();
    Json result = null;
    try {
      result = tool().run(new ServerTool.Invocation(arguments, parameters), chain);
      assertThat(result).as("the result of %s", arguments).isNotNull();
    } catch (ServerTool.ToolFailure failure) {
      assertThat(failure.getMessage()).as("what the model reads").isNotBlank();
    }
    chain.assertUsedWell();
    return result;
  }

  private List<Json.Obj> declared() {
    var declared = new ArrayList<Json.Obj>();
    declared.add(Json.Obj.EMPTY);
    declared.addAll(parameters());
    return declared;
  }

  @Test
  @DisplayName("it describes itself, always the same")
  void spec() {
    ServerTool tool = tool();
    assertThat(tool.spec()).isEqualTo(tool.spec()).isEqualTo(tool().spec());
    assertThat(tool.spec().type()).matches("[A-Za-z0-9_-]+:[A-Za-z0-9_.-]+");
    assertThat(tool.spec().description()).isNotBlank();
    assertThat(tool.spec().parameters().text("type")).isEqualTo("object");
  }

  @Test
  @DisplayName("a call that works gives JSON, and the same again")
  void works() {
    for (Json.Obj parameters : declared()) {
      for (Json.Obj call : calls()) {
        Json result = run(call, parameters);
        assertThat(result).as("%s", call).isNotNull();
        assertThat(run(call, parameters)).isEqualTo(result);
      }
    }
  }

  @Test
  @DisplayName("a call without arguments gives JSON or says what is missing")
  void withoutArguments() {
    for (Json.Obj parameters : declared()) {
      run(Json.Obj.EMPTY, parameters);
    }
  }

  @Test
  @DisplayName("whatever a model says for an argument gives JSON or a failure")
  void odd() {
    Json.Obj schema = tool().spec().parameters();
    Json.Obj properties = Objects.requireNonNullElse(schema.object("properties"), Json.Obj.EMPTY);
    for (Json.Obj parameters : declared()) {
      for (Json odd : ODD) {
        run(Json.object().put("nobody_knows_this", odd).build(), parameters);
        for (int i = 0; i < properties.size(); i++) {
          run(Json.object().put(properties.name(i), odd).build(), parameters);
        }
      }
    }
  }

  @Test
  @DisplayName("a failure of what it calls is no exception")
  void failingChain() {
    for (Json.Obj call : calls()) {
      var chain = new FakeChain(request -> EventStream.of(List.of(failed())));
      try {
        assertThat(tool().run(new ServerTool.Invocation(call, Json.Obj.EMPTY), chain)).isNotNull();
      } catch (ServerTool.ToolFailure failure) {
        assertThat(failure.getMessage()).isNotBlank();
      }
      chain.assertUsedWell();
    }
  }

  private static Event failed() {
    return Event.Failed.upstream(Given.failure(FailureKind.OVERLOADED));
  }

  @Test
  @DisplayName("its code has no clock, randomness, threads or static state of its own")
  void code() {
    for (PluginCode code : PluginCode.of(tool())) {
      code.assertFree(permitted());
    }
  }

  @Test
  @DisplayName("it leaves no thread behind, platform or virtual")
  void threads() throws InterruptedException {
    LeftThreads.assertNone(
        PluginCode.of(tool()),
        () -> {
          run(Json.Obj.EMPTY, Json.Obj.EMPTY);
          calls().forEach(call -> run(call, Json.Obj.EMPTY));
          return null;
        });
  }
}
