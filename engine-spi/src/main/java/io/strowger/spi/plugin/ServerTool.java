package io.strowger.spi.plugin;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Interceptor.Chain;

/**
 * A tool the gateway runs when a model calls it. Safe on any thread; runs on the request's virtual
 * thread and may block.
 *
 * <p>Contract: the server tools of the plugins fact sheet, section 12.
 */
public interface ServerTool {
  /** How the tool is offered to a model. Always the same. */
  Spec spec();

  /**
   * Runs one call.
   *
   * @param call what is to be done
   * @param chain for calls of its own, money and time
   * @return what the model reads
   * @throws ToolFailure when the model should read that it failed; the request goes on
   */
  Json run(Invocation call, Chain chain) throws ToolFailure;

  /**
   * One call of a tool.
   *
   * @param arguments what the model gave: a JSON object, not checked any further
   * @param parameters what the request said when it declared the tool; valid by the contract
   */
  record Invocation(Json.Obj arguments, Json.Obj parameters) {}

  /**
   * How a tool is offered.
   *
   * @param type what a request calls it: who makes it, a colon and a name, such as {@code
   *     acme:lookup}; of A-Z a-z 0-9 _ - each, in the name also dots
   * @param description for the model
   * @param parameters JSON Schema of the arguments
   */
  record Spec(String type, String description, Json.Obj parameters) {}

  /** A call did not work; the message is for the model. */
  final class ToolFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public ToolFailure(String message) {
      super(message, null, false, false);
    }
  }
}
