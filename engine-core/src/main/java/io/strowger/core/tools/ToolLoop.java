package io.strowger.core.tools;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs the gateway's own tools for a model; each turn is planned and paid for separately. It is the
 * innermost interceptor of a request; an instance serves one request. Plugins fact sheet, section
 * 12.
 *
 * <p>A turn that also calls functions of the caller ends the answer, since only the caller can run
 * those. The results of the gateway's tools are sent along with those calls and come back with the
 * next request. Open question 61.
 */
public final class ToolLoop implements Interceptor {
  /** The name of the loop in the trace. */
  public static final String ID = "server-tools";

  private final Function<String, @Nullable ServerTool> tools;
  private final ToolCallCounter tally;
  private final ToolArguments arguments;

  /**
   * @param tools finds the tool of a type; null when there is none that may be offered
   * @param tally counts the calls
   * @param codec reads the arguments models write
   * @param schemaValidator checks the arguments against the tools' schemas; null for no check
   */
  public ToolLoop(
      Function<String, @Nullable ServerTool> tools,
      ToolCallCounter tally,
      JsonCodec codec,
      @Nullable SchemaValidator schemaValidator) {
    this.tools = tools;
    this.tally = tally;
    this.arguments = new ToolArguments(codec, schemaValidator);
  }

  @Override
  public Scope scope() {
    return Scope.REQUEST;
  }

  /** Returns whether a request has a tool that the loop runs. */
  public boolean actsOn(InferenceRequest request) {
    return !OfferedTools.of(request, tools).isEmpty();
  }

  @Override
  public EventStream intercept(InferenceRequest request, Chain chain) {
    OfferedTools offeredTools = OfferedTools.of(request, tools);
    var run = new ToolRun(offeredTools, tally, arguments, chain);
    return new LoopStream(chain, run, tally, request);
  }
}
