package io.strowger.plugins.fusion;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The models that answer a fusion request, and the model that compares their answers. A request
 * chooses them by the name of one of the plugin's built-in presets, {@link Panels#PRESETS}, which
 * the contract calls so; they are unrelated to the saved presets of an account.
 *
 * @param models the models to ask; empty when the catalog has none for the preset
 * @param model the model that compares the answers; null for the first of {@code models}
 */
record PresetPanel(List<String> models, @Nullable String model) {
  static final PresetPanel NONE = new PresetPanel(List.of(), null);

  private static final String MODELS = "analysis_models";
  private static final String MODEL = "model";
  private static final int MAX_MODELS = 8;
  private static final Set<String> MEMBERS = Set.of(MODELS, MODEL);

  PresetPanel {
    models = List.copyOf(models);
  }

  boolean isEmpty() {
    return models.isEmpty();
  }

  /** Returns the model that compares the answers; null when the panel is empty. */
  @Nullable String analyst() {
    return model == null && !models.isEmpty() ? models.getFirst() : model;
  }

  static Json.Obj schema() {
    var text = Json.object().put("type", "string").build();
    var list =
        Json.object()
            .put("type", "array")
            .put("minItems", 1)
            .put("maxItems", MAX_MODELS)
            .put("items", text)
            .build();
    var panel =
        Json.object()
            .put("type", "object")
            .put("properties", Json.object().put(MODELS, list).put(MODEL, text).build())
            .put("required", Json.array(Json.of(MODELS)))
            .build();
    var presets = Json.object();
    Panels.PRESETS.forEach(preset -> presets.put(preset, panel));
    return Json.object().put("type", "object").put("properties", presets.build()).build();
  }

  /** Reads the configured panels, by the name of the preset. */
  static Map<String, PresetPanel> read(Json member, Field.Reporter problems) {
    var panels = new TreeMap<String, PresetPanel>();
    if (!(member instanceof Json.Obj presets)) {
      problems.report("", "must be an object that maps preset names to panels", member);
      return panels;
    }
    for (int i = 0; i < presets.size(); i++) {
      String preset = presets.name(i);
      String at = "/" + preset.replace("~", "~0").replace("/", "~1");
      if (!Panels.PRESETS.contains(preset)) {
        problems.report(
            at,
            "is not a preset of fusion; the presets are " + String.join(", ", Panels.PRESETS),
            presets.value(i));
      } else if (presets.value(i) instanceof Json.Obj panel) {
        panels.put(
            preset, panel(panel, (below, allowed, g) -> problems.report(at + below, allowed, g)));
      } else if (!(presets.value(i) instanceof Json.Null)) {
        problems.report(at, "must be an object", presets.value(i));
      }
    }
    return panels;
  }

  private static PresetPanel panel(Json.Obj object, Field.Reporter problems) {
    for (int i = 0; i < object.size(); i++) {
      if (!MEMBERS.contains(object.name(i))) {
        problems.report(
            "/" + object.name(i).replace("~", "~0").replace("/", "~1"),
            "is not a member here; allowed: " + MODELS + ", " + MODEL,
            object.value(i));
      }
    }
    Json model = object.get(MODEL);
    if (model != null && !(model instanceof Json.Null) && !isName(model)) {
      problems.report("/" + MODEL, "must be the name of a model", model);
    }
    return new PresetPanel(
        models(object, problems), model instanceof Json.Str name ? name.text() : null);
  }

  private static List<String> models(Json.Obj object, Field.Reporter problems) {
    Json value = object.get(MODELS);
    var models = new ArrayList<String>();
    if (value == null) {
      problems.reportMissing("/" + MODELS);
    } else if (!(value instanceof Json.Arr items) || items.isEmpty() || items.size() > MAX_MODELS) {
      problems.report("/" + MODELS, "must be an array of 1 to " + MAX_MODELS + " models", value);
    } else {
      for (int i = 0; i < items.size(); i++) {
        if (isName(items.get(i)) && items.get(i) instanceof Json.Str name) {
          models.add(name.text());
        } else {
          problems.report("/" + MODELS + "/" + i, "must be the name of a model", items.get(i));
        }
      }
    }
    return models;
  }

  private static boolean isName(@Nullable Json json) {
    return json instanceof Json.Str text && !text.text().isBlank() && text.text().length() <= 256;
  }
}
