package io.strowger.core.health;

import io.strowger.spi.catalog.Endpoint;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The health and speed of every endpoint of a catalog, at one moment. Immutable. Decisions read it
 * together with the catalog, and refer to it by its sequence number.
 */
public final class Statistics {
  /** Statistics without any observation. */
  public static final Statistics NONE = new Statistics(0, new EndpointStatistics[0], Map.of());

  private final long sequence;
  // may end before the catalog's last ordinal: the endpoints beyond it have no observations
  private final EndpointStatistics[] byOrdinal;
  private final Map<String, Long> keysBlockedUntilMillis;
  private final boolean isAllHealthy;

  private Statistics(
      long sequence, EndpointStatistics[] byOrdinal, Map<String, Long> keysBlockedUntilMillis) {
    this.sequence = sequence;
    this.byOrdinal = byOrdinal;
    this.keysBlockedUntilMillis = keysBlockedUntilMillis;
    this.isAllHealthy = keysBlockedUntilMillis.isEmpty() && isAllHealthy(byOrdinal);
  }

  /**
   * Returns the statistics of a publication.
   *
   * @param sequence the sequence number, from 1, greater than that of the previous publication
   * @param byOrdinal the statistics by {@link Endpoint#ordinal()}; copied
   * @param keysBlockedUntilMillis by id of a BYOK key, the time until which the key is not to be
   *     used, in milliseconds since the epoch
   */
  public static Statistics of(
      long sequence, EndpointStatistics[] byOrdinal, Map<String, Long> keysBlockedUntilMillis) {
    return new Statistics(sequence, byOrdinal.clone(), Map.copyOf(keysBlockedUntilMillis));
  }

  private static boolean isAllHealthy(EndpointStatistics[] endpoints) {
    for (EndpointStatistics statistics : endpoints) {
      if (statistics.uptime() != EndpointStatistics.Uptime.NORMAL
          || statistics.hasOutage()
          || statistics.isBreakerOpen()
          || statistics.blockedUntilMillis() != 0
          || statistics.recoveredAtMillis() != 0) {
        return false;
      }
    }
    return true;
  }

  public long sequence() {
    return sequence;
  }

  /** Returns the statistics of an endpoint; never null. */
  public EndpointStatistics of(Endpoint endpoint) {
    int ordinal = endpoint.ordinal();
    return ordinal >= 0 && ordinal < byOrdinal.length
        ? byOrdinal[ordinal]
        : EndpointStatistics.NONE;
  }

  /** Returns the statistics of the endpoint with this ordinal; never null. */
  EndpointStatistics at(int ordinal) {
    return ordinal < byOrdinal.length ? byOrdinal[ordinal] : EndpointStatistics.NONE;
  }

  /** Returns the exclusive upper bound of the ordinals that may have statistics. */
  public int size() {
    return byOrdinal.length;
  }

  /**
   * Returns whether no decision has to consider health: every endpoint is healthy, none recovered
   * recently, and no BYOK key is cooling down.
   */
  public boolean isAllHealthy() {
    return isAllHealthy;
  }

  /**
   * Returns the time until which this BYOK key must not be used, in epoch milliseconds; 0 when it
   * may be used.
   */
  public long keyBlockedUntilMillis(String byokKey) {
    return keysBlockedUntilMillis.getOrDefault(byokKey, 0L);
  }

  /** Returns the times until which BYOK keys must not be used, in epoch milliseconds, by id. */
  public Map<String, Long> keysBlockedUntilMillis() {
    return keysBlockedUntilMillis;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Statistics that
        && sequence == that.sequence
        && Arrays.equals(byOrdinal, that.byOrdinal)
        && keysBlockedUntilMillis.equals(that.keysBlockedUntilMillis);
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
