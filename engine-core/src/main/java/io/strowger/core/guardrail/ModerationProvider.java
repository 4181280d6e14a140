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
   * @param otherwise the action for categories that are not named
   * @param named actions by category
   */
  private record Actions(String otherwise, Map<String, String> named) {
    /** No category is checked. */
    static final Actions NONE = new Actions(OFF, Map.of());

    String of(String category) {
      return named.getOrDefault(category, otherwise);
    }
  }

  /**
   * Whether and how answers are checked.
   *
   * @param actions the actions by category; null to use those for requests
   */
  record AnswerChoice(boolean guarded, @Nullable Map<String, String> actions) {}

  /** Setting: the action for a match. */
  public static final Field<String> ACTION =
      Fields.oneOf("action", ACTIONS, FLAG, "What becomes of what is found.");

  /** Setting: the action for a request, by category. */
  public static final Field<Map<String, String>> REQUESTS =
      new Field<>(
          "requests",
          (member, problems) -> actions(member, "must be an object", problems),
          Map.of(),
          "What becomes of a request, by category; action for those not named.",
          byCategory(),
          false);

  /** Setting: whether and how answers are checked. */
  static final Field<AnswerChoice> ANSWERS =
      new Field<>(
          "answers",
          ModerationProvider::answers,
          new AnswerChoice(false, null),
          "Whether answers are looked through as requests are; or an object with what becomes of an"
              + " answer, by category, and action for those not named.",
          Json.object()
              .put("anyOf", Json.array(Json.object().put("type", "boolean").build(), byCategory()))
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
    Set<String> judged = categories(patterns);
    checkNames("requests", requests.named(), judged, patterns);
    checkNames("answers", answers.named(), judged, patterns);
    moderation =
        new Moderation(
            rules(patterns, requests),
            rules(patterns, answers),
            this.classifiers,
            actions(judged, requests),
            actions(judged, answers));
  }

  private static AnswerChoice answers(Json member, Field.Reporter problems) {
    return member instanceof Json.Bool guarded
        ? new AnswerChoice(guarded.value(), null)
        : new AnswerChoice(true, actions(member, "must be true, false or an object", problems));
  }

  private static Map<String, String> actions(Json member, String allowed, Field.Reporter problems) {
    var actions = new LinkedHashMap<String, String>();
    if (!(member instanceof Json.Obj object)) {
      problems.problem("", allowed + " of an action for each category", member);
      return actions;
    }
    for (int i = 0; i < object.size(); i++) {
      if (object.value(i) instanceof Json.Str action && ACTIONS_OR_OFF.contains(action.text())) {
        actions.put(object.name(i), action.text());
      } else {
        problems.problem(
            "/" + object.name(i).replace("~", "~0").replace("/", "~1"),
            "must be one of " + String.join(", ", ACTIONS_OR_OFF),
            object.value(i));
      }
    }
    return actions;
  }

  private static Json.Obj byCategory() {
    Json words = Json.array(ACTIONS_OR_OFF.stream().map(Json::of).toList());
    return Json.object()
        .put("type", "object")
        .put("additionalProperties", Json.object().put("enum", words).build())
        .build();
  }

  /** Returns the categories of the classifiers, and rejects duplicates and invalid names. */
  private Set<String> categories(List<ModerationPattern> added) {
    var taken = new HashSet<String>();
    Stream.of(BuiltinFilter.values()).forEach(builtinFilter -> taken.add(builtinFilter.slug()));
    for (ModerationPattern custom : added) {
      if (!taken.add(custom.name())) {
        throw new IllegalArgumentException(
            "must not have a pattern with the category " + custom.name() + ", which is taken");
      }
    }
    var judged = new TreeSet<String>();
    for (TextClassifier classifier : classifiers) {
      for (String category : classifier.categories()) {
        if (!category.matches(CATEGORY) || !taken.add(category)) {
          throw new IllegalArgumentException(
              "has a classifier whose category "
                  + category
                  + " is not a valid name, or already exists");
        }
        judged.add(category);
      }
    }
    return judged;
  }

  private static void checkNames(
      String setting,
      Map<String, String> actions,
      Set<String> judged,
      List<ModerationPattern> added) {
    var known = new ArrayList<String>();
    Stream.of(BuiltinFilter.values()).forEach(builtinFilter -> known.add(builtinFilter.slug()));
    added.forEach(custom -> known.add(custom.name()));
    known.addAll(judged);
    actions.forEach(
        (category, action) -> {
          if (!known.contains(category)) {
            throw new IllegalArgumentException(
                "must not have %s in %s; categories are %s"
                    .formatted(category, setting, String.join(", ", known)));
          }
          if (judged.contains(category) && action.equals(REDACT)) {
            throw new IllegalArgumentException(
                "must not redact %s in %s: a classifier gives no positions to redact"
                    .formatted(category, setting));
          }
        });
  }

  private static List<FilterRule> rules(List<ModerationPattern> added, Actions actions) {
    var rules = new ArrayList<FilterRule>();
    for (BuiltinFilter builtinFilter : BuiltinFilter.values()) {
      String action = actions.of(builtinFilter.slug());
      if (!action.equals(OFF)) {
        rules.add(FilterRule.of(builtinFilter, FilterAction.of(action), false));
      }
    }
    for (ModerationPattern custom : added) {
      String action = actions.of(custom.name());
      if (!action.equals(OFF)) {
        rules.add(FilterRule.named(custom.name(), custom.pattern(), FilterAction.of(action)));
      }
    }
    return rules;
  }

  /**
   * Returns the actions for classifiers. A classifier gives no positions, so it flags where a
   * detector would redact.
   */
  private static Map<String, FilterAction> actions(Set<String> judged, Actions actions) {
    var by = new LinkedHashMap<String, FilterAction>();
    for (String category : judged) {
      String action = actions.of(category);
      if (!action.equals(OFF)) {
        by.put(category, FilterAction.of(action.equals(REDACT) ? FLAG : action));
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
    List<ModerationPattern> patterns = settings.get(PATTERNS);
    var ofPatterns = new LinkedHashMap<String, String>();
    patterns.stream()
        .filter(pattern -> pattern.action() != null)
        .forEach(pattern -> ofPatterns.put(pattern.name(), String.valueOf(pattern.action())));
    Actions requests = actions(settings, ofPatterns, settings.get(REQUESTS));
    AnswerChoice choice = settings.get(ANSWERS);
    Map<String, String> own = choice.actions();
    Actions answers = own == null ? requests : actions(settings, ofPatterns, own);
    return new ModerationProvider(
        classifiers, patterns, requests, choice.guarded() ? answers : Actions.NONE);
  }

  private static Actions actions(
      PluginConfig settings, Map<String, String> ofPatterns, Map<String, String> named) {
    var all = new LinkedHashMap<>(ofPatterns);
    all.putAll(named);
    return new Actions(settings.get(ACTION), all);
  }

  @Override
  public Interceptor create(PluginConfig config, Catalog catalog) {
    return moderation;
  }
}
