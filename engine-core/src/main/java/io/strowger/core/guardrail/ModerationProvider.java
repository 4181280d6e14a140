package io.strowger.core.guardrail;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
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
 * The plugin {@code moderation}: checks requests and answers with the detectors of the guardrails
 * and with the operator's patterns and classifiers. By default, requests are only flagged and
 * answers are not checked. A request can neither configure nor disable it.
 *
 * <p>Settings, in the section {@code moderation}: {@code action} is the action for a match, {@code
 * answers} determines whether answers are checked, {@code patterns} adds categories, and {@code
 * requests} sets other actions for some categories.
 *
 * <p>Contract: "Plugins", {@code moderation}; plugins fact sheet, section 10.
 */
public final class ModerationProvider implements PluginProvider.Configurable {
  static final String ID = "moderation";

  private static final String OFF = "off";
  private static final String FLAG = "flag";
  private static final String REDACT = "redact";
  private static final List<String> ACTIONS = List.of(FLAG, REDACT, "block");
  private static final List<String> ACTIONS_OR_OFF = List.of(FLAG, REDACT, "block", OFF);
  private static final String CATEGORY = "[a-z0-9]+(-[a-z0-9]+)*";

  /**
   * The actions by category.
   *
   * @param defaultAction the action for categories that are not named
   * @param byCategory actions by category
   */
  private record Actions(String defaultAction, Map<String, String> byCategory) {
    /** No category is checked. */
    static final Actions NONE = new Actions(OFF, Map.of());

    String forCategory(String category) {
      return byCategory.getOrDefault(category, defaultAction);
    }
  }

  /**
   * Whether and how answers are checked.
   *
   * @param actions the actions by category; null to use the actions for requests
   */
  record AnswerSettings(boolean isEnabled, @Nullable Map<String, String> actions) {}

  /** Setting: the action for a match. */
  public static final Field<String> ACTION =
      Fields.oneOf("action", ACTIONS, FLAG, "The action for a match.");

  /** Setting: the action for a request, by category. */
  public static final Field<Map<String, String>> REQUESTS =
      new Field<>(
          "requests",
          (member, problems) -> actions(member, "must be an object", problems),
          Map.of(),
          "The action for a match in a request, by category; other categories have the one in"
              + " action.",
          actionsSchema(),
          false);

  /** Setting: whether and how answers are checked. */
  static final Field<AnswerSettings> ANSWERS =
      new Field<>(
          "answers",
          ModerationProvider::answers,
          new AnswerSettings(false, null),
          "Whether answers are checked like requests; or an object with the action for a match in"
              + " an answer, by category. Other categories have the one in action.",
          Json.object()
              .put(
                  "anyOf",
                  Json.array(Json.object().put("type", "boolean").build(), actionsSchema()))
              .build(),
          false);

  /** Setting: patterns, each of which adds a category. */
  static final Field<List<ModerationPattern>> PATTERNS =
      new Field<>(
          "patterns",
          ModerationPattern::read,
          List.of(),
          "Patterns in the syntax of content filters, each of which adds a category: a string, or"
              + " an object with pattern, name and action.",
          ModerationPattern.schema(),
          false);

  private static final ConfigSchema SETTINGS =
      new ConfigSchema(List.of(ACTION, ANSWERS, PATTERNS, REQUESTS), false);

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor(ID).order(300).schema(new ConfigSchema(List.of(), false)).build();

  private final List<TextClassifier> classifiers;
  private final Moderation moderation;

  /** Creates a provider with the built-in detectors only. */
  public ModerationProvider() {
    this(List.of());
  }

  /**
   * Creates a provider with the built-in detectors and these classifiers.
   *
   * @throws IllegalArgumentException when two classifiers share a category, or a category is not a
   *     valid name
   */
  public ModerationProvider(List<TextClassifier> classifiers) {
    this(classifiers, List.of(), new Actions(FLAG, Map.of()), Actions.NONE);
  }

  private ModerationProvider(
      List<TextClassifier> classifiers,
      List<ModerationPattern> patterns,
      Actions requests,
      Actions answers) {
    this.classifiers = List.copyOf(classifiers);
    Set<String> classifierCategories = classifierCategories(patterns);
    requireKnownCategories("requests", requests.byCategory(), classifierCategories, patterns);
    requireKnownCategories("answers", answers.byCategory(), classifierCategories, patterns);
    moderation =
        new Moderation(
            filterRules(patterns, requests),
            filterRules(patterns, answers),
            this.classifiers,
            actions(classifierCategories, requests),
            actions(classifierCategories, answers));
  }

  private static AnswerSettings answers(Json member, Field.Reporter problems) {
    return member instanceof Json.Bool enabled
        ? new AnswerSettings(enabled.value(), null)
        : new AnswerSettings(true, actions(member, "must be true, false or an object", problems));
  }

  private static Map<String, String> actions(Json member, String allowed, Field.Reporter problems) {
    var actions = new LinkedHashMap<String, String>();
    if (!(member instanceof Json.Obj object)) {
      problems.report("", allowed + " of an action for each category", member);
      return actions;
    }
    for (int i = 0; i < object.size(); i++) {
      if (object.value(i) instanceof Json.Str action && ACTIONS_OR_OFF.contains(action.text())) {
        actions.put(object.name(i), action.text());
      } else {
        problems.report(
            "/" + object.name(i).replace("~", "~0").replace("/", "~1"),
            "must be one of " + String.join(", ", ACTIONS_OR_OFF),
            object.value(i));
      }
    }
    return actions;
  }

  private static Json.Obj actionsSchema() {
    Json words = Json.strings(ACTIONS_OR_OFF);
    return Json.object()
        .put("type", "object")
        .put("additionalProperties", Json.object().put("enum", words).build())
        .build();
  }

  /** Returns the categories of the classifiers, and rejects duplicates and invalid names. */
  private Set<String> classifierCategories(List<ModerationPattern> patterns) {
    var names = new HashSet<String>();
    Stream.of(BuiltinFilter.values()).forEach(filter -> names.add(filter.slug()));
    for (ModerationPattern pattern : patterns) {
      if (!names.add(pattern.name())) {
        throw new IllegalArgumentException(
            "must not have a pattern with the category " + pattern.name() + ", which is taken");
      }
    }
    var classifierCategories = new TreeSet<String>();
    for (TextClassifier classifier : classifiers) {
      for (String category : classifier.categories()) {
        if (!category.matches(CATEGORY) || !names.add(category)) {
          throw new IllegalArgumentException(
              "has a classifier whose category "
                  + category
                  + " is not a valid name, or already exists");
        }
        classifierCategories.add(category);
      }
    }
    return classifierCategories;
  }

  private static void requireKnownCategories(
      String setting,
      Map<String, String> actions,
      Set<String> classifierCategories,
      List<ModerationPattern> patterns) {
    var known = new ArrayList<String>();
    Stream.of(BuiltinFilter.values()).forEach(filter -> known.add(filter.slug()));
    patterns.forEach(pattern -> known.add(pattern.name()));
    known.addAll(classifierCategories);
    actions.forEach(
        (category, action) -> {
          if (!known.contains(category)) {
            throw new IllegalArgumentException(
                "must not have %s in %s; categories are %s"
                    .formatted(category, setting, String.join(", ", known)));
          }
          if (classifierCategories.contains(category) && action.equals(REDACT)) {
            throw new IllegalArgumentException(
                "must not redact %s in %s: a classifier gives no positions to redact"
                    .formatted(category, setting));
          }
        });
  }

  private static List<FilterRule> filterRules(List<ModerationPattern> patterns, Actions actions) {
    var rules = new ArrayList<FilterRule>();
    for (BuiltinFilter filter : BuiltinFilter.values()) {
      String action = actions.forCategory(filter.slug());
      if (!action.equals(OFF)) {
        rules.add(FilterRule.of(filter, FilterAction.of(action), false));
      }
    }
    for (ModerationPattern pattern : patterns) {
      String action = actions.forCategory(pattern.name());
      if (!action.equals(OFF)) {
        rules.add(FilterRule.named(pattern.name(), pattern.pattern(), FilterAction.of(action)));
      }
    }
    return rules;
  }

  /**
   * Returns the actions for classifiers. A classifier gives no positions, so it flags where a
   * detector would redact.
   */
  private static Map<String, FilterAction> actions(
      Set<String> classifierCategories, Actions actions) {
    var filterActions = new LinkedHashMap<String, FilterAction>();
    for (String category : classifierCategories) {
      String action = actions.forCategory(category);
      if (!action.equals(OFF)) {
        filterActions.put(category, FilterAction.of(action.equals(REDACT) ? FLAG : action));
      }
    }
    return filterActions;
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
    List<ModerationPattern> patterns = settings.get(PATTERNS);
    var patternActions = new LinkedHashMap<String, String>();
    patterns.stream()
        .filter(pattern -> pattern.action() != null)
        .forEach(pattern -> patternActions.put(pattern.name(), String.valueOf(pattern.action())));
    Actions requests = actions(settings, patternActions, settings.get(REQUESTS));
    AnswerSettings answerSettings = settings.get(ANSWERS);
    Map<String, String> answerActions = answerSettings.actions();
    Actions answers =
        answerActions == null ? requests : actions(settings, patternActions, answerActions);
    return new ModerationProvider(
        classifiers, patterns, requests, answerSettings.isEnabled() ? answers : Actions.NONE);
  }

  private static Actions actions(
      PluginConfig settings, Map<String, String> patternActions, Map<String, String> byCategory) {
    var merged = new LinkedHashMap<>(patternActions);
    merged.putAll(byCategory);
    return new Actions(settings.get(ACTION), merged);
  }

  @Override
  public Interceptor create(PluginConfig config, Catalog catalog) {
    return moderation;
  }
}
