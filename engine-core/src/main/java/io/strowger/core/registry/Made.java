package io.strowger.core.registry;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Routers that were made before, by their configuration. Bounded in number and in the size of what
 * it is found by; a newer one takes the place of an older one. Since equal configurations make
 * equal routers, nobody can tell whether one was found here.
 */
final class Made {
  private static final int PLACES = 32; // a power of two
  private static final int MOST_BYTES = 8192; // of a configuration

  private final AtomicReferenceArray<@Nullable Entry> entries = new AtomicReferenceArray<>(PLACES);

  private record Entry(Json.Obj config, RouterPlugin router) {}

  @Nullable RouterPlugin find(Json.Obj config) {
    Entry entry = entries.get(place(config));
    return entry != null && entry.config().equals(config) ? entry.router() : null;
  }

  void keep(Json.Obj config, RouterPlugin router) {
    if (config.writtenLength() <= MOST_BYTES) {
      entries.set(place(config), new Entry(config, router));
    }
  }

  private static int place(Json.Obj config) {
    int hash = config.hashCode();
    return (hash ^ hash >>> 16) & PLACES - 1;
  }
}
