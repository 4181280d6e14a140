package io.strowger.core.preset;

import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rules;
import io.strowger.core.resource.PresetSlug;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the preset a request refers to: {@code model: "@preset/slug"}, {@code model:
 * "author/model@preset/slug"} or {@code preset: "slug"}. Resources fact sheet, section 2.
 *
 * <p>{@code model} and {@code preset} may both refer to a preset if it is the same one; two
 * different presets are a problem. A name in {@code models} cannot carry a reference.
 */
public final class PresetReferences {
  private static final String MARK = "@preset/";
  private static final String MODEL = "model";
  private static final String PRESET = "preset";

  /**
   * A request that refers to a preset.
   *
   * @param slug the slug of the preset, which may not exist
   * @param document the request without the reference; everything else keeps its bytes
   */
  public record Reference(String slug, Json.Obj document) {
    public Reference {
      Objects.requireNonNull(slug, "slug");
      Objects.requireNonNull(document, "document");
    }
  }

  private PresetReferences() {}

  /**
   * Finds the reference.
   *
   * @return the reference; null when there is none, or when a problem was noted
   */
  public static @Nullable Reference find(Json.Obj body, Problems problems) {
    int problemsBefore = problems.count();
    String modelSlug = slugInModel(body, problems);
    String memberSlug = slugInMember(body, problems);
    if (problems.count() > problemsBefore) {
      return null;
    }
    if (modelSlug != null && memberSlug != null && !modelSlug.equals(memberSlug)) {
      problems.add(
          JsonPointer.ROOT.child(PRESET),
          "must be the preset that model names, " + modelSlug,
          Json.of(memberSlug));
      return null;
    }
    String slug = modelSlug == null ? memberSlug : modelSlug;
    return slug == null ? null : new Reference(slug, without(body, modelSlug != null));
  }

  /** Notes a problem when a preset refers to another one, which is not allowed. */
  public static void rejectReferences(Json.Obj preset, Problems problems) {
    String allowed = "must not name a preset, since a preset cannot refer to another";
    if (preset.text(MODEL) instanceof String model && model.contains(MARK)) {
      problems.add(JsonPointer.ROOT.child(MODEL), allowed, Json.of(model));
    }
    Json nestedPreset = preset.get(PRESET);
    if (nestedPreset != null && !(nestedPreset instanceof Json.Null)) {
      problems.add(JsonPointer.ROOT.child(PRESET), allowed, nestedPreset);
    }
  }

  /** Returns the slug in {@code model}; a name that is too long is left to the decoder. */
  private static @Nullable String slugInModel(Json.Obj body, Problems problems) {
    String model =
        body.get(MODEL) instanceof Json.Str name && Rules.isName(name) ? name.text() : null;
    int mark = model == null ? -1 : model.indexOf(MARK);
    return model == null || mark < 0
        ? null
        : slug(
            MODEL, "must name a preset, which ", model.substring(mark + MARK.length()), problems);
  }

  private static @Nullable String slugInMember(Json.Obj body, Problems problems) {
    Json preset = body.get(PRESET);
    if (preset == null || preset instanceof Json.Null) {
      return null;
    }
    if (preset instanceof Json.Str slug) {
      return slug(PRESET, "", slug.beginning(Rules.NAME_CHARS), problems);
    }
    problems.add(JsonPointer.ROOT.child(PRESET), "must be a string", preset);
    return null;
  }

  private static @Nullable String slug(
      String member, String problemPrefix, String slug, Problems problems) {
    if (PresetSlug.isValid(slug)) {
      return slug;
    }
    problems.add(JsonPointer.ROOT.child(member), problemPrefix + PresetSlug.ALLOWED, Json.of(slug));
    return null;
  }

  private static Json.Obj without(Json.Obj body, boolean isInModel) {
    Json.Obj remainder = body.without(PRESET);
    String model = isInModel ? remainder.text(MODEL) : null;
    if (model == null) {
      return remainder;
    }
    String modelName = model.substring(0, model.indexOf(MARK));
    return modelName.isEmpty()
        ? remainder.without(MODEL)
        : remainder.with(MODEL, Json.of(modelName));
  }
}
