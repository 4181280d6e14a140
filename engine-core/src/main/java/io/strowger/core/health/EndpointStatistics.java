package io.strowger.core.health;

import io.strowger.spi.json.Json;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How one endpoint fares, as of a publication. Immutable. Provider routing fact sheet, sections 3,
 * 7 and 10.
 *
 * <p>Speeds come from the last five minutes. Moments are milliseconds since the epoch.
 */
public final class EndpointStatistics {
  /** Of an endpoint nothing is known about, which is normal in every respect. */
  public static final EndpointStatistics NONE = builder().build();

  /** A share of requests that is at least this fast. */
  public enum Percentile {
    P50,
    P75,
    P90,
    P99
  }

  /** What its uptime makes of an endpoint, once it has had enough requests to tell. */
  public enum Uptime {
    NORMAL,
    /** Below 95 %: tried after normal ones. */
    DEGRADED,
    /** Below 80 %: tried when nothing else is left. */
    DOWN
  }

  /** How good an endpoint is for requests with tools. */
  public enum Exacto {
    GOOD,
    INSUFFICIENT_DATA,
    DEPRIORITIZED
  }

  private static final int PERCENTILES = Percentile.values().length;

  private final long @Nullable [] latencyMicros;
  private final long @Nullable [] throughputMicros;
  private final int samples;
  private final Uptime uptime;
  private final boolean outage;
  private final boolean broken;
  private final long notBefore;
  private final long recovered;
  private final Exacto exacto;

  private EndpointStatistics(Builder from) {
    latencyMicros = from.latencyMicros;
    throughputMicros = from.throughputMicros;
    samples = from.samples;
    uptime = from.uptime;
    outage = from.outage;
    broken = from.broken;
    notBefore = from.notBefore;
    recovered = from.recovered;
    exacto = from.exacto;
  }

  /**
   * Microseconds to the first token that this share of requests did not exceed; -1 when not known.
   */
  public long latencyMicros(Percentile percentile) {
    return latencyMicros == null ? -1 : latencyMicros[percentile.ordinal()];
  }

  /**
   * Millionths of a token per second that this share of requests reached at least, so the 90th is
   * the slow tail; -1 when not known.
   */
  public long throughputMicros(Percentile percentile) {
    return throughputMicros == null ? -1 : throughputMicros[percentile.ordinal()];
  }

  /** Requests the speeds were measured on. */
  public int samples() {
    return samples;
  }

  public Uptime uptime() {
    return uptime;
  }

  /** A significant outage in the last 30 seconds. */
  public boolean outage() {
    return outage;
  }

  /**
   * Its breaker is open: nothing goes to it before {@link #notBefore()}, then one probe at a time.
   */
  public boolean broken() {
    return broken;
  }

  /**
   * Nothing is to be sent to it before, because it failed or because it said so; 0 when nothing
   * keeps it closed.
   */
  public long notBefore() {
    return notBefore;
  }

  /** When it came back after its breaker was open; 0 when it did not lately. */
  public long recovered() {
    return recovered;
  }

  public Exacto exacto() {
    return exacto;
  }

  /** As JSON, for a decision log or a person; what is normal goes without saying. */
  public Json.Obj toJson() {
    return EndpointStatisticsJson.write(this);
  }

  /**
   * The inverse of {@link #toJson()}.
   *
   * @throws IllegalArgumentException when the document says something else
   */
  public static EndpointStatistics fromJson(Json.Obj json) {
    return EndpointStatisticsJson.read(json);
  }

  private Object[] parts() {
    return new Object[] {samples, uptime, outage, broken, notBefore, recovered, exacto};
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EndpointStatistics that
        && Arrays.equals(latencyMicros, that.latencyMicros)
        && Arrays.equals(throughputMicros, that.throughputMicros)
        && Arrays.equals(parts(), that.parts());
  }

  @Override
  public int hashCode() {
    return Objects.hash(parts());
  }

  public static Builder builder() {
    return new Builder();
  }

  public Builder toBuilder() {
    var copy = new Builder();
    copy.latencyMicros = latencyMicros;
    copy.throughputMicros = throughputMicros;
    copy.samples = samples;
    copy.uptime = uptime;
    copy.outage = outage;
    copy.broken = broken;
    copy.notBefore = notBefore;
    copy.recovered = recovered;
    copy.exacto = exacto;
    return copy;
  }

  /** Collects what is known; an endpoint of which nothing is said is normal. */
  public static final class Builder {
    private long @Nullable [] latencyMicros;
    private long @Nullable [] throughputMicros;
    private int samples;
    private Uptime uptime = Uptime.NORMAL;
    private boolean outage;
    private boolean broken;
    private long notBefore;
    private long recovered;
    private Exacto exacto = Exacto.INSUFFICIENT_DATA;

    private Builder() {}

    /**
     * @param micros to the first token, by {@link Percentile#ordinal()}
     */
    public Builder latencyMicros(long... micros) {
      latencyMicros = four(micros);
      return this;
    }

    /**
     * @param micros millionths of a token per second, by {@link Percentile#ordinal()}
     */
    public Builder throughputMicros(long... micros) {
      throughputMicros = four(micros);
      return this;
    }

    private static long[] four(long[] values) {
      if (values.length != PERCENTILES) {
        throw new IllegalArgumentException("one value per percentile, were " + values.length);
      }
      return values.clone();
    }

    public Builder samples(int value) {
      samples = value;
      return this;
    }

    public Builder uptime(Uptime value) {
      uptime = value;
      return this;
    }

    public Builder outage(boolean value) {
      outage = value;
      return this;
    }

    public Builder broken(boolean value) {
      broken = value;
      return this;
    }

    public Builder notBefore(long epochMillis) {
      notBefore = epochMillis;
      return this;
    }

    public Builder recovered(long epochMillis) {
      recovered = epochMillis;
      return this;
    }

    public Builder exacto(Exacto value) {
      exacto = value;
      return this;
    }

    public EndpointStatistics build() {
      return new EndpointStatistics(this);
    }
  }
}
