package io.strowger.core.tools;

import io.strowger.core.dialect.ServerTools;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's tools that one request declares, by function name: the model is offered each of
 * them as a function. A function's name is the part of the tool's type after the colon, followed by
 * the name in the tool's declaration if there is one. If that name is already used, it begins with
 * the whole type instead. Immutable.
 */
public final class OfferedTools {
  private static final Pattern INVALID_CHAR = Pattern.compile("[^A-Za-z0-9_-]");
  private static final int MAX_NAME_LENGTH = 60; // 64 with a number appended
  private static final OfferedTools NONE = new OfferedTools(Map.of());

  private final Map<String, Offer> byName;

  /**
   * A tool as it is offered.
   *
   * @param type its type in the request, such as {@code router:datetime}
   * @param parameters the parameters of its declaration in the request
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
   * Returns the tools of a request that the gateway runs.
   *
   * @param tools finds the tool of a type; null when there is none
   */
  public static OfferedTools of(
      InferenceRequest request, Function<String, @Nullable ServerTool> tools) {
    var offers = new LinkedHashMap<String, Offer>();
    Set<String> usedNames = null;
    for (Tool tool : request.tools()) {
      if (tool instanceof Tool.Server server
          && tools.apply(server.type()) instanceof ServerTool serverTool) {
        usedNames = usedNames == null ? functionNames(request) : usedNames;
        String name = name(server, usedNames);
        usedNames.add(name);
        offers.put(name, new Offer(server.type(), name, serverTool, server.parameters()));
      }
    }
    return offers.isEmpty() ? NONE : new OfferedTools(offers);
  }

  private static Set<String> functionNames(InferenceRequest request) {
    var names = new HashSet<String>();
    for (Tool tool : request.tools()) {
      if (tool instanceof Tool.Function function) {
        names.add(function.name());
      }
    }
    return names;
  }

  /**
   * Returns a function name that is not used yet. It ends with the name in the declaration, if
   * there is one, so that several tools of one type have different names.
   */
  private static String name(Tool.Server tool, Set<String> usedNames) {
    String type = tool.type();
    String declaredName = tool.parameters().text("name");
    String suffix = declaredName == null ? "" : "_" + declaredName;
    String shortName = functionName(type.substring(type.indexOf(':') + 1) + suffix);
    if (!usedNames.contains(shortName)) {
      return shortName;
    }
    String fullName = functionName(type + suffix);
    String candidate = fullName;
    for (int i = 2; usedNames.contains(candidate); i++) {
      candidate = fullName + "_" + i;
    }
    return candidate;
  }

  /** Returns a name in the letters and the length that every upstream accepts. */
  private static String functionName(String text) {
    String name = INVALID_CHAR.matcher(text).replaceAll("_");
    return name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH));
  }

  public boolean isEmpty() {
    return byName.isEmpty();
  }

  /** Returns the tool of this function name; null when the caller runs the function. */
  @Nullable Offer findByName(@Nullable String function) {
    return function == null ? null : byName.get(function);
  }

  /** Returns the first tool of this type; null when it is not offered. */
  @Nullable Offer findByType(String type) {
    String canonicalType = ServerTools.canonicalType(type);
    for (Offer offer : byName.values()) {
      if (offer.type().equals(canonicalType)) {
        return offer;
      }
    }
    return null;
  }

  /** Returns the request's tools, those of the gateway as functions, in the same order. */
  List<Tool> functionsOf(InferenceRequest request) {
    var offers = new ArrayList<>(byName.values());
    var functions = new ArrayList<Tool>(request.tools().size());
    for (Tool tool : request.tools()) {
      boolean isGatewayTool =
          tool instanceof Tool.Server server
              && !offers.isEmpty()
              && offers.getFirst().type().equals(server.type());
      functions.add(isGatewayTool ? offers.removeFirst().function() : tool);
    }
    return functions;
  }
}
