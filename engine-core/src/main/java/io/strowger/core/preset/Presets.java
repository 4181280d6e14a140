package io.strowger.core.preset;

import org.jspecify.annotations.Nullable;

/** Where presets are looked up. Called once per request that refers to one, on its thread. */
@FunctionalInterface
public interface Presets {
  /** None at all. */
  Presets NONE = (workspace, slug) -> null;

  /**
   * The version of a preset that inference uses.
   *
   * @param workspace of the key that asks
   * @return null when there is no such preset, or it is not active
   */
  @Nullable Preset findActive(String workspace, String slug);
}
