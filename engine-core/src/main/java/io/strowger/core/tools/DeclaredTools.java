package io.strowger.core.tools;

import io.strowger.core.registry.PreparedPlugins;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.ServerTool;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks the gateway's tools that a request declares, and delegates them to upstreams that can do
 * their work, before they are offered to a model.
 */
public final class DeclaredTools {
  private static final String NOT_IN_BATCHES =
      "cannot be used in a batch here: the gateway runs no such tool in batches, and not every"
          + " endpoint that may answer this request runs it itself";

  private DeclaredTools() {}

  /**
   * Returns the request with the gateway's tools delegated to the upstreams, as far as those can do
   * the work themselves; the same object when nothing is delegated.
   *
   * @param tools finds the tool of a type; null when there is none
   */
  public static InferenceRequest delegateToUpstreams(
      InferenceRequest request, Function<String, @Nullable ServerTool> tools, Catalog catalog) {
    InferenceRequest result = request;
    for (Tool tool : request.tools()) {
      if (tool instanceof Tool.Server server
          && tools.apply(server.type()) instanceof ServerTool serverTool
          && serverTool.delegateToUpstream(result, server, catalog)
              instanceof InferenceRequest delegatedRequest) {
        result = delegatedRequest;
      }
    }
    return result;
  }

  /**
   * Returns the problems that prevent running the declared tools, each with its place.
   *
   * @param isBatch whether the request is part of a batch
   */
  public static List<Problem> problems(
      InferenceRequest request, PreparedPlugins plugins, Catalog catalog, boolean isBatch) {
    List<Problem> problems = List.of();
    for (int i = 0; i < request.tools().size(); i++) {
      if (request.tools().get(i) instanceof Tool.Server server
          && plugins.tool(server.type()) instanceof ServerTool serverTool) {
        problems = problems.isEmpty() ? new ArrayList<>() : problems;
        JsonPointer toolPointer = JsonPointer.ROOT.child("tools").child(i);
        String reason =
            isBatch && !serverTool.runsInBatches()
                ? NOT_IN_BATCHES
                : serverTool.unusableReason(server.parameters());
        if (reason != null) {
          problems.add(new Problem(toolPointer, reason, ""));
        }
        Set<String> innerToolTypes =
            serverTool.makesInnerCalls() ? plugins.innerTools(isBatch) : Set.of();
        for (Problem problem : serverTool.problems(server.parameters(), catalog, innerToolTypes)) {
          JsonPointer pointer = problem.pointer().prefixedWith(toolPointer.child("parameters"));
          problems.add(new Problem(pointer, problem.allowed(), problem.value(), problem.origin()));
        }
      }
    }
    return problems;
  }
}
