package io.strowger.plugins.bodybuilder;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the models that a text names by id, alias, name or family. A family means its latest model.
 * Has no side effects.
 */
final class NamedModels {
  private static final Comparator<ModelInfo> BY_AGE =
      Comparator.comparing(
              ModelInfo::createdAt, Comparator.nullsFirst(Comparator.<Instant>naturalOrder()))
          .thenComparing(ModelInfo::id);

  private NamedModels() {}

  static boolean isVisible(ModelInfo model) {
    return !model.isHidden() && !model.isPrivate() && !model.endpoints().isEmpty();
  }

  /**
   * Returns the models that the text names, in the order of the catalog, up to a maximum number.
   */
  static List<ModelInfo> in(String text, Catalog catalog, int maxModels) {
    String words = text.toLowerCase(Locale.ROOT);
    Map<String, ModelInfo> latest = latest(catalog);
    var matches = new ArrayList<ModelInfo>();
    for (ModelInfo model : catalog.models()) {
      if (matches.size() < maxModels && isVisible(model) && isNamed(model, latest, words)) {
        matches.add(model);
      }
    }
    return matches;
  }

  private static boolean isNamed(ModelInfo model, Map<String, ModelInfo> latest, String words) {
    if (contains(words, model.id())
        || contains(words, withoutAuthor(model.id()))
        || contains(words, model.name())) {
      return true;
    }
    String family = model.family();
    return model.aliases().stream().anyMatch(alias -> contains(words, alias))
        || family != null && latest.get(family) == model && contains(words, withoutAuthor(family));
  }

  private static Map<String, ModelInfo> latest(Catalog catalog) {
    var latest = new LinkedHashMap<String, ModelInfo>();
    for (ModelInfo model : catalog.models()) {
      if (model.family() != null && isVisible(model)) {
        latest.merge(
            model.family(),
            model,
            (first, second) -> BY_AGE.compare(first, second) < 0 ? second : first);
      }
    }
    return latest;
  }

  /** Returns the model with this id, else the latest of the family with this name; null if none. */
  static @Nullable ModelInfo of(String slug, Catalog catalog) {
    String base = slug.split(":", 2)[0];
    ModelInfo exact = catalog.model(base);
    if (exact != null && isVisible(exact)) {
      return exact;
    }
    String family = base.startsWith("~") ? base.substring(1) : base;
    family = family.endsWith("-latest") ? family.substring(0, family.length() - 7) : family;
    return latest(catalog).get(family);
  }

  private static String withoutAuthor(String id) {
    return id.substring(id.indexOf('/') + 1);
  }

  /** Returns whether a name occurs as whole words: {@code gpt} does not occur in {@code gptq}. */
  private static boolean contains(String words, String name) {
    String lowerCaseName = name.toLowerCase(Locale.ROOT);
    for (int index = words.indexOf(lowerCaseName);
        index >= 0;
        index = words.indexOf(lowerCaseName, index + 1)) {
      int end = index + lowerCaseName.length();
      boolean begins = index == 0 || !isNameChar(words.charAt(index - 1));
      boolean ends = end == words.length() || !isNameChar(words.charAt(end));
      if (!lowerCaseName.isEmpty() && begins && ends) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNameChar(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '/';
  }
}
