package io.strowger.core.guardrail;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A category of moderation that an operator adds.
 *
 * @param name the name that callers see
 * @param pattern the pattern, in the syntax of content filters
 * @param action the action for a match; null for the configured default
 */
record ModerationPattern(String name, String pattern, @Nullable String action) {
  private static final List<String> ACTIONS = List.of("flag", "redact", "block");
  private static final Set<String> MEMBERS = Set.of("name", "pattern", "action");
  private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
  private static final int MAX_NAME = 64;
  private static final int MOST = 100;

  static Json.Obj schema() {
    Json text = Json.object().put("type", "string").build();
    Json actions =
        Json.object().put("enum", Json.array(ACTIONS.stream().map(Json::of).toList())).build();
    Json object =
        Json.object()
            .put("type", "object")
            .put(
                "properties",
                Json.object().put("name", text).put("pattern", text).put("action", actions).build())
            .put("required", Json.array(Json.of("pattern")))
            .build();
    return Json.object()
        .put("type", "array")
        .put("items", Json.object().put("anyOf", Json.array(text, object)).build())
        .build();
  }

  /**
   * Reads a list of patterns. A pattern without a name is named {@code pattern-} and its number,
   * from 1.
   */
  static List<ModerationPattern> read(Json member, Field.Reporter problems) {
    var patterns = new ArrayList<ModerationPattern>();
    if (!(member instanceof Json.Arr items) || items.size() > MOST) {
      problems.problem("", "must be an array of at most " + MOST + " patterns", member);
      return patterns;
    }
    var names = new HashSet<String>();
    for (int i = 0; i < items.size(); i++) {
      String at = "/" + i;
      Field.Reporter below = (place, allowed, json) -> problems.problem(at + place, allowed, json);
      ModerationPattern pattern = one(items.get(i), "pattern-" + (i + 1), below);
      if (!names.add(pattern.name())) {
        below.problem("/name", "must be unique", Json.of(pattern.name()));
      }
      patterns.add(pattern);
    }
    return List.copyOf(patterns);
  }

  private static ModerationPattern one(Json item, String usualName, Field.Reporter problems) {
    if (item instanceof Json.Str text) {
      requirePattern("", text, problems);
      return new ModerationPattern(usualName, text.text(), null);
    }
    if (!(item instanceof Json.Obj said)) {
      problems.problem("", "must be a string or an object", item);
      return new ModerationPattern(usualName, "", null);
    }
    for (int i = 0; i < said.size(); i++) {
      if (!MEMBERS.contains(said.name(i))) {
        problems.problem(
            "/" + said.name(i).replace("~", "~0").replace("/", "~1"),
            "is not a member here; those are name, pattern, action",
            said.value(i));
      }
    }
    Json pattern = said.get("pattern");
    if (pattern == null) {
      problems.missing("/pattern");
    } else {
      requirePattern("/pattern", pattern, problems);
    }
    return new ModerationPattern(
        name(said, usualName, problems),
        pattern instanceof Json.Str text ? text.text() : "",
        action(said, problems));
  }

  private static void requirePattern(String at, Json pattern, Field.Reporter problems) {
    String problem = FilterPattern.problem(pattern instanceof Json.Str text ? text.text() : "");
    if (problem != null) {
      problems.problem(at, problem, pattern);
    }
  }

  private static String name(Json.Obj said, String usual, Field.Reporter problems) {
    Json name = said.get("name");
    if (name == null || name instanceof Json.Null) {
      return usual;
    }
    String text = name instanceof Json.Str str ? str.text() : "";
    if (text.length() > MAX_NAME || !NAME.matcher(text).matches()) {
      problems.problem(
          "/name", "must be 1 to 64 characters, lower-case words joined by hyphens", name);
      return usual;
    }
    return text;
  }

  private static @Nullable String action(Json.Obj said, Field.Reporter problems) {
    Json action = said.get("action");
    if (action == null || action instanceof Json.Null) {
      return null;
    }
    String text = action instanceof Json.Str str ? str.text() : "";
    if (!ACTIONS.contains(text)) {
      problems.problem("/action", "must be one of " + String.join(", ", ACTIONS), action);
    }
    return text;
  }
}
