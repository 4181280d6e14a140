package io.strowger.core.tools;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tools of one request that its model does not know yet. If a request declares {@code
 * router:tool_search}, its tools with {@code defer_loading} are withheld from every upstream, also
 * from one of the request's own dialect. From the turn after a search has found them, they are
 * declared without that member. A tool is treated as found from the start if the conversation has a
 * call of it or a result of the search that names it, so that the caller's next request continues
 * with the tools that the last one found.
 *
 * <p>A model may call a tool that was not found: since the tool is the caller's, the call is passed
 * to the caller like any other. In a request without {@code router:tool_search} no tool is
 * withheld: {@code defer_loading} is passed on unchanged, since an upstream may have a search of
 * its own, such as {@code tool_search_tool_regex} in the messages dialect; so are tools in a {@code
 * namespace}.
 *
 * <p>Confined to one request and one thread. Contract: plugins fact sheet, section 12, {@code
 * tool_search}.
 */
final class DeferredTools {
  private static final String SEARCH = "router:tool_search";

  private final Set<String> withheldNames;

  private DeferredTools(Set<String> withheldNames) {
    this.withheldNames = withheldNames;
  }

  static DeferredTools of(InferenceRequest request, OfferedTools tools) {
    if (tools.findByType(SEARCH) == null) {
      return new DeferredTools(Set.of());
    }
    var withheldNames = new HashSet<String>();
    for (Tool tool : request.tools()) {
      String name = tool.deferredName();
      if (name != null) {
        withheldNames.add(name);
      }
    }
    var deferred = new DeferredTools(withheldNames);
    for (Message message : request.messages()) {
      message.parts().forEach(deferred::releaseUsed);
    }
    return deferred;
  }

  private void releaseUsed(Part part) {
    if (part instanceof Part.ToolCall call) {
      withheldNames.remove(call.name());
    } else if (part instanceof Part.ServerToolRun run && run.tool().equals(SEARCH)) {
      releaseFound(run.result());
    }
  }

  /**
   * Stops withholding the tools that these search results name, and returns whether there were any.
   */
  boolean releaseFound(List<ToolRun.CompletedCall> results) {
    boolean anyReleased = false;
    for (ToolRun.CompletedCall entry : results) {
      anyReleased |= entry.type().equals(SEARCH) && releaseFound(entry.result());
    }
    return anyReleased;
  }

  private boolean releaseFound(Json result) {
    boolean anyReleased = false;
    Json.Arr references = result instanceof Json.Obj object ? object.list("tool_references") : null;
    for (int i = 0; references != null && i < references.size(); i++) {
      String name = references.get(i) instanceof Json.Obj entry ? entry.text("tool_name") : null;
      anyReleased |= name != null && withheldNames.remove(name);
    }
    return anyReleased;
  }

  /** Returns the request's tools, those of the gateway as functions, without withheld ones. */
  List<Tool> declaredTools(InferenceRequest callerRequest, OfferedTools tools) {
    List<Tool> requestTools = tools.functionsOf(callerRequest);
    if (tools.findByType(SEARCH) == null) {
      return requestTools;
    }
    var result = new ArrayList<Tool>(requestTools.size());
    for (Tool tool : requestTools) {
      String name = tool.deferredName();
      if (name == null) {
        result.add(tool);
      } else if (!withheldNames.contains(name)) {
        result.add(withoutDeferral(tool));
      }
    }
    return result;
  }

  /** Returns a deferred tool without {@code defer_loading}, as it is declared to the model. */
  private static Tool withoutDeferral(Tool tool) {
    return switch (tool) {
      case Tool.Function f ->
          new Tool.Function(
              f.name(),
              f.description(),
              f.parameters(),
              Objects.requireNonNullElse(withoutDeferLoading(f.extras()), Json.Obj.EMPTY),
              withoutDeferLoading(f.source()));
      case Tool.Server server -> server;
      case Tool.Unknown unknown ->
          new Tool.Unknown(
              unknown.type(),
              Objects.requireNonNullElse(withoutDeferLoading(unknown.source()), Json.NULL));
    };
  }

  private static Json.@Nullable Obj withoutDeferLoading(@Nullable Json json) {
    return json instanceof Json.Obj object ? object.without("defer_loading") : null;
  }

  /**
   * Returns the tools that a choice allows. Withheld ones are replaced by the search, which can
   * find them.
   */
  Json.Arr allowedTools(Json.Arr choices, OfferedTools tools) {
    OfferedTools.Offer search = tools.findByType(SEARCH);
    if (search == null) {
      return choices;
    }
    var result = new LinkedHashSet<Json>();
    for (Json choice : choices) {
      String name = choice instanceof Json.Obj object ? object.text("name") : null;
      boolean isWithheld = name != null && withheldNames.contains(name);
      result.add(
          isWithheld
              ? Json.object().put("type", "function").put("name", search.name()).build()
              : choice);
    }
    return Json.array(List.copyOf(result));
  }
}
