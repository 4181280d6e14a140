package io.strowger.core.health;

import io.strowger.spi.catalog.Endpoint;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How every endpoint of a catalog fares, as of one moment. Immutable; decisions read it beside the
 * catalog, and a decision names the one it read by its sequence number.
 */
public final class Statistics {
  /** Nothing is known of anybody. */
  public static final Statistics NONE = new Statistics(0, new EndpointStatistics[0], Map.of());

  private final long sequence;
  private final EndpointStatistics[] byOrdinal; // shorter when nothing is known of the rest
  private final Map<String, Long> keysNotBefore;
  private final boolean allWell;

  private Statistics(
      long sequence, EndpointStatistics[] byOrdinal, Map<String, Long> keysNotBefore) {
    this.sequence = sequence;
    this.byOrdinal = byOrdinal;
    this.keysNotBefore = keysNotBefore;
    this.allWell = keysNotBefore.isEmpty() && isAllHealthy(byOrdinal);
  }

  /**
   * @param sequence greater than that of what was published before, from 1
   * @param byOrdinal by {@link Endpoint#ordinal()}; copied
   * @param keysNotBefore until when which of the customers' keys are not to be used, in
   *     milliseconds since the epoch, by id
   */
  public static Statistics of(
      long sequence, EndpointStatistics[] byOrdinal, Map<String, Long> keysNotBefore) {
    return new Statistics(sequence, byOrdinal.clone(), Map.copyOf(keysNotBefore));
  }

  private static boolean isAllHealthy(EndpointStatistics[] all) {
    for (EndpointStatistics one : all) {
      if (one.uptime() != EndpointStatistics.Uptime.NORMAL
          || one.outage()
          || one.isBreakerOpen()
          || one.closedUntilMillis() != 0
          || one.recoveredAtMillis() != 0) {
        return false;
      }
    }
    return true;
  }

  public long sequence() {
    return sequence;
  }

  /** Never null. */
  public EndpointStatistics of(Endpoint endpoint) {
    int ordinal = endpoint.ordinal();
    return ordinal >= 0 && ordinal < byOrdinal.length
        ? byOrdinal[ordinal]
        : EndpointStatistics.NONE;
  }

  /** Of the endpoint with this number; never null. */
  EndpointStatistics at(int ordinal) {
    return ordinal < byOrdinal.length ? byOrdinal[ordinal] : EndpointStatistics.NONE;
  }

  /** How many endpoints something may be known of: those with lower ordinals. */
  public int size() {
    return byOrdinal.length;
  }

  /** No endpoint is down, cooling or coming back, so nobody need be asked. */
  public boolean isAllHealthy() {
    return allWell;
  }

  /**
   * Until when this key of a customer is not to be used, in milliseconds since the epoch; 0 when
   * nothing speaks against it.
   */
  public long keyNotBefore(String byokKey) {
    return keysNotBefore.getOrDefault(byokKey, 0L);
  }

  /** Until when which customers' keys are not to be used. */
  public Map<String, Long> keysNotBefore() {
    return keysNotBefore;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Statistics that
        && sequence == that.sequence
        && Arrays.equals(byOrdinal, that.byOrdinal)
        && keysNotBefore.equals(that.keysNotBefore);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(sequence);
  }

  @Override
  public String toString() {
    return "statistics " + sequence + " of " + byOrdinal.length + " endpoints";
  }
}
