package io.strowger.core.resource;

import io.strowger.spi.store.KeyId;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which requests a destination is told of. Contract: "Observability destination".
 *
 * @param enabled false: none
 * @param samplingRate the share of sessions, 0.0001 to 1
 * @param filterRules null for all
 * @param keys requests made with these, at least one; null for all
 */
public record DestinationSelection(
    boolean enabled,
    BigDecimal samplingRate,
    @Nullable FilterRules filterRules,
    @Nullable List<KeyId> keys) {
  /** Everything. */
  public static final DestinationSelection ALL =
      new DestinationSelection(true, BigDecimal.ONE, null, null);

  public DestinationSelection {
    samplingRate = samplingRate.stripTrailingZeros();
    keys = keys == null ? null : List.copyOf(keys);
  }

  /**
   * What is to change of it. Only rules and keys can be cleared.
   *
   * @param enabled see {@link DestinationSelection}
   */
  public record Change(
      Patch<Boolean> enabled,
      Patch<BigDecimal> samplingRate,
      Patch<FilterRules> filterRules,
      Patch<List<KeyId>> keys) {}
}
