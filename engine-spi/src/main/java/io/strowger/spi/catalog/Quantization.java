package io.strowger.spi.catalog;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The quantization of an endpoint's model weights. Contract: "Provider preferences", {@code
 * quantizations}; provider routing fact sheet, section 1.
 */
public enum Quantization {
  INT4,
  INT8,
  FP4,
  MXFP4,
  NVFP4,
  FP6,
  FP8,
  MXFP8,
  FP16,
  BF16,
  FP32,
  UNKNOWN;

  private static final List<Quantization> ALL = List.of(values()); // values() copies
  private static final Map<String, Optional<Quantization>> BY_WIRE_NAME =
      ALL.stream().collect(Collectors.toUnmodifiableMap(Quantization::wireName, Optional::of));

  /** Returns this level's bit in a mask. */
  public int bit() {
    return 1 << ordinal();
  }

  /** Returns the mask of the levels that a caller selects by naming this one: its family. */
  public int family() {
    return switch (this) {
      case FP4 -> FP4.bit() | MXFP4.bit() | NVFP4.bit();
      case FP8 -> FP8.bit() | MXFP8.bit();
      case INT4, INT8, MXFP4, NVFP4, FP6, MXFP8, FP16, BF16, FP32, UNKNOWN -> bit();
    };
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the level with this name, in any letter case; empty when there is none. */
  public static Optional<Quantization> ofWireName(String name) {
    Optional<Quantization> exact = BY_WIRE_NAME.get(name);
    return exact != null
        ? exact
        : ALL.stream().filter(level -> level.name().equalsIgnoreCase(name)).findFirst();
  }
}
