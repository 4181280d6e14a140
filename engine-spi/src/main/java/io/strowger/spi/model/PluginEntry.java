package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.Objects;

/**
 * One item of a request's {@code plugins}.
 *
 * @param id the id of the plugin
 * @param enabled whether the plugin is used; false switches it off for this request
 * @param config the whole entry as it came, its {@code id} and {@code enabled} included
 */
public record PluginEntry(String id, boolean enabled, Json.Obj config) {
  public PluginEntry {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(config, "config");
  }
}
