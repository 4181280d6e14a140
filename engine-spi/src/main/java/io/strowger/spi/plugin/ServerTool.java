package io.strowger.spi.plugin;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.Interceptor.Chain;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A tool the gateway runs when a model calls it. Safe on any thread; runs on the request's virtual
 * thread and may block. A tool that a jar in the plugin directory declares as a service is closed,
 * if it is {@link AutoCloseable}, when nothing uses the jar any more.
 *
 * <p>Contract: the server tools of the plugins fact sheet, section 12.
 */
public interface ServerTool {
  /** Returns how the tool is offered to a model. Always the same. */
  Spec spec();

  /**
   * Runs one call.
   *
   * @param call the model's arguments and their context
   * @param chain the chain of the request, for inner calls, money and time
   * @return the result that the model reads
   * @throws ToolException when the call fails; the model reads the message and the request
   *     continues
   */
  Json run(Invocation call, Chain chain) throws ToolException;

  /**
   * Returns whether the tool makes {@linkplain InnerCall inner calls}. Such a tool is offered to
   * the models of callers only, never to the model of an inner call. Always the same.
   */
  default boolean makesInnerCalls() {
    return false;
  }

  /**
   * Returns whether the gateway runs the tool for requests of batches. A tool for which this is
   * false is {@linkplain #delegateToUpstream left to the upstream} where that is possible.
   * Otherwise a request of a batch that declares the tool is refused with 400, and inner calls of a
   * batch are not offered it. Always the same.
   */
  default boolean runsInBatches() {
    return true;
  }

  /**
   * Returns why no call of the tool can work with the current settings, such as a missing one, as
   * the rest of a sentence that begins with the tool; null when calls can work. A request that
   * declares such a tool is refused with 400 before anything is sent. Quick, and always the same.
   *
   * @param parameters what the request says when it declares the tool; valid by the contract
   */
  default @Nullable String unusableReason(Json.Obj parameters) {
    return null;
  }

  /**
   * Returns the problems of a declaration of the tool that only the catalog reveals, such as an
   * unserved model. A request with such a declaration is refused with 400 before anything is sent.
   * Quick; called for each request that declares the tool.
   *
   * @param parameters what the request says when it declares the tool; valid by the contract
   * @param catalog the catalog over which the request is routed
   * @param innerTools types of the tools that {@linkplain InnerCall inner calls} may be offered;
   *     empty for a tool that makes none
   * @return the problems, with pointers relative to the parameters; empty when there are none
   */
  default List<Problem> problems(Json.Obj parameters, Catalog catalog, Set<String> innerTools) {
    return List.of();
  }

  /**
   * Returns a request that makes the upstream itself do what a declaration of this tool asks for;
   * null when the gateway runs the tool. Must be quick: called for each request that declares the
   * tool, before the declaration is checked. Not called in inner calls.
   *
   * @param request the request, with the models of the account's default filled in
   * @param declaration the declaration of this tool in the request
   * @param catalog the catalog over which the request is routed
   */
  default @Nullable InferenceRequest delegateToUpstream(
      InferenceRequest request, Tool.Server declaration, Catalog catalog) {
    return null;
  }

  /**
   * One call of a tool.
   *
   * @param arguments the model's arguments: a JSON object, not checked any further
   * @param parameters the parameters of the declaration in the request; valid by the contract
   * @param request the request that the model answered with this call: its messages are the
   *     conversation before the call, its tools those the caller declared
   * @param earlierResults the results and failures of the earlier calls of this tool in the same
   *     answer, in order; a tool with a limit of calls counts them
   */
  record Invocation(
      Json.Obj arguments,
      Json.Obj parameters,
      InferenceRequest request,
      List<Json> earlierResults) {
    public Invocation {
      earlierResults = List.copyOf(earlierResults);
    }

    /** Creates the first call of an answer. */
    public Invocation(Json.Obj arguments, Json.Obj parameters, InferenceRequest request) {
      this(arguments, parameters, request, List.of());
    }
  }

  /**
   * The definition of a tool as it is offered to models.
   *
   * @param type the name requests use: the vendor, a colon and a name, such as {@code acme:lookup}.
   *     Both consist of A-Z, a-z, 0-9, _ and -; the name may also contain dots
   * @param description for the model
   * @param parameters JSON Schema of the arguments
   */
  record Spec(String type, String description, Json.Obj parameters) {}

  /** Thrown when a tool call fails. The message is given to the model. */
  final class ToolException extends Exception {
    private static final long serialVersionUID = 1L;

    public ToolException(String message) {
      super(message, null, false, false);
    }
  }
}
