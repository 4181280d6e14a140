package io.strowger.core.resource;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which models to list. Resources fact sheet, section 8.
 *
 * @param page null for the full list
 * @param outputModalities any of these; {@code text} unless said otherwise
 * @param price US dollars per million tokens
 * @param context least context length, in tokens; 0 for any
 * @param wanted further filters by name, as they came: {@code zdr} and {@code distillable} are
 *     {@code true} or {@code false}, {@code sort} one of {@link #SORTS}, {@code region} and {@code
 *     providers} any text
 */
public record ModelList(
    @Nullable PageRequest page,
    List<String> outputModalities,
    Range price,
    long context,
    Map<String, String> wanted) {
  /** What models may be sorted by. */
  public static final List<String> SORTS =
      List.of(
          "newest",
          "price",
          "pricing-low-to-high",
          "pricing-high-to-low",
          "context",
          "context-high-to-low",
          "throughput",
          "throughput-high-to-low",
          "latency",
          "latency-low-to-high");

  /**
   * A range of prices.
   *
   * @param least null for no bound
   * @param most null for no bound
   */
  public record Range(@Nullable BigDecimal least, @Nullable BigDecimal most) {}

  public ModelList {
    outputModalities = List.copyOf(outputModalities);
    wanted = Map.copyOf(wanted);
  }
}
