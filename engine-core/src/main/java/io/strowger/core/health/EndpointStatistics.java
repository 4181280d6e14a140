package io.strowger.core.health;

import io.strowger.spi.json.Json;
import java.util.Arrays;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The health and speed of one endpoint, as of a publication. Immutable. Provider routing fact
 * sheet, sections 3, 7 and 10.
 *
 * <p>Speeds come from the last five minutes. Times are milliseconds since the epoch. Requests are
 * those that are evidence about the endpoint: requests that were answered, or failed through the
 * fault of the endpoint or of the gateway's credential. Requests that were rate-limited, cancelled
 * or invalid are not counted.
 */
public final class EndpointStatistics {
  /** The statistics of an endpoint without observations: normal in every respect. */
  public static final EndpointStatistics NONE = builder().build();

  /** A percentile: the percentage of requests that were at least as fast as the value. */
  public enum Percentile {
    P50,
    P75,
    P90,
    P99
  }

  /** The uptime class of an endpoint, once it has had enough requests to judge. */
  public enum Uptime {
    NORMAL,
    /** Below 95 %: tried after normal endpoints. */
    DEGRADED,
    /** Below 80 %: tried only when no other endpoint is left. */
    DOWN
  }

  /** The rating of an endpoint for requests with tools. */
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

  /** The state of the breaker, as shown to people. */
  public enum Circuit {
    CLOSED,
    OPEN,
    /** One request probes whether the endpoint has recovered. */
    HALF_OPEN,
    /** The endpoint has recovered and regains its share gradually. */
    SLOW_START
  }

  /** The fewest requests for which an uptime is computed. */
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

  /** Returns a percentile of the time to the first token, in microseconds; -1 if unknown. */
  public long latencyMicros(Percentile percentile) {
    return latencyMicros == null ? -1 : latencyMicros[percentile.ordinal()];
  }

  /**
   * Returns the throughput that this percentage of requests reached or exceeded, in millionths of a
   * token per second; -1 if unknown. The 90th percentile is therefore in the slow tail.
   */
  public long throughputMicros(Percentile percentile) {
    return throughputMicros == null ? -1 : throughputMicros[percentile.ordinal()];
  }

  /** Returns how many requests the latency was measured on. */
  public int samples() {
    return samples;
  }

  /**
   * Returns how many requests the throughput was measured on, which are only those with streamed
   * answers.
   */
  public int throughputSamples() {
    return throughputSamples < 0 ? samples : throughputSamples;
  }

  /** Returns how many requests of a period are evidence about this endpoint. */
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
   * Returns whether the breaker is open: no request is sent before {@link #closedUntilMillis()},
   * then one probe at a time.
   */
  public boolean isBreakerOpen() {
    return broken;
  }

  /** Returns whether the breaker is open ({@link #isBreakerOpen}) and a probe is under way. */
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
   * Returns the time before which no request is sent to the endpoint, because it failed or asked to
   * wait; 0 when there is none.
   */
  public long closedUntilMillis() {
    return notBefore;
  }

  /**
   * Returns when the endpoint recovered after its breaker was open; 0 when it did not recover
   * recently.
   */
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

  /** Returns the values that differ from {@link #NONE} as JSON. */
  public Json.Obj toJson() {
    return EndpointStatisticsJson.write(this);
  }

  /**
   * Reads what {@link #toJson} wrote. Unknown members are ignored.
   *
   * @throws IllegalArgumentException when the value of a member is invalid
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

  /** Builds statistics. Values that are not set are those of {@link #NONE}. */
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
