package io.strowger.plugins.toolsearch;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.strowger.plugins.jsonschema.PatternWeight;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Finds tools of the request that are declared with {@code defer_loading}: {@code
 * {"tool_references":[{"type":"tool_reference","tool_name":...}],"total_results":7,"showing":5}},
 * in the order of the request. The engine declares the tools of a result to the model from the next
 * turn on.
 *
 * <p>A tool matches if its name, its description, or the name or description of an argument at any
 * depth matches the pattern, ignoring case. Patterns have the syntax of RE2 and run in linear time.
 * A pattern that is malformed, longer than 200 characters or too expensive for the tools of the
 * request gives an error that the model reads. Free of charge.
 *
 * <p>Contract: plugins fact sheet, section 12, {@code tool_search}.
 */
public final class ToolSearchTool implements ServerTool {
  private static final int MAX_RESULTS = 50;
  private static final int DEFAULT_RESULTS = 5;
  private static final int MAX_PATTERN = 200; // characters
  private static final long MAX_WEIGHT = 100_000; // approximate states of a compiled pattern
  private static final long MAX_WORK = 100_000_000; // states times characters, about a second

  private static final Spec SPEC =
      new Spec(
          "router:tool_search",
          "Searches further tools, which can be called once they are found. Search before"
              + " saying that something cannot be done.",
          Json.object()
              .put("type", "object")
              .put(
                  "properties",
                  Json.object()
                      .put(
                          "query",
                          Json.object()
                              .put("type", "string")
                              .put("minLength", 1)
                              .put("maxLength", MAX_PATTERN)
                              .put(
                                  "description",
                                  "Regular expression in the syntax of RE2, such as"
                                      + " weather|forecast, that some name or description of a"
                                      + " tool or of its arguments has to match. The case of"
                                      + " letters does not matter.")
                              .build())
                      .build())
              .put("required", Json.array(Json.of("query")))
              .put("additionalProperties", false)
              .build());

  @Override
  public Spec spec() {
    return SPEC;
  }

  /** A deferred tool with its name and the texts to search. */
  private record DeferredTool(String name, List<String> texts) {}

  @Override
  public Json run(Invocation call, Chain chain) throws ToolException {
    if (!(call.arguments().get("query") instanceof Json.Str query) || query.text().isEmpty()) {
      throw new ToolException("query must be a regular expression");
    }
    List<DeferredTool> tools = deferredTools(call.request().tools());
    Pattern pattern = compile(query.text(), tools);
    List<Json> references = new ArrayList<>();
    for (DeferredTool tool : tools) {
      if (tool.texts().stream().anyMatch(text -> pattern.matcher(text).find())) {
        references.add(reference(tool.name()));
      }
    }
    int limit =
        Math.clamp(call.parameters().longValue("max_results", DEFAULT_RESULTS), 1, MAX_RESULTS);
    List<Json> page = references.subList(0, Math.min(limit, references.size()));
    return Json.object()
        .put("tool_references", Json.array(page))
        .put("total_results", references.size())
        .put("showing", page.size())
        .build();
  }

  private static Json reference(String name) {
    return Json.object().put("type", "tool_reference").put("tool_name", name).build();
  }

  private static Pattern compile(String text, List<DeferredTool> tools) throws ToolException {
    if (text.length() > MAX_PATTERN) {
      throw new ToolException("query must have at most " + MAX_PATTERN + " characters");
    }
    long characters = 0;
    for (DeferredTool tool : tools) {
      for (String searchText : tool.texts()) {
        characters += searchText.length();
      }
    }
    long weight = PatternWeight.of(text);
    if (weight > MAX_WEIGHT || weight * characters > MAX_WORK) {
      throw new ToolException(
          "query would take too long to run: use a shorter one, without counts in braces");
    }
    try {
      return Pattern.compile(text, Pattern.CASE_INSENSITIVE);
    } catch (PatternSyntaxException e) {
      throw new ToolException(
          "query is not a regular expression in the syntax of RE2: " + e.getMessage());
    }
  }

  private static List<DeferredTool> deferredTools(List<Tool> tools) {
    var result = new ArrayList<DeferredTool>();
    for (Tool tool : tools) {
      String name = tool.deferredName();
      if (name != null) {
        var texts = new ArrayList<String>();
        texts.add(name);
        switch (tool) {
          case Tool.Function function -> {
            texts.add(Objects.requireNonNullElse(function.description(), ""));
            addSchema(function.parameters() == null ? Json.NULL : function.parameters(), texts);
          }
          case Tool.Server server -> {}
          case Tool.Unknown unknown -> addDescription(unknown.source(), texts);
        }
        result.add(new DeferredTool(name, texts));
      }
    }
    return result;
  }

  private static void addDescription(Json source, List<String> texts) {
    String description = source instanceof Json.Obj object ? object.text("description") : null;
    if (description != null) {
      texts.add(description);
    }
  }

  /** Adds the names and descriptions of a schema at any depth; parsed JSON has bounded depth. */
  private static void addSchema(Json schema, List<String> texts) {
    switch (schema) {
      case Json.Obj object -> {
        addDescription(object, texts);
        for (int i = 0; i < object.size(); i++) {
          if (object.name(i).equals("properties")
              && object.value(i) instanceof Json.Obj properties) {
            for (int j = 0; j < properties.size(); j++) {
              texts.add(properties.name(j));
              addSchema(properties.value(j), texts);
            }
          } else {
            addSchema(object.value(i), texts);
          }
        }
      }
      case Json.Arr array -> array.forEach(item -> addSchema(item, texts));
      case Json.Str s -> {}
      case Json.Num n -> {}
      case Json.Bool b -> {}
      case Json.Null n -> {}
    }
  }
}
