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
  private static final int MAX_NAME_CHARS = 64;
  private static final int MAX_PATTERNS = 100;

  static Json.Obj schema() {
    Json text = Json.object().put("type", "string").build();
    Json actions = Json.object().put("enum", Json.strings(ACTIONS)).build();
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
    if (!(member instanceof Json.Arr items) || items.size() > MAX_PATTERNS) {
      problems.report("", "must be an array of at most " + MAX_PATTERNS + " patterns", member);
      return patterns;
    }
    var names = new HashSet<String>();
    for (int i = 0; i < items.size(); i++) {
      String pointer = "/" + i;
      Field.Reporter itemProblems =
          (subpointer, allowed, json) -> problems.report(pointer + subpointer, allowed, json);
      ModerationPattern pattern = readOne(items.get(i), "pattern-" + (i + 1), itemProblems);
      if (!names.add(pattern.name())) {
        itemProblems.report("/name", "must be unique", Json.of(pattern.name()));
      }
      patterns.add(pattern);
    }
    return List.copyOf(patterns);
  }

  private static ModerationPattern readOne(Json item, String defaultName, Field.Reporter problems) {
    if (item instanceof Json.Str text) {
      requirePattern("", text, problems);
      return new ModerationPattern(defaultName, text.text(), null);
    }
    if (!(item instanceof Json.Obj members)) {
      problems.report("", "must be a string or an object", item);
      return new ModerationPattern(defaultName, "", null);
    }
    for (int i = 0; i < members.size(); i++) {
      if (!MEMBERS.contains(members.name(i))) {
        problems.report(
            "/" + members.name(i).replace("~", "~0").replace("/", "~1"),
            "is not a member here; allowed: name, pattern, action",
            members.value(i));
      }
    }
    Json pattern = members.get("pattern");
    if (pattern == null) {
      problems.reportMissing("/pattern");
    } else {
      requirePattern("/pattern", pattern, problems);
    }
    return new ModerationPattern(
        name(members, defaultName, problems),
        pattern instanceof Json.Str text ? text.text() : "",
        action(members, problems));
  }

  private static void requirePattern(String pointer, Json pattern, Field.Reporter problems) {
    String problem = FilterPattern.problem(pattern instanceof Json.Str text ? text.text() : "");
    if (problem != null) {
      problems.report(pointer, problem, pattern);
    }
  }

  private static String name(Json.Obj members, String defaultName, Field.Reporter problems) {
    Json name = members.get("name");
    if (name == null || name instanceof Json.Null) {
      return defaultName;
    }
    String text = name instanceof Json.Str str ? str.text() : "";
    if (text.length() > MAX_NAME_CHARS || !NAME.matcher(text).matches()) {
      problems.report(
          "/name", "must be 1 to 64 characters, lower-case words joined by hyphens", name);
      return defaultName;
    }
    return text;
  }

  private static @Nullable String action(Json.Obj members, Field.Reporter problems) {
    Json action = members.get("action");
    if (action == null || action instanceof Json.Null) {
      return null;
    }
    String text = action instanceof Json.Str str ? str.text() : "";
    if (!ACTIONS.contains(text)) {
      problems.report("/action", "must be one of " + String.join(", ", ACTIONS), action);
    }
    return text;
  }
}
