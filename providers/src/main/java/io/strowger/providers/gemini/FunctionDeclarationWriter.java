package io.strowger.providers.gemini;

import io.strowger.providers.translate.ToolMembers;
import io.strowger.providers.translate.UpstreamSearch;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import io.strowger.spi.model.ToolChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the tools as one list of functions, in order, and the mode that says which of them may be
 * called. Tools that the gateway runs are left out. Translation fact sheet, section 1.
 */
final class FunctionDeclarationWriter {
  private static final String GATEWAY = "router:";
  private static final Set<String> TOLD =
      Set.of("strict", "cache_control", "prompt_cache_breakpoint");

  private final GeminiWriteContext geminiWriteContext;
  private final List<Json> functions = new ArrayList<>();

  FunctionDeclarationWriter(GeminiWriteContext geminiWriteContext) {
    this.geminiWriteContext = geminiWriteContext;
  }

  void addTo(Json.Obj.Builder body) {
    List<Tool> tools = geminiWriteContext.call().request().tools();
    boolean functionsAsked = tools.stream().anyMatch(tool -> !(tool instanceof Tool.Server));
    if (functionsAsked && geminiWriteContext.takes(Parameter.TOOLS)) {
      tools.forEach(this::tool);
    }
    UpstreamSearch search = UpstreamSearch.among(tools);
    if (search != null && functions.isEmpty()) {
      search(search, body);
    } else if (search != null) {
      geminiWriteContext.losses().dropped("the search", "there is none beside functions here");
    }
    if (functions.isEmpty()) {
      return;
    }
    Json.Obj wrapper = Json.object().put("functionDeclarations", Json.array(functions)).build();
    body.put("tools", Json.array(wrapper));
    Json.Obj calling = calling();
    if (calling != null) {
      body.put("toolConfig", Json.object().put("functionCallingConfig", calling).build());
    }
  }

  private void search(UpstreamSearch search, Json.Obj.Builder body) {
    body.put("tools", Json.array(Json.object().put("googleSearch", Json.Obj.EMPTY).build()));
    if (!search.allowedDomains().isEmpty() || !search.excludedDomains().isEmpty()) {
      geminiWriteContext.losses().dropped("domains of the search", "a search takes none here");
    }
  }

  private void tool(Tool tool) {
    switch (tool) {
      case Tool.Function function -> functions.add(function(function));
      case Tool.Server server -> {} // the upstream's search, which is not a function
      case Tool.Unknown unknown -> {
        if (!unknown.type().startsWith(GATEWAY)) {
          geminiWriteContext
              .losses()
              .dropped("a tool", "a tool of type " + unknown.type() + " has no form");
        }
      }
    }
  }

  private Json function(Tool.Function function) {
    Json.Obj.Builder declared =
        Json.object().put("name", geminiWriteContext.names().safe(function.name()));
    if (function.description() != null && !function.description().isBlank()) {
      declared.put("description", function.description());
    }
    Json.Obj parameters = function.parameters();
    Json.Obj written = parameters == null ? Json.Obj.EMPTY : schema(parameters);
    Json.Obj properties = written.object("properties");
    if (properties != null && properties.size() > 0) {
      declared.put("parameters", written);
    }
    besides(function.extras());
    ToolMembers.besides(function, TOLD, geminiWriteContext.losses());
    return declared.build();
  }

  private Json.Obj schema(Json.Obj given) {
    return new GeminiSchemaWriter(given, geminiWriteContext.losses()).arguments();
  }

  private void besides(Json.Obj extras) {
    geminiWriteContext.noCacheMark(extras);
    Json.Obj inner = extras.object("function");
    Json strict = inner == null ? extras.get("strict") : inner.get("strict");
    if (Json.TRUE.equals(strict)) {
      geminiWriteContext.losses().dropped("strict", "arguments are not held to their schema here");
    }
  }

  /** Returns the calling mode; null when the model decides, which is the default. */
  private Json.@Nullable Obj calling() {
    ToolChoice choice = geminiWriteContext.call().request().generationParameters().toolChoice();
    boolean forbidden =
        !geminiWriteContext.call().request().mayCallTools() || choice == ToolChoice.Plain.NONE;
    if (forbidden) {
      return mode("NONE");
    }
    if (choice == null || !geminiWriteContext.takes(Parameter.TOOL_CHOICE)) {
      return null;
    }
    return switch (choice) {
      case ToolChoice.Plain plain -> mode(plain == ToolChoice.Plain.REQUIRED ? "ANY" : "AUTO");
      case ToolChoice.Named(String name) -> named(name);
      case ToolChoice.Other(Json source) -> {
        geminiWriteContext.losses().dropped("tool_choice", "a choice of this form has none here");
        yield null;
      }
    };
  }

  private Json.@Nullable Obj named(String name) {
    String safe = geminiWriteContext.names().safe(name);
    boolean declared =
        functions.stream()
            .anyMatch(f -> f instanceof Json.Obj one && safe.equals(one.text("name")));
    if (!declared) {
      geminiWriteContext.losses().dropped("tool_choice", "the tool it names does not leave");
      return null;
    }
    return mode("ANY").with("allowedFunctionNames", Json.array(Json.of(safe)));
  }

  private static Json.Obj mode(String word) {
    return Json.object().put("mode", word).build();
  }
}
