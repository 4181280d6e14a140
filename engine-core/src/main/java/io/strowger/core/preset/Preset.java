package io.strowger.core.preset;

import io.strowger.spi.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The version of a preset that inference uses. Contract: "Preset", "PresetVersion".
 *
 * @param config the members it brings; keeps no request body reachable
 * @param systemPrompt null for none
 * @param id a UUID; null when it is of no directory
 */
public record Preset(
    String slug, Json.Obj config, @Nullable String systemPrompt, @Nullable String id) {
  public Preset {
    Objects.requireNonNull(slug, "slug");
    Objects.requireNonNull(config, "config");
  }

  /** One of no directory. */
  public Preset(String slug, Json.Obj config, @Nullable String systemPrompt) {
    this(slug, config, systemPrompt, null);
  }

  /** What it says of caching answers. */
  public PresetCache cache() {
    Json enabled = config.get(PresetCache.ENABLED);
    long seconds = config.whole(PresetCache.TTL_SECONDS, 0);
    return new PresetCache(
        enabled instanceof Json.Bool bool ? bool.value() : null,
        seconds < 1 ? null : (int) Math.min(seconds, PresetCache.MAX_SECONDS));
  }
}
