package io.strowger.core.preset;

import java.util.Locale;

/** Whether inference may use a preset. Contract: "Preset"; open question 66. */
public enum PresetStatus {
  ACTIVE,
  /** Stored, but not available to inference. */
  DISABLED,
  /** As {@link #DISABLED}, but meant to be permanent. */
  ARCHIVED;

  /** Returns the name used on the wire. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  static PresetStatus of(String wireName) {
    return valueOf(wireName.toUpperCase(Locale.ROOT));
  }
}
