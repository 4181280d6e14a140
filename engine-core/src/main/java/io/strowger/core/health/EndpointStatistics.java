package io.strowger.core.health;

import io.strowger.spi.json.Json;
import java.util.Arrays;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The health and speed of one endpoint, as of a publication. Immutable. Provider routing fact
 * sheet, sections 3, 7 and 10.
 *
 * <p>Speeds come from the last five minutes. Moments are milliseconds since the epoch. Requests are
 * those that say something about the endpoint: answered, or failed by its own fault or for want of
 * a credential of the gateway; not those that were limited, cancelled or themselves at fault.
 */
public final class EndpointStatistics {
  /** Statistics of an endpoint about which nothing is known: normal in every respect. */
  public static final EndpointStatistics NONE = builder().build();

  /** The share of requests that are at least this fast. */
  public enum Percentile {
    P50,
    P75,
    P90,
    P99
  }

  /** The uptime class of an endpoint, once it has had enough requests to judge. */
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

  /** The period over which requests are counted. */
  public enum CountingPeriod {
    FIVE_MINUTES,
    HALF_HOUR,
    DAY
  }

  /** The state of the breaker, for people. */
  public enum Circuit {
    CLOSED,
    OPEN,
    /** One request is finding out whether the endpoint is back. */
    HALF_OPEN,
    /** The endpoint has recovered and regains its share gradually. */
    SLOW_START
  }

  /** Fewest requests for which an uptime is computed. */
  public static final int ENOUGH_REQUESTS = 100;

  static final int PERCENTILES = Percentile.values().length;
  static final int SPANS = CountingPeriod.values().length;

  private final long @Nullable [] latencyMicros;
  private final long @Nullable [] throughputMicros;
  private final int samples;
  private final int throughputSamples;
  private final long @Nullable [] requests;
  private final long @Nullable [] failures;
  private final long toolRequests;
  private final long toolErrors;
  private final Uptime uptime;
  private final boolean outage;
  private final boolean broken;
  private final boolean probing;
  private final long notBefore;
  private final long recovered;
  private final Exacto exacto;

  private EndpointStatistics(Builder from) {
    latencyMicros = from.latencyMicros;
    throughputMicros = from.throughputMicros;
    samples = from.samples;
    throughputSamples = from.throughputSamples;
    requests = from.requests;
    failures = from.failures;
    toolRequests = from.toolRequests;
    toolErrors = from.toolErrors;
    uptime = from.uptime;
    outage = from.outage;
    broken = from.broken;
    probing = from.probing;
    notBefore = from.notBefore;
    recovered = from.recovered;
    exacto = from.exacto;
  }

  /** Returns the microseconds to the first token that this share did not exceed; -1 if unknown. */
  public long latencyMicros(Percentile percentile) {
    return latencyMicros == null ? -1 : latencyMicros[percentile.ordinal()];
  }

  /**
   * Returns the millionths of a token per second that this share of requests reached at least, so
   * the 90th percentile is the slow tail; -1 when not known.
   */
  public long throughputMicros(Percentile percentile) {
    return throughputMicros == null ? -1 : throughputMicros[percentile.ordinal()];
  }

  /** Returns how many requests the latency was measured on, and by default the throughput. */
  public int samples() {
    return samples;
  }

  /** Returns how many requests the throughput was measured on: only streamed answers count. */
  public int throughputSamples() {
    return throughputSamples < 0 ? samples : throughputSamples;
  }

  /** Returns how many requests say something about this endpoint. */
  public long requests(CountingPeriod countingPeriod) {
    return requests == null ? 0 : requests[countingPeriod.ordinal()];
  }

  /** Returns how many of the {@link #requests} failed. */
  public long failures(CountingPeriod countingPeriod) {
    return failures == null ? 0 : failures[countingPeriod.ordinal()];
  }

  /**
   * Returns the percentage of requests that did not fail; empty when there were fewer than {@link
   * #ENOUGH_REQUESTS}.
   */
  public OptionalDouble uptimePercent(CountingPeriod countingPeriod) {
    long all = requests(countingPeriod);
    return all < ENOUGH_REQUESTS
        ? OptionalDouble.empty()
        : OptionalDouble.of(100.0 * (all - failures(countingPeriod)) / all);
  }

  /** Returns how many requests of the last two hours ended with tool calls. */
  public long toolRequests() {
    return toolRequests;
  }

  /** Returns how many of the {@link #toolRequests} had at least one bad call. */
  public long toolErrors() {
    return toolErrors;
  }

  /** Returns the share of {@link #toolRequests} with a bad call, 0 to 1; empty for none. */
  public OptionalDouble toolErrorRate() {
    return toolRequests == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) toolErrors / toolRequests);
  }

  public Uptime uptime() {
    return uptime;
  }

  /** Returns whether there was a significant outage in the last 30 seconds. */
  public boolean outage() {
    return outage;
  }

  /**
   * Returns whether its breaker is open: no request goes to it before {@link #closedUntilMillis()},
   * then one probe at a time.
   */
  public boolean isBreakerOpen() {
    return broken;
  }

  /** Returns whether it is {@link #isBreakerOpen} and a probe is under way. */
  public boolean probing() {
    return probing;
  }

  public Circuit circuit() {
    if (broken) {
      return probing ? Circuit.HALF_OPEN : Circuit.OPEN;
    }
    return recovered != 0 ? Circuit.SLOW_START : Circuit.CLOSED;
  }

  /**
   * Returns the time before which nothing is sent to it, because it failed or asked to wait; 0 when
   * nothing keeps it closed.
   */
  public long closedUntilMillis() {
    return notBefore;
  }

  /** Returns when it recovered after its breaker was open; 0 when it did not recently. */
  public long recoveredAtMillis() {
    return recovered;
  }

  public Exacto exacto() {
    return exacto;
  }

  private @Nullable Object[] parts() {
    return new @Nullable Object[] {
      latencyMicros,
      throughputMicros,
      requests,
      failures,
      new long[] {samples, throughputSamples(), toolRequests, toolErrors, notBefore, recovered},
      new boolean[] {outage, broken, probing},
      uptime,
      exacto
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof EndpointStatistics that && Arrays.deepEquals(parts(), that.parts());
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(parts());
  }

  @Override
  public String toString() {
    return toJson().toString();
  }

  /** Returns everything that differs from {@link #NONE} as JSON. */
  public Json.Obj toJson() {
    return EndpointStatisticsJson.write(this);
  }

  /**
   * Reads what {@link #toJson} wrote. Unknown members are ignored.
   *
   * @throws IllegalArgumentException when a member is not what it should be
   */
  public static EndpointStatistics fromJson(Json.Obj json) {
    return EndpointStatisticsJson.read(json);
  }

  public static Builder builder() {
    return new Builder();
  }

  public Builder toBuilder() {
    var copy = new Builder();
    copy.latencyMicros = latencyMicros;
    copy.throughputMicros = throughputMicros;
    copy.samples = samples;
    copy.throughputSamples = throughputSamples;
    copy.requests = requests;
    copy.failures = failures;
    copy.toolRequests = toolRequests;
    copy.toolErrors = toolErrors;
    copy.uptime = uptime;
    copy.outage = outage;
    copy.broken = broken;
    copy.probing = probing;
    copy.notBefore = notBefore;
    copy.recovered = recovered;
    copy.exacto = exacto;
    return copy;
  }

  /** Builds statistics; what is not set is as in {@link #NONE}. */
  public static final class Builder {
    private long @Nullable [] latencyMicros;
    private long @Nullable [] throughputMicros;
    private int samples;
    private int throughputSamples = -1;
    private long @Nullable [] requests;
    private long @Nullable [] failures;
    private long toolRequests;
    private long toolErrors;
    private Uptime uptime = Uptime.NORMAL;
    private boolean outage;
    private boolean broken;
    private boolean probing;
    private long notBefore;
    private long recovered;
    private Exacto exacto = Exacto.INSUFFICIENT_DATA;

    private Builder() {}

    /**
     * @param micros microseconds to the first token, by {@link Percentile#ordinal()}
     */
    public Builder latencyMicros(long... micros) {
      latencyMicros = exactly(PERCENTILES, micros);
      return this;
    }

    /**
     * @param micros millionths of a token per second, by {@link Percentile#ordinal()}
     */
    public Builder throughputMicros(long... micros) {
      throughputMicros = exactly(PERCENTILES, micros);
      return this;
    }

    private static long[] exactly(int count, long[] values) {
      if (values.length != count) {
        throw new IllegalArgumentException("must have " + count + " values, had " + values.length);
      }
      return values.clone();
    }

    private static long @Nullable [] counted(long[] counts) {
      long[] values = exactly(SPANS, counts);
      return Arrays.stream(values).allMatch(value -> value == 0) ? null : values;
    }

    public Builder samples(int value) {
      samples = value;
      return this;
    }

    public Builder throughputSamples(int value) {
      throughputSamples = value;
      return this;
    }

    /**
     * @param counts by {@link CountingPeriod#ordinal()}
     */
    public Builder requests(long... counts) {
      requests = counted(counts);
      return this;
    }

    /**
     * @param counts by {@link CountingPeriod#ordinal()}
     */
    public Builder failures(long... counts) {
      failures = counted(counts);
      return this;
    }

    public Builder toolRequests(long count) {
      toolRequests = count;
      return this;
    }

    public Builder toolErrors(long count) {
      toolErrors = count;
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

    public Builder probing(boolean value) {
      probing = value;
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
