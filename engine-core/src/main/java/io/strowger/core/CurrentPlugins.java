package io.strowger.core;

import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.PluginEntry;
import java.util.Set;
import java.util.function.Supplier;

/** Checks plugin entries against the current plugins at the time of the call. */
record CurrentPlugins(Supplier<PluginRegistry> registry) implements PluginChecks {
  @Override
  public PluginChecks snapshot() {
    return registry.get();
  }

  @Override
  public void check(PluginEntry entry, JsonPointer at, Problems problems) {
    registry.get().check(entry, at, problems);
  }

  @Override
  public boolean isPluginSlug(String model) {
    return registry.get().isPluginSlug(model);
  }

  @Override
  public Set<String> toolTypes() {
    return registry.get().toolTypes();
  }
}
