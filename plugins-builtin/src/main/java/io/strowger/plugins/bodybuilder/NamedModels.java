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
              ModelInfo::created, Comparator.nullsFirst(Comparator.<Instant>naturalOrder()))
          .thenComparing(ModelInfo::id);

  private NamedModels() {}

  static boolean isVisible(ModelInfo model) {
    return !model.hidden() && !model.isPrivate() && !model.endpoints().isEmpty();
  }

  /**
   * Returns the models that the text names, in the order of the catalog, up to a maximum number.
   */
  static List<ModelInfo> in(String text, Catalog catalog, int most) {
    String words = text.toLowerCase(Locale.ROOT);
    Map<String, ModelInfo> latest = latest(catalog);
    var named = new ArrayList<ModelInfo>();
    for (ModelInfo model : catalog.models()) {
      if (named.size() < most && isVisible(model) && isNamed(model, latest, words)) {
        named.add(model);
      }
    }
    return named;
  }

  private static boolean isNamed(ModelInfo model, Map<String, ModelInfo> latest, String words) {
    if (has(words, model.id()) || has(words, lastOf(model.id())) || has(words, model.name())) {
      return true;
    }
    String family = model.family();
    return model.aliases().stream().anyMatch(alias -> has(words, alias))
        || family != null && latest.get(family) == model && has(words, lastOf(family));
  }

  private static Map<String, ModelInfo> latest(Catalog catalog) {
    var latest = new LinkedHashMap<String, ModelInfo>();
    for (ModelInfo model : catalog.models()) {
      if (model.family() != null && isVisible(model)) {
        latest.merge(
            model.family(), model, (one, other) -> BY_AGE.compare(one, other) < 0 ? other : one);
      }
    }
    return latest;
  }

  /** Returns the model with this id, else the latest of the family with this name; null if none. */
  static @Nullable ModelInfo of(String slug, Catalog catalog) {
    String plain = slug.split(":", 2)[0];
    ModelInfo exact = catalog.model(plain);
    if (exact != null && isVisible(exact)) {
      return exact;
    }
    String family = plain.startsWith("~") ? plain.substring(1) : plain;
    family = family.endsWith("-latest") ? family.substring(0, family.length() - 7) : family;
    return latest(catalog).get(family);
  }

  private static String lastOf(String id) {
    return id.substring(id.indexOf('/') + 1);
  }

  /** Returns whether a name occurs as whole words: {@code gpt} does not occur in {@code gptq}. */
  private static boolean has(String words, String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    for (int at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + 1)) {
      int end = at + wanted.length();
      boolean begins = at == 0 || !isOfName(words.charAt(at - 1));
      boolean ends = end == words.length() || !isOfName(words.charAt(end));
      if (!wanted.isEmpty() && begins && ends) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfName(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '/';
  }
}
