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
 * Writes the tools as one list of functions, in order, and the mode that says which functions may
 * be called. Tools that the gateway runs are left out. Translation fact sheet, section 1.
 */
final class FunctionDeclarationWriter {
  private static final String GATEWAY = "router:";
  private static final Set<String> REPORTED_EXTRAS =
      Set.of("strict", "cache_control", "prompt_cache_breakpoint");

  private final GeminiWriteContext context;
  private final List<Json> functions = new ArrayList<>();

  FunctionDeclarationWriter(GeminiWriteContext context) {
    this.context = context;
  }

  void addTo(Json.Obj.Builder body) {
    List<Tool> tools = context.call().request().tools();
    boolean hasFunctions = tools.stream().anyMatch(tool -> !(tool instanceof Tool.Server));
    if (hasFunctions && context.accepts(Parameter.TOOLS)) {
      tools.forEach(this::addTool);
    }
    UpstreamSearch search = UpstreamSearch.findIn(tools);
    if (search != null && functions.isEmpty()) {
      addSearch(search, body);
    } else if (search != null) {
      context.losses().dropped("the search", "cannot be combined with functions in this dialect");
    }
    if (functions.isEmpty()) {
      return;
    }
    Json.Obj wrapper = Json.object().put("functionDeclarations", Json.array(functions)).build();
    body.put("tools", Json.array(wrapper));
    Json.Obj callingConfig = callingConfig();
    if (callingConfig != null) {
      body.put("toolConfig", Json.object().put("functionCallingConfig", callingConfig).build());
    }
  }

  private void addSearch(UpstreamSearch search, Json.Obj.Builder body) {
    body.put("tools", Json.array(Json.object().put("googleSearch", Json.Obj.EMPTY).build()));
    if (!search.allowedDomains().isEmpty() || !search.excludedDomains().isEmpty()) {
      context
          .losses()
          .dropped("domains of the search", "cannot be sent to a search in this dialect");
    }
  }

  private void addTool(Tool tool) {
    switch (tool) {
      case Tool.Function function -> functions.add(function(function));
      case Tool.Server server -> {} // the upstream's search, which is not a function
      case Tool.Unknown unknown -> {
        if (!unknown.type().startsWith(GATEWAY)) {
          context
              .losses()
              .dropped("a tool of type " + unknown.type(), "has no form in this dialect");
        }
      }
    }
  }

  private Json function(Tool.Function function) {
    Json.Obj.Builder declaration =
        Json.object().put("name", context.names().toSafe(function.name()));
    if (function.description() != null && !function.description().isBlank()) {
      declaration.put("description", function.description());
    }
    Json.Obj parameters = function.parameters();
    Json.Obj parametersSchema = parameters == null ? Json.Obj.EMPTY : schema(parameters);
    Json.Obj properties = parametersSchema.object("properties");
    if (properties != null && properties.size() > 0) {
      declaration.put("parameters", parametersSchema);
    }
    reportExtras(function.extras());
    ToolMembers.reportUnknown(function, REPORTED_EXTRAS, context.losses());
    return declaration.build();
  }

  private Json.Obj schema(Json.Obj jsonSchema) {
    return new GeminiSchemaWriter(jsonSchema, context.losses()).writeArguments();
  }

  private void reportExtras(Json.Obj extras) {
    context.dropCacheMarks(extras);
    Json.Obj inner = extras.object("function");
    Json strict = inner == null ? extras.get("strict") : inner.get("strict");
    if (Json.TRUE.equals(strict)) {
      context
          .losses()
          .dropped("strict", "the schema of arguments cannot be enforced in this dialect");
    }
  }

  /** Returns the calling mode; null when the model decides, which is the default. */
  private Json.@Nullable Obj callingConfig() {
    ToolChoice choice = context.call().request().generationParameters().toolChoice();
    boolean isForbidden =
        !context.call().request().mayCallTools() || choice == ToolChoice.Mode.NONE;
    if (isForbidden) {
      return mode("NONE");
    }
    if (choice == null || !context.accepts(Parameter.TOOL_CHOICE)) {
      return null;
    }
    return switch (choice) {
      case ToolChoice.Mode plain -> mode(plain == ToolChoice.Mode.REQUIRED ? "ANY" : "AUTO");
      case ToolChoice.Named(String name) -> namedConfig(name);
      case ToolChoice.Other(Json source) -> {
        context.losses().dropped("tool_choice", "has no form in this dialect");
        yield null;
      }
    };
  }

  private Json.@Nullable Obj namedConfig(String name) {
    String safe = context.names().toSafe(name);
    boolean isDeclared =
        functions.stream()
            .anyMatch(f -> f instanceof Json.Obj object && safe.equals(object.text("name")));
    if (!isDeclared) {
      context.losses().dropped("tool_choice", "names a tool that is not sent upstream");
      return null;
    }
    return mode("ANY").with("allowedFunctionNames", Json.array(Json.of(safe)));
  }

  private static Json.Obj mode(String word) {
    return Json.object().put("mode", word).build();
  }
}
