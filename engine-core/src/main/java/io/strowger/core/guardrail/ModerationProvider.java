package io.strowger.core.guardrail;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.TextClassifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The plugin {@code moderation}: looks through requests and answers with the detectors of the
 * guardrails, an operator's patterns and classifiers. Unless the operator says more, everything is
 * only flagged. Takes no configuration of a request and cannot be switched off by one.
 *
 * <p>Settings: {@code requests} and {@code answers} have an action for each category: {@code
 * block}, {@code redact}, {@code flag} or {@code off}; what they do not name is flagged. {@code
 * patterns} adds categories.
 *
 * <p>Contract: "Plugins", {@code moderation}; plugins fact sheet, section 10.
 */
public final class ModerationProvider implements PluginProvider.Configurable {
  static final String ID = "moderation";

  private static final String OFF = "off";
  private static final List<String> ACTIONS = List.of("block", "redact", "flag", OFF);
  private static final String CATEGORY = "[a-z0-9]+(-[a-z0-9]+)*";
  private static final int MOST_PATTERNS = 100;

  /** A category an operator adds. */
  private record Custom(String name, String pattern) {}

  /** Settings: what becomes of a request, by category. */
  public static final Field<Map<String, String>> REQUESTS =
      actions("requests", "What becomes of a request, by category; flag for those not named.");

  /** Settings: what becomes of an answer, by category. */
  public static final Field<Map<String, String>> ANSWERS =
      actions("answers", "What becomes of an answer, by category; flag for those not named.");

  /** Settings: patterns, by the category they add. */
  public static final Field<Map<String, String>> PATTERNS =
      new Field<>(
          "patterns",
          ModerationProvider::patterns,
          Map.of(),
          "Patterns in the syntax of content filters, by the category they add.",
          Json.object()
              .put("type", "object")
              .put("additionalProperties", Json.object().put("type", "string").build())
              .build(),
          false);

  private static final ConfigSchema SETTINGS =
      new ConfigSchema(List.of(REQUESTS, ANSWERS, PATTERNS), false);

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor(ID).order(300).schema(new ConfigSchema(List.of(), false)).build();

  private final List<TextClassifier> classifiers;
  private final Moderation moderation;

  /** With the built-in detectors. */
  public ModerationProvider() {
    this(List.of());
  }

  /**
   * With the built-in detectors and these classifiers.
   *
   * @throws IllegalArgumentException when two have a category of one name, or one is no name
   */
  public ModerationProvider(List<TextClassifier> classifiers) {
    this(classifiers, Map.of(), Map.of(), Map.of());
  }

  private ModerationProvider(
      List<TextClassifier> classifiers,
      Map<String, String> patterns,
      Map<String, String> requests,
      Map<String, String> answers) {
    this.classifiers = List.copyOf(classifiers);
    var custom = patterns.entrySet().stream().map(p -> new Custom(p.getKey(), p.getValue()));
    List<Custom> added = custom.toList();
    Set<String> judged = categories(added);
    checkNames("requests", requests, judged, added);
    checkNames("answers", answers, judged, added);
    moderation =
        new Moderation(
            rules(added, requests),
            rules(added, answers),
            this.classifiers,
            actions(judged, requests),
            actions(judged, answers));
  }

  private static Field<Map<String, String>> actions(String name, String doc) {
    return new Field<>(
        name,
        (member, problems) -> {
          var actions = new LinkedHashMap<String, String>();
          if (!(member instanceof Json.Obj object)) {
            problems.problem("", "must be an object of an action for each category", member);
            return actions;
          }
          for (int i = 0; i < object.size(); i++) {
            if (object.value(i) instanceof Json.Str action && ACTIONS.contains(action.text())) {
              actions.put(object.name(i), action.text());
            } else {
              problems.problem(
                  "/" + object.name(i),
                  "must be one of " + String.join(", ", ACTIONS),
                  object.value(i));
            }
          }
          return actions;
        },
        Map.of(),
        doc,
        Json.object()
            .put("type", "object")
            .put(
                "additionalProperties",
                Json.object()
                    .put("enum", Json.array(ACTIONS.stream().map(Json::of).toList()))
                    .build())
            .build(),
        false);
  }

  private static Map<String, String> patterns(Json member, Field.Reporter problems) {
    var patterns = new LinkedHashMap<String, String>();
    if (!(member instanceof Json.Obj object) || object.size() > MOST_PATTERNS) {
      problems.problem("", "must be an object of at most " + MOST_PATTERNS + " patterns", member);
      return patterns;
    }
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      Json value = object.value(i);
      String pattern = value instanceof Json.Str text ? text.text() : "";
      @Nullable String problem = FilterPattern.problem(pattern);
      if (!name.matches(CATEGORY)) {
        problem = "must have a category of lower-case words joined by hyphens as its name";
      }
      if (problem != null) {
        problems.problem("/" + name, problem, value);
      } else {
        patterns.put(name, pattern);
      }
    }
    return patterns;
  }

  /** Categories of the classifiers. */
  private Set<String> categories(List<Custom> added) {
    var taken = new HashSet<String>();
    Stream.of(Builtin.values()).forEach(builtin -> taken.add(builtin.slug()));
    for (Custom custom : added) {
      if (!taken.add(custom.name())) {
        throw new IllegalArgumentException(
            "must not have a pattern with the category " + custom.name() + ", which is built in");
      }
    }
    var judged = new TreeSet<String>();
    for (TextClassifier classifier : classifiers) {
      for (String category : classifier.categories()) {
        if (!category.matches(CATEGORY) || !taken.add(category)) {
          throw new IllegalArgumentException(
              "has a classifier whose category " + category + " is no name, or taken");
        }
        judged.add(category);
      }
    }
    return judged;
  }

  private static void checkNames(
      String setting, Map<String, String> actions, Set<String> judged, List<Custom> added) {
    var known = new ArrayList<String>();
    Stream.of(Builtin.values()).forEach(builtin -> known.add(builtin.slug()));
    added.forEach(custom -> known.add(custom.name()));
    known.addAll(judged);
    actions.forEach(
        (category, action) -> {
          if (!known.contains(category)) {
            throw new IllegalArgumentException(
                "must not have %s in %s; categories are %s"
                    .formatted(category, setting, String.join(", ", known)));
          }
          if (judged.contains(category) && action.equals("redact")) {
            throw new IllegalArgumentException(
                "must not redact %s in %s: a classifier knows no places"
                    .formatted(category, setting));
          }
        });
  }

  private static @Nullable Action action(Map<String, String> actions, String category) {
    String action = actions.getOrDefault(category, "flag");
    return action.equals(OFF) ? null : Action.of(action);
  }

  private static List<FilterRule> rules(List<Custom> added, Map<String, String> actions) {
    var rules = new ArrayList<FilterRule>();
    for (Builtin builtin : Builtin.values()) {
      Action action = action(actions, builtin.slug());
      if (action != null) {
        rules.add(FilterRule.of(builtin, action, false));
      }
    }
    for (Custom custom : added) {
      Action action = action(actions, custom.name());
      if (action != null) {
        rules.add(FilterRule.named(custom.name(), custom.pattern(), action));
      }
    }
    return rules;
  }

  private static Map<String, Action> actions(Set<String> judged, Map<String, String> actions) {
    var by = new LinkedHashMap<String, Action>();
    for (String category : judged) {
      Action action = action(actions, category);
      if (action != null) {
        by.put(category, action);
      }
    }
    return by;
  }

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public ConfigSchema settings() {
    return SETTINGS;
  }

  @Override
  public PluginProvider with(PluginConfig settings) {
    return new ModerationProvider(
        classifiers, settings.get(PATTERNS), settings.get(REQUESTS), settings.get(ANSWERS));
  }

  @Override
  public Interceptor create(PluginConfig config, Catalog catalog) {
    return moderation;
  }
}
