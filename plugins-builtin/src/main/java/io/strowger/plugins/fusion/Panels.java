package io.strowger.plugins.fusion;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.routing.ModelRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The panels of the plugin's built-in presets, for one catalog. A preset that the configuration
 * does not set gets the three best models by the measure below, by different authors where
 * possible, each the latest of its family. The best of them that can call tools comes first, since
 * it also compares and answers. Immutable.
 *
 * <ul>
 *   <li>{@code general-high}: the highest intelligence score, then the highest price
 *   <li>{@code general-budget}: within the cheaper half of the models, the highest intelligence
 *       score, then the lowest price
 *   <li>{@code general-fast}: the highest throughput the catalog assumes, then the lowest price
 * </ul>
 */
final class Panels {
  static final String HIGH = "general-high";
  static final String BUDGET = "general-budget";
  static final String FAST = "general-fast";

  /** The values of the contract's member {@code preset}; no saved presets of an account. */
  static final List<String> PRESETS = List.of(HIGH, BUDGET, FAST);

  private static final int MEMBERS = 3;

  private static final Comparator<ModelInfo> BY_ID = Comparator.comparing(ModelInfo::id);
  private static final Comparator<ModelInfo> CHEAPEST =
      Comparator.comparingLong(Panels::price).thenComparing(BY_ID);
  private static final Comparator<ModelInfo> MOST_INTELLIGENT =
      Comparator.comparingDouble(Panels::intelligence).reversed();

  private final Map<String, PresetPanel> byPreset;

  private Panels(Map<String, PresetPanel> byPreset) {
    this.byPreset = Collections.unmodifiableMap(byPreset);
  }

  /**
   * @param configured the configured panels, by the name of the preset
   */
  static Panels of(Catalog catalog, Map<String, PresetPanel> configured) {
    List<ModelInfo> latest = latestModels(catalog);
    latest.sort(CHEAPEST);
    List<ModelInfo> cheap = latest.subList(0, (latest.size() + 1) / 2);
    var chosen = new HashMap<String, PresetPanel>();
    chosen.put(
        HIGH,
        panelOf(
            latest,
            MOST_INTELLIGENT.thenComparing(Comparator.comparingLong(Panels::price).reversed())));
    chosen.put(BUDGET, panelOf(cheap, MOST_INTELLIGENT.thenComparing(CHEAPEST)));
    chosen.put(
        FAST,
        panelOf(
            latest,
            Comparator.comparingDouble(Panels::throughput).reversed().thenComparing(CHEAPEST)));
    chosen.putAll(configured);
    return new Panels(chosen);
  }

  /** Returns the panel of a preset; empty when the catalog has no model for the preset. */
  PresetPanel of(String preset) {
    return byPreset.getOrDefault(preset, PresetPanel.NONE);
  }

  /**
   * Returns the problem of a request that names no models while the catalog offers no default
   * panel.
   */
  static Problem noDefaultPanel(JsonPointer at) {
    return new Problem(
        at,
        "needs analysis_models: this gateway has no model that can be chosen for a panel"
            + " automatically",
        "");
  }

  /** Adds a problem if a model cannot be on a panel. */
  static void check(String model, JsonPointer at, Catalog catalog, List<Problem> problems) {
    ModelRef ref = ModelRef.parse(model);
    if (FusionProvider.isSlug(ref)) {
      problems.add(new Problem(at, "must not be fusion itself", model));
    } else if (ref.hasVariant("online")) {
      problems.add(
          new Problem(
              at, "must not end in :online: a panel searches the web with its tools", model));
    } else if (!isKnown(model, ref, catalog)) {
      problems.add(new Problem(at, "must be a model of this gateway", model));
    }
  }

  private static boolean isKnown(String name, ModelRef ref, Catalog catalog) {
    String slug = ref.slug();
    return slug.regionMatches(true, 0, "router/", 0, "router/".length())
        || catalog.model(name) != null
        || catalog.model(slug) != null
        || slug.startsWith("~") && isFamily(slug, catalog);
  }

  private static boolean isFamily(String latest, Catalog catalog) {
    return catalog.models().stream()
        .anyMatch(model -> latest.equalsIgnoreCase("~" + model.family() + "-latest"));
  }

  /** Returns the public models that answer in text, of each family only the latest. */
  private static List<ModelInfo> latestModels(Catalog catalog) {
    var families = new HashMap<String, ModelInfo>();
    var models = new ArrayList<ModelInfo>();
    for (ModelInfo model : catalog.models()) {
      boolean isPublic = !model.isHidden() && !model.isPrivate() && model.id().indexOf(':') < 0;
      if (isPublic && model.endpoints().stream().anyMatch(Panels::answersInText)) {
        String family = model.family();
        if (family == null) {
          models.add(model);
        } else {
          families.merge(family.toLowerCase(Locale.ROOT), model, Panels::newer);
        }
      }
    }
    models.addAll(families.values());
    return models;
  }

  private static boolean answersInText(Endpoint endpoint) {
    return endpoint.kind() == Endpoint.Kind.CHAT
        && (endpoint.outputModalities() & Modality.TEXT.bit()) != 0;
  }

  private static ModelInfo newer(ModelInfo first, ModelInfo second) {
    int order = created(first).compareTo(created(second));
    return order > 0 || order == 0 && first.id().compareTo(second.id()) < 0 ? first : second;
  }

  private static Instant created(ModelInfo model) {
    @Nullable Instant created = model.createdAt();
    return created == null ? Instant.MIN : created;
  }

  private static PresetPanel panelOf(List<ModelInfo> models, Comparator<ModelInfo> order) {
    return new PresetPanel(best(models, order), null);
  }

  private static List<String> best(List<ModelInfo> models, Comparator<ModelInfo> order) {
    var ranked = new ArrayList<>(models);
    ranked.sort(order.thenComparing(BY_ID));
    var chosen = new ArrayList<ModelInfo>();
    var authors = new HashSet<String>();
    for (ModelInfo model : ranked) {
      if (chosen.size() < MEMBERS && authors.add(author(model))) {
        chosen.add(model);
      }
    }
    for (ModelInfo model : ranked) {
      if (chosen.size() < MEMBERS && !chosen.contains(model)) {
        chosen.add(model);
      }
    }
    moveToolCallerFirst(chosen);
    return chosen.stream().map(Panels::name).toList();
  }

  /** Moves the best model that can call tools to the front: it also answers and calls the panel. */
  private static void moveToolCallerFirst(List<ModelInfo> chosen) {
    for (int i = 0; i < chosen.size(); i++) {
      if (callsTools(chosen.get(i))) {
        chosen.addFirst(chosen.remove(i));
        return;
      }
    }
  }

  private static boolean callsTools(ModelInfo model) {
    return model.endpoints().stream()
        .anyMatch(endpoint -> answersInText(endpoint) && endpoint.supports(Parameter.TOOLS));
  }

  private static String author(ModelInfo model) {
    return model.id().split("/", 2)[0];
  }

  private static String name(ModelInfo model) {
    return model.family() == null ? model.id() : "~" + model.family() + "-latest";
  }

  private static double intelligence(ModelInfo model) {
    Double score = model.intelligenceScore();
    return score == null ? -1 : score;
  }

  private static long price(ModelInfo model) {
    return model.endpoints().stream()
        .filter(Panels::answersInText)
        .mapToLong(Endpoint::blendedPrice)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private static double throughput(ModelInfo model) {
    return model.endpoints().stream().mapToDouble(Endpoint::assumedThroughput).max().orElse(0);
  }
}
