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

  /**
   * The rating of an endpoint for requests with tools, by the rule that the contract calls
   * Auto-exacto.
   */
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
  public static final int MIN_REQUESTS = 100;

  static final int PERCENTILES = Percentile.values().length;
  static final int PERIODS = CountingPeriod.values().length;

  private final long @Nullable [] latencyMicros;
  private final long @Nullable [] throughputMicroTokens;
  private final int samples;
  private final int throughputSamples;
  private final long @Nullable [] requests;
  private final long @Nullable [] failures;
  private final long toolRequests;
  private final long toolErrors;
  private final Uptime uptime;
  private final boolean hasOutage;
  private final boolean isBreakerOpen;
  private final boolean isProbing;
  private final long blockedUntilMillis;
  private final long recoveredAtMillis;
  private final Exacto exacto;

  private EndpointStatistics(Builder builder) {
    latencyMicros = builder.latencyMicros;
    throughputMicroTokens = builder.throughputMicroTokens;
    samples = builder.samples;
    throughputSamples = builder.throughputSamples;
    requests = builder.requests;
    failures = builder.failures;
    toolRequests = builder.toolRequests;
    toolErrors = builder.toolErrors;
    uptime = builder.uptime;
    hasOutage = builder.outage;
    isBreakerOpen = builder.breakerOpen;
    isProbing = builder.probing;
    blockedUntilMillis = builder.blockedUntilMillis;
    recoveredAtMillis = builder.recoveredAtMillis;
    exacto = builder.exacto;
  }

  /** Returns a percentile of the time to the first token, in microseconds; -1 if unknown. */
  public long latencyMicros(Percentile percentile) {
    return latencyMicros == null ? -1 : latencyMicros[percentile.ordinal()];
  }

  /**
   * Returns the throughput that this percentage of requests reached or exceeded, in millionths of a
   * token per second; -1 if unknown. The 90th percentile is therefore in the slow tail.
   */
  public long throughputMicroTokens(Percentile percentile) {
    return throughputMicroTokens == null ? -1 : throughputMicroTokens[percentile.ordinal()];
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
  public long requests(CountingPeriod period) {
    return requests == null ? 0 : requests[period.ordinal()];
  }

  /** Returns how many of the {@link #requests} failed. */
  public long failures(CountingPeriod period) {
    return failures == null ? 0 : failures[period.ordinal()];
  }

  /**
   * Returns the percentage of requests that did not fail; empty when there were fewer than {@link
   * #MIN_REQUESTS}.
   */
  public OptionalDouble uptimePercent(CountingPeriod period) {
    long total = requests(period);
    return total < MIN_REQUESTS
        ? OptionalDouble.empty()
        : OptionalDouble.of(100.0 * (total - failures(period)) / total);
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
  public boolean hasOutage() {
    return hasOutage;
  }

  /**
   * Returns whether the breaker is open: no request is sent before {@link #blockedUntilMillis()},
   * then one probe at a time.
   */
  public boolean isBreakerOpen() {
    return isBreakerOpen;
  }

  /** Returns whether the breaker is open ({@link #isBreakerOpen}) and a probe is under way. */
  public boolean isProbing() {
    return isProbing;
  }

  public Circuit circuit() {
    if (isBreakerOpen) {
      return isProbing ? Circuit.HALF_OPEN : Circuit.OPEN;
    }
    return recoveredAtMillis != 0 ? Circuit.SLOW_START : Circuit.CLOSED;
  }

  /**
   * Returns the time before which no request is sent to the endpoint, because it failed or asked to
   * wait; 0 when there is none.
   */
  public long blockedUntilMillis() {
    return blockedUntilMillis;
  }

  /**
   * Returns when the endpoint recovered after its breaker was open; 0 when it did not recover
   * recently.
   */
  public long recoveredAtMillis() {
    return recoveredAtMillis;
  }

  public Exacto exacto() {
    return exacto;
  }

  private @Nullable Object[] components() {
    return new @Nullable Object[] {
      latencyMicros,
      throughputMicroTokens,
      requests,
      failures,
      new long[] {
        samples,
        throughputSamples(),
        toolRequests,
        toolErrors,
        blockedUntilMillis,
        recoveredAtMillis
      },
      new boolean[] {hasOutage, isBreakerOpen, isProbing},
      uptime,
      exacto
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof EndpointStatistics that
            && Arrays.deepEquals(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(components());
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
    copy.throughputMicroTokens = throughputMicroTokens;
    copy.samples = samples;
    copy.throughputSamples = throughputSamples;
    copy.requests = requests;
    copy.failures = failures;
    copy.toolRequests = toolRequests;
    copy.toolErrors = toolErrors;
    copy.uptime = uptime;
    copy.outage = hasOutage;
    copy.breakerOpen = isBreakerOpen;
    copy.probing = isProbing;
    copy.blockedUntilMillis = blockedUntilMillis;
    copy.recoveredAtMillis = recoveredAtMillis;
    copy.exacto = exacto;
    return copy;
  }

  /** Builds statistics. Values that are not set are those of {@link #NONE}. */
  public static final class Builder {
    private long @Nullable [] latencyMicros;
    private long @Nullable [] throughputMicroTokens;
    private int samples;
    private int throughputSamples = -1;
    private long @Nullable [] requests;
    private long @Nullable [] failures;
    private long toolRequests;
    private long toolErrors;
    private Uptime uptime = Uptime.NORMAL;
    private boolean outage;
    private boolean breakerOpen;
    private boolean probing;
    private long blockedUntilMillis;
    private long recoveredAtMillis;
    private Exacto exacto = Exacto.INSUFFICIENT_DATA;

    private Builder() {}

    /**
     * @param micros microseconds to the first token, by {@link Percentile#ordinal()}
     */
    public Builder latencyMicros(long... micros) {
      latencyMicros = requireLength(PERCENTILES, micros);
      return this;
    }

    /**
     * @param microTokens millionths of a token per second, by {@link Percentile#ordinal()}
     */
    public Builder throughputMicroTokens(long... microTokens) {
      throughputMicroTokens = requireLength(PERCENTILES, microTokens);
      return this;
    }

    private static long[] requireLength(int count, long[] values) {
      if (values.length != count) {
        throw new IllegalArgumentException("must have " + count + " values, had " + values.length);
      }
      return values.clone();
    }

    private static long @Nullable [] countsOrNull(long[] counts) {
      long[] values = requireLength(PERIODS, counts);
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
      requests = countsOrNull(counts);
      return this;
    }

    /**
     * @param counts by {@link CountingPeriod#ordinal()}
     */
    public Builder failures(long... counts) {
      failures = countsOrNull(counts);
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

    public Builder breakerOpen(boolean value) {
      breakerOpen = value;
      return this;
    }

    public Builder probing(boolean value) {
      probing = value;
      return this;
    }

    public Builder blockedUntilMillis(long epochMillis) {
      blockedUntilMillis = epochMillis;
      return this;
    }

    public Builder recoveredAtMillis(long epochMillis) {
      recoveredAtMillis = epochMillis;
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
