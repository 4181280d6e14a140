package io.strowger.core.tools;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.ServerTool;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tools of the gateway one request declares, each under the name of the function it is offered
 * to the model as: what stands behind the colon of its type, with the whole type before it where
 * the caller has a function of that name. Immutable.
 */
public final class OfferedTools {
  private static final OfferedTools NONE = new OfferedTools(Map.of());

  private final Map<String, Offer> byName;

  /**
   * A tool as it is offered.
   *
   * @param type its type in the request, such as {@code router:datetime}
   * @param parameters what the request said when it declared it
   */
  record Offer(String type, String name, ServerTool tool, Json.Obj parameters) {
    Tool.Function function() {
      ServerTool.Spec spec = tool.spec();
      return new Tool.Function(name, spec.description(), spec.parameters(), Json.Obj.EMPTY, null);
    }
  }

  private OfferedTools(Map<String, Offer> byName) {
    this.byName = Collections.unmodifiableMap(byName);
  }

  /**
   * The tools of a request that the gateway runs.
   *
   * @param tools finds the tool of a type; null when there is none
   */
  public static OfferedTools of(
      InferenceRequest request, Function<String, @Nullable ServerTool> tools) {
    var offers = new LinkedHashMap<String, Offer>();
    Set<String> taken = null;
    for (Tool tool : request.tools()) {
      if (tool instanceof Tool.Server server
          && tools.apply(server.type()) instanceof ServerTool runs) {
        taken = taken == null ? functions(request) : taken;
        String name = name(server.type(), taken);
        taken.add(name);
        offers.put(name, new Offer(server.type(), name, runs, server.parameters()));
      }
    }
    return offers.isEmpty() ? NONE : new OfferedTools(offers);
  }

  private static Set<String> functions(InferenceRequest request) {
    var names = new HashSet<String>();
    for (Tool tool : request.tools()) {
      if (tool instanceof Tool.Function function) {
        names.add(function.name());
      }
    }
    return names;
  }

  private static String name(String type, Set<String> taken) {
    String own = type.substring(type.indexOf(':') + 1).replace('.', '_');
    if (!taken.contains(own)) {
      return own;
    }
    String whole = type.replace(':', '_').replace('.', '_');
    String free = whole;
    for (int i = 2; taken.contains(free); i++) {
      free = whole + "_" + i;
    }
    return free;
  }

  public boolean isEmpty() {
    return byName.isEmpty();
  }

  /** The tool a model calls by this name; null when the call is the caller's to make. */
  @Nullable Offer named(@Nullable String function) {
    return function == null ? null : byName.get(function);
  }

  /** The first tool of this type; null when it is not offered. */
  @Nullable Offer ofType(String type) {
    for (Offer offer : byName.values()) {
      if (offer.type().equals(type)) {
        return offer;
      }
    }
    return null;
  }

  /** The request's tools, those of the gateway as functions, in the same order. */
  List<Tool> functionsOf(InferenceRequest request) {
    var offers = new ArrayList<>(byName.values());
    var functions = new ArrayList<Tool>(request.tools().size());
    for (Tool tool : request.tools()) {
      boolean ours =
          tool instanceof Tool.Server server
              && !offers.isEmpty()
              && offers.getFirst().type().equals(server.type());
      functions.add(ours ? offers.removeFirst().function() : tool);
    }
    return functions;
  }
}
