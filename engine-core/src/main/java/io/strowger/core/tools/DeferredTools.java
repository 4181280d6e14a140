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
 * router:tool_search}, its tools with {@code defer_loading} are withheld from the upstream, whether
 * of the same dialect or not, and declared without that member from the turn after the search that
 * found them. A tool is treated as found from the start if the conversation has a call of it or a
 * result of the search that names it, so that the caller's next request continues with the tools
 * that the last one found.
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

  private final Set<String> waiting;

  private DeferredTools(Set<String> waiting) {
    this.waiting = waiting;
  }

  static DeferredTools of(InferenceRequest request, OfferedTools tools) {
    if (tools.ofType(SEARCH) == null) {
      return new DeferredTools(Set.of());
    }
    var waiting = new HashSet<String>();
    for (Tool tool : request.tools()) {
      String name = tool.deferredName();
      if (name != null) {
        waiting.add(name);
      }
    }
    var deferred = new DeferredTools(waiting);
    for (Message message : request.messages()) {
      message.parts().forEach(deferred::known);
    }
    return deferred;
  }

  private void known(Part part) {
    if (part instanceof Part.ToolCall call) {
      waiting.remove(call.name());
    } else if (part instanceof Part.ServerToolRun run && run.tool().equals(SEARCH)) {
      found(run.result());
    }
  }

  /**
   * Stops withholding the tools that these search results name, and returns whether there were any.
   */
  boolean found(List<ToolRun.Done> results) {
    boolean any = false;
    for (ToolRun.Done one : results) {
      any |= one.type().equals(SEARCH) && found(one.result());
    }
    return any;
  }

  private boolean found(Json result) {
    boolean any = false;
    Json.Arr named = result instanceof Json.Obj object ? object.list("tool_references") : null;
    for (int i = 0; named != null && i < named.size(); i++) {
      String name = named.get(i) instanceof Json.Obj one ? one.text("tool_name") : null;
      any |= name != null && waiting.remove(name);
    }
    return any;
  }

  /** Returns the request's tools, those of the gateway as functions, without withheld ones. */
  List<Tool> declared(InferenceRequest given, OfferedTools tools) {
    List<Tool> all = tools.functionsOf(given);
    if (tools.ofType(SEARCH) == null) {
      return all;
    }
    var declared = new ArrayList<Tool>(all.size());
    for (Tool tool : all) {
      String name = tool.deferredName();
      if (name == null) {
        declared.add(tool);
      } else if (!waiting.contains(name)) {
        declared.add(loaded(tool));
      }
    }
    return declared;
  }

  /** Returns a deferred tool without {@code defer_loading}, as it is declared to the model. */
  private static Tool loaded(Tool tool) {
    return switch (tool) {
      case Tool.Function f ->
          new Tool.Function(
              f.name(),
              f.description(),
              f.parameters(),
              Objects.requireNonNullElse(bare(f.extras()), Json.Obj.EMPTY),
              bare(f.source()));
      case Tool.Server server -> server;
      case Tool.Unknown unknown ->
          new Tool.Unknown(
              unknown.type(), Objects.requireNonNullElse(bare(unknown.source()), Json.NULL));
    };
  }

  private static Json.@Nullable Obj bare(@Nullable Json json) {
    return json instanceof Json.Obj object ? object.without("defer_loading") : null;
  }

  /**
   * Returns the tools that a choice allows. Withheld ones are replaced by the search, which can
   * find them.
   */
  Json.Arr allowed(Json.Arr named, OfferedTools tools) {
    OfferedTools.Offer search = tools.ofType(SEARCH);
    if (search == null) {
      return named;
    }
    var allowed = new LinkedHashSet<Json>();
    for (Json one : named) {
      String name = one instanceof Json.Obj said ? said.text("name") : null;
      boolean waits = name != null && waiting.contains(name);
      allowed.add(
          waits ? Json.object().put("type", "function").put("name", search.name()).build() : one);
    }
    return Json.array(List.copyOf(allowed));
  }
}
