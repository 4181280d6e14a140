package io.strowger.core.preset;

import java.util.Locale;

/** What a preset may be used for. Contract: "Preset"; open question 66. */
public enum PresetStatus {
  ACTIVE,
  /** Kept, and no use to inference. */
  DISABLED,
  /** The same; for good. */
  ARCHIVED;

  /** As the wire says it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  static PresetStatus of(String wireName) {
    return valueOf(wireName.toUpperCase(Locale.ROOT));
  }
}
