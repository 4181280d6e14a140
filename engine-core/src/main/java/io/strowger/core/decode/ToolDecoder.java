package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Tool;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code tools} and {@code tool_choice}. Chat fact sheet, section 5. */
final class ToolDecoder {
  static final String SERVER_PREFIX = "router:";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final List<String> CHOICES = List.of("none", "auto", "required");

  /** Other spellings of the gateway's own web search. */
  private static final Set<String> SEARCH =
      Set.of(
          "web_search",
          "web_search_preview",
          "web_search_preview_2025_03_11",
          "web_search_2025_08_26");

  private static final String UNAVAILABLE =
      "is a tool of the gateway that is not available in this version";

  private final Checks checks;

  ToolDecoder(Checks checks) {
    this.checks = checks;
  }

  @Nullable Tool decode(JsonPointer at, Json item) {
    if (!(item instanceof Json.Obj tool)) {
      checks.problems().add(at, "must be an object", item);
      return null;
    }
    Json type = tool.get("type");
    if (type == null) {
      checks.missing(at, "type");
      return null;
    }
    String name = type instanceof Json.Str str ? str.text() : "";
    if (name.equals("function")) {
      return function(at, tool);
    }
    checks.wrong(at, "type", isServerTool(name) ? UNAVAILABLE : "must be function", type);
    return null;
  }

  private static boolean isServerTool(String type) {
    return type.startsWith(SERVER_PREFIX) || SEARCH.contains(type);
  }

  private @Nullable Tool function(JsonPointer at, Json.Obj tool) {
    Json cache = tool.get("cache_control");
    if (cache != null) {
      Markers.cacheControl(checks, at, "cache_control", cache);
    }
    Json given = tool.get("function");
    if (given == null) {
      checks.missing(at, "function");
      return null;
    }
    Json.Obj function = checks.object(at, "function", given);
    return function == null ? null : function(at.child("function"), tool, function);
  }

  private @Nullable Tool function(JsonPointer at, Json.Obj tool, Json.Obj function) {
    Json description = function.get("description");
    Json parameters = function.get("parameters");
    Json strict = function.get("strict");
    Json.Str described = description == null ? null : checks.string(at, "description", description);
    Json.Obj schema = parameters == null ? null : checks.object(at, "parameters", parameters);
    if (strict != null && !(strict instanceof Json.Null)) {
      checks.bool(at, "strict", strict);
    }
    String name = name(at, function);
    if (name == null) {
      return null;
    }
    Json.Obj rest = function.without("name").without("description").without("parameters");
    Json.Obj extras = PartDecoder.extras(tool, "function", rest);
    return new Tool.Function(
        name, described == null ? null : described.text(), schema, extras, tool);
  }

  private @Nullable String name(JsonPointer at, Json.Obj holder) {
    Json given = holder.get("name");
    if (given == null) {
      checks.missing(at, "name");
      return null;
    }
    if (given instanceof Json.Str str && NAME.matcher(str.text()).matches()) {
      return str.text();
    }
    checks.wrong(at, "name", "must be 1 to 64 of A-Z a-z 0-9 _ -", given);
    return null;
  }

  /** {@code none}, {@code auto}, {@code required}, or one function by name. */
  void choice(JsonPointer root, String member, Json given) {
    if (given instanceof Json.Str) {
      checks.word(root, member, given, CHOICES);
      return;
    }
    if (!(given instanceof Json.Obj choice)) {
      checks.wrong(
          root, member, "must be none, auto, required or an object that names a tool", given);
      return;
    }
    JsonPointer at = root.child(member);
    Json type = choice.get("type");
    if (type == null) {
      checks.missing(at, "type");
    } else if (Json.of("function").equals(type)) {
      chosenFunction(at, choice);
    } else {
      boolean server = type instanceof Json.Str str && isServerTool(str.text());
      checks.wrong(at, "type", server ? UNAVAILABLE : "must be function", type);
    }
  }

  private void chosenFunction(JsonPointer at, Json.Obj choice) {
    Json given = choice.get("function");
    if (given == null) {
      checks.missing(at, "function");
      return;
    }
    Json.Obj function = checks.object(at, "function", given);
    if (function != null) {
      name(at.child("function"), function);
    }
  }
}
