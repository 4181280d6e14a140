package io.strowger.core.decode;

import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.PluginEntry;
import java.util.List;

/**
 * Judges a request's plugin entries against the schemas of the plugins there are. Called on any
 * thread.
 */
@FunctionalInterface
public interface PluginChecks {
  /**
   * Notes what is wrong: unknown ids, unknown members, values out of bounds.
   *
   * @param entries every item of the request's {@code plugins}, in its order
   * @param at the place of the list; item {@code i} is {@code at.child(i)}
   */
  void check(List<PluginEntry> entries, JsonPointer at, Problems problems);
}
