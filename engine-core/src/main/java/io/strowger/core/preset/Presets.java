package io.strowger.core.preset;

import org.jspecify.annotations.Nullable;

/** Looks up presets. Called once per request that refers to one, on its thread. */
@FunctionalInterface
public interface Presets {
  /** Finds no preset. */
  Presets NONE = (workspace, slug) -> null;

  /**
   * Returns the version of a preset that inference uses.
   *
   * @param workspace the id of the workspace of the caller's key
   * @return null when there is no such preset, or it is not active
   */
  @Nullable Preset findActive(String workspace, String slug);
}
