package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link ServerTool}: a tool describes itself, and answers any arguments of a
 * model with JSON or with a failure that the model can read. The author of a tool extends this
 * class and returns the tool.
 *
 * <pre>{@code
 * class OurLookupContractTest extends ServerToolContract {
 *   @Override protected ServerTool tool() { return new OurLookup(index); }
 * }
 * }</pre>
 */
public abstract class ServerToolContract extends PluginCodeContract {
  private static final int MAX_RESULT = 1 << 20; // in bytes; more than a model could read
  private static final long PATIENCE_SECONDS = 10;
  private static final int ROUNDS = 20; // repetitions of the concurrent calls
  private static final List<Json> ODD_VALUES =
      List.of(
          Json.NULL,
          Json.TRUE,
          Json.of(-1),
          Json.of(""),
          Json.of("\u0000\ud800 odd"),
          Json.of("long".repeat(10_000)),
          Json.array(Json.NULL),
          Json.Obj.EMPTY);

  /** Creates the tool, as a host does. */
  protected abstract ServerTool tool();

  /**
   * Returns valid parameters with which requests declare the tool. The tests always try a
   * declaration without parameters, too.
   */
  protected List<Json.Obj> parameters() {
    return List.of();
  }

  /** Returns arguments with which a call of the tool succeeds. */
  protected List<Json.Obj> validArguments() {
    return List.of();
  }

  /**
   * Returns the chain that the tool is run with; by default one that fails when the tool calls a
   * model.
   */
  protected FakeChain chain() {
    return new FakeChain(
        request -> {
          throw new AssertionError("the tool calls a model: override chain()");
        });
  }

  /** Returns the request in whose answer the tool is called; by default one without tools. */
  protected InferenceRequest request() {
    return Given.request("acme/model", "Use the tool.");
  }

  private ServerTool.Invocation invocation(Json.Obj arguments, Json.Obj parameters) {
    return new ServerTool.Invocation(arguments, parameters, request());
  }

  /**
   * Returns a validator for the tool's schema, such as the one of {@code strowger-plugins-builtin};
   * null unless overridden: the test of the schema is then skipped.
   */
  protected @Nullable SchemaValidator schemaValidator() {
    return null;
  }

  @Override
  Object plugin() {
    return tool();
  }

  @Override
  void runAll(Object plugin) {
    ServerTool tool = (ServerTool) plugin;
    run(tool, Json.Obj.EMPTY, Json.Obj.EMPTY);
    validArguments().forEach(call -> run(tool, call, Json.Obj.EMPTY));
  }

  /** Returns the strings in the arguments of all calls. */
  @Override
  List<String> texts() {
    var texts = new ArrayList<String>();
    for (Json.Obj call : validArguments()) {
      for (int i = 0; i < call.size(); i++) {
        if (call.value(i) instanceof Json.Str string) {
          texts.add(string.text());
        }
      }
    }
    return texts;
  }

  /** Runs a call and returns the result; null when the tool threw a {@code ToolException}. */
  private @Nullable Json run(Json.Obj arguments, Json.Obj parameters) {
    return run(tool(), arguments, parameters);
  }

  private @Nullable Json run(ServerTool tool, Json.Obj arguments, Json.Obj parameters) {
    FakeChain chain = chain();
    Json result = null;
    try {
      result = tool.run(invocation(arguments, parameters), chain);
      assertThat(result).as("the result of %s", arguments).isNotNull();
      assertThat(result.writtenLength())
          .as("bytes of a result, which a model is to read")
          .isLessThanOrEqualTo(MAX_RESULT);
    } catch (ServerTool.ToolException failure) {
      assertThat(failure.getMessage()).as("what the model reads").isNotBlank();
    }
    chain.assertUsedCorrectly();
    return result;
  }

  private List<Json.Obj> declarations() {
    var declarations = new ArrayList<Json.Obj>();
    declarations.add(Json.Obj.EMPTY);
    declarations.addAll(parameters());
    return declarations;
  }

  @Test
  @DisplayName("spec() is complete and always the same")
  void spec() {
    ServerTool tool = tool();
    assertThat(tool.spec()).isEqualTo(tool.spec()).isEqualTo(tool().spec());
    assertThat(tool.runsInBatches()).isEqualTo(tool().runsInBatches());
    assertThat(tool.spec().type()).matches("[A-Za-z0-9_-]+:[A-Za-z0-9_.-]+");
    assertThat(tool.spec().description()).isNotBlank();
    assertThat(tool.spec().parameters().text("type")).isEqualTo("object");
  }

  @Test
  @DisplayName("a valid call returns JSON, and the same when it is repeated")
  void works() {
    for (Json.Obj parameters : declarations()) {
      for (Json.Obj call : validArguments()) {
        Json result = run(call, parameters);
        assertThat(result).as("%s", call).isNotNull();
        assertThat(run(call, parameters)).isEqualTo(result);
      }
    }
  }

  @Test
  @DisplayName("the valid arguments match the tool's schema")
  void schema() {
    SchemaValidator validator = schemaValidator();
    Json.Obj schema = tool().spec().parameters();
    for (Json.Obj call : validArguments()) {
      if (validator != null) {
        assertThat(validator.check(schema, call))
            .as("the schema of %s and the arguments %s", tool().spec().type(), call)
            .isEqualTo(new SchemaValidator.Verdict.Valid());
      }
    }
    if (validator != null) {
      assertThat(validator.check(schema, Json.NULL))
          .as("the schema of %s and null", tool().spec().type())
          .isInstanceOf(SchemaValidator.Verdict.Invalid.class);
    }
  }

  @Test
  @DisplayName("a call without arguments returns JSON or a failure for the model")
  void withoutArguments() {
    for (Json.Obj parameters : declarations()) {
      run(Json.Obj.EMPTY, parameters);
    }
  }

  @Test
  @DisplayName("with any value of an argument, a call returns JSON or a failure for the model")
  void odd() {
    Json.Obj schema = tool().spec().parameters();
    Json.Obj properties = Objects.requireNonNullElse(schema.object("properties"), Json.Obj.EMPTY);
    for (Json.Obj parameters : declarations()) {
      for (Json odd : ODD_VALUES) {
        run(Json.object().put("nobody_knows_this", odd).build(), parameters);
        for (int i = 0; i < properties.size(); i++) {
          run(Json.object().put(properties.name(i), odd).build(), parameters);
        }
      }
    }
  }

  @Test
  @DisplayName(
      "when a model that the tool calls fails, the tool returns JSON or throws a ToolException")
  void failingChain() {
    for (Json.Obj call : validArguments()) {
      var chain =
          new FakeChain(request -> EventStream.of(List.of(failed()))).withCodec(chain().codec());
      try {
        assertThat(tool().run(invocation(call, Json.Obj.EMPTY), chain)).isNotNull();
      } catch (ServerTool.ToolException failure) {
        assertThat(failure.getMessage()).isNotBlank();
      }
      chain.assertUsedCorrectly();
    }
  }

  private static Event failed() {
    return Event.Failed.upstream(Given.failure(FailureKind.OVERLOADED));
  }

  @Test
  @DisplayName("earlier calls do not change the result of a call")
  void keepsNothing() {
    var all = new ArrayList<>(validArguments());
    all.add(Json.Obj.EMPTY);
    ServerTool shared = tool();
    for (Json.Obj before : all) {
      for (Json.Obj call : all) {
        result(shared, before);
        assertThat(result(shared, call))
            .as("the result of %s after %s", call, before)
            .isEqualTo(result(tool(), call));
      }
    }
  }

  @Test
  @DisplayName("concurrent calls do not mix: each gives the same result as alone")
  void concurrent() throws Exception {
    var all = new ArrayList<>(validArguments());
    all.add(Json.Obj.EMPTY);
    ServerTool shared = tool();
    var together = new CyclicBarrier(all.size());
    var tasks = new ArrayList<FutureTask<List<String>>>();
    for (Json.Obj call : all) {
      var task =
          new FutureTask<List<String>>(
              () -> {
                var results = new ArrayList<String>();
                for (int i = 0; i < ROUNDS; i++) {
                  together.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                  results.add(resultOrException(shared, call));
                }
                return results;
              });
      tasks.add(task);
      Thread.ofPlatform().daemon().start(task);
    }
    for (int i = 0; i < all.size(); i++) {
      assertThat(tasks.get(i).get())
          .as("the results of %s while other calls run", all.get(i))
          .containsOnly(result(tool(), all.get(i)));
    }
  }

  private String resultOrException(ServerTool target, Json.Obj call) {
    try {
      return result(target, call);
    } catch (RuntimeException | Error thrown) {
      // returned, because otherwise the other threads would wait at the barrier for ever
      return "thrown: " + thrown;
    }
  }

  /** Returns the text that the model reads: the result or the failure. */
  private String result(ServerTool target, Json.Obj call) {
    FakeChain chain = chain();
    try {
      return target.run(invocation(call, Json.Obj.EMPTY), chain).toString();
    } catch (ServerTool.ToolException failure) {
      return "failed: " + failure.getMessage();
    }
  }

  @Test
  @DisplayName("a call ends when its request is cancelled while a model is silent")
  void cancelled() throws InterruptedException {
    for (Json.Obj call : validArguments()) {
      var cancellation = new Cancellation();
      var silent =
          new FakeChain(
              request ->
                  new ScriptedStream(
                      TestAmbient.realTime(), cancellation, List.of(Step.started(), Step.stall())),
              cancellation);
      Thread caller =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      tool().run(invocation(call, Json.Obj.EMPTY), silent);
                    } catch (ServerTool.ToolException | RuntimeException ended) {
                      // any outcome is allowed
                    }
                  });
      caller.join(100); // so that it is most likely blocked; an earlier cancellation must work, too
      cancellation.cancel(Cancellation.Cause.TOTAL);
      caller.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
      assertThat(caller.isAlive()).as("still at work after it was cancelled").isFalse();
      silent.assertUsedCorrectly();
    }
  }
}
