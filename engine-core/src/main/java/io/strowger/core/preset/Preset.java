package io.strowger.core.preset;

import io.strowger.spi.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The version of a preset that inference uses. Contract: "Preset", "PresetVersion".
 *
 * @param config the members it adds to a request; copied, so that the body they came from can be
 *     collected
 * @param systemPrompt null for none
 * @param id a UUID; null when it is not from a directory
 */
public record Preset(
    String slug, Json.Obj config, @Nullable String systemPrompt, @Nullable String id) {
  public Preset {
    Objects.requireNonNull(slug, "slug");
    Objects.requireNonNull(config, "config");
  }

  /** Creates a preset that is not from a directory. */
  public Preset(String slug, Json.Obj config, @Nullable String systemPrompt) {
    this(slug, config, systemPrompt, null);
  }

  /** Returns the preset's settings for caching answers. */
  public PresetCacheSettings cache() {
    Json enabled = config.get(PresetCacheSettings.ENABLED);
    long seconds = config.longValue(PresetCacheSettings.TTL_SECONDS, 0);
    return new PresetCacheSettings(
        enabled instanceof Json.Bool bool ? bool.value() : null,
        seconds < 1 ? null : (int) Math.min(seconds, PresetCacheSettings.MAX_TTL_SECONDS));
  }
}
