package io.strowger.core.resource;

import io.strowger.spi.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A preset, or a new version of one, to be created. Contract: "POST
 * /presets/{slug}/chat/completions", "PresetVersion".
 *
 * @param slug the slug, in the form of {@link PresetSlug}
 * @param config the members it adds to a request; must not share memory with the request body,
 *     which would otherwise stay reachable
 * @param systemPrompt null for none
 */
public record NewPreset(String slug, Json.Obj config, @Nullable String systemPrompt) {
  public NewPreset {
    Objects.requireNonNull(config, "config");
    if (!PresetSlug.isValid(slug)) {
      throw new IllegalArgumentException("slug " + PresetSlug.ALLOWED + ", was " + slug);
    }
  }
}
