package io.strowger.core.decode.query;

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
 *     {@code true} or {@code false}, {@code region}, {@code providers} and {@code sort} any text
 */
public record ModelList(
    @Nullable Page page,
    List<String> outputModalities,
    Range price,
    long context,
    Map<String, String> wanted) {
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
