package io.strowger.core.registry;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Plugin;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What a provider made of configurations it was given before, by the configuration. Bounded in
 * number and in the size of what it is found by; a newer one takes the place of an older one. Since
 * equal configurations make plugins that behave alike, nobody can tell whether one was found here.
 */
final class PluginInstanceCache {
  private static final int PLACES = 32; // a power of two
  private static final int MOST_BYTES = 8192; // of a configuration

  private final AtomicReferenceArray<@Nullable Entry> entries = new AtomicReferenceArray<>(PLACES);

  private record Entry(Json.Obj config, Plugin plugin) {}

  @Nullable Plugin find(Json.Obj config) {
    Entry entry = entries.get(place(config));
    return entry != null && entry.config().equals(config) ? entry.plugin() : null;
  }

  void keep(Json.Obj config, Plugin plugin) {
    if (config.writtenLength() <= MOST_BYTES) {
      entries.set(place(config), new Entry(config, plugin));
    }
  }

  private static int place(Json.Obj config) {
    int hash = config.hashCode();
    return (hash ^ hash >>> 16) & PLACES - 1;
  }
}
