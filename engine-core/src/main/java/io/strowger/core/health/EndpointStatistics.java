package io.strowger.core.health;

import io.strowger.core.routing.RecordedJson;
import io.strowger.spi.json.Json;
import java.util.OptionalDouble;

/**
 * The health and speed of one endpoint, as of a publication. Immutable. Provider routing fact
 * sheet, sections 3, 7 and 10.
 *
 * <p>Speeds come from the last five minutes. Times are milliseconds since the epoch. Requests are
 * those that are evidence about the endpoint: requests that were answered, or failed through the
 * fault of the endpoint or of the gateway's credential. Requests that were rate-limited, cancelled
 * or invalid are not counted.
 *
 * @param latency the time to the first token in microseconds
 * @param throughput what a percentage of requests reached or exceeded, in millionths of a token per
 *     second; the 90th percentile is therefore in the slow tail
 * @param samples how many requests the latency was measured on
 * @param throughputSamples how many requests the throughput was measured on, which are only those
 *     with streamed answers
 * @param requests how many requests are evidence about this endpoint
 * @param failures how many of the requests failed
 * @param toolRequests how many requests of the last two hours ended with tool calls
 * @param toolErrors how many of the {@code toolRequests} had at least one bad call
 * @param hasOutage whether there was a significant outage in the last 30 seconds
 * @param isBreakerOpen whether the breaker is open: no request is sent before {@code
 *     blockedUntilMillis}, then one probe at a time
 * @param isProbing whether the breaker is open and a probe is under way
 * @param blockedUntilMillis the time before which no request is sent to the endpoint, because it
 *     failed or asked to wait; 0 when there is none
 * @param recoveredAtMillis when the endpoint recovered after its breaker was open; 0 when it did
 *     not recover recently
 */
public record EndpointStatistics(
    Percentiles latency,
    Percentiles throughput,
    int samples,
    int throughputSamples,
    Counts requests,
    Counts failures,
    long toolRequests,
    long toolErrors,
    Uptime uptime,
    boolean hasOutage,
    boolean isBreakerOpen,
    boolean isProbing,
    long blockedUntilMillis,
    long recoveredAtMillis,
    Exacto exacto) {
  /** The statistics of an endpoint without observations: normal in every respect. */
  public static final EndpointStatistics NONE = builder().build();

  /** The fewest requests for which an uptime is computed. */
  public static final int MIN_REQUESTS = 100;

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

  /** Values by {@link Percentile}; all are -1 if unknown. */
  public record Percentiles(long p50, long p75, long p90, long p99) {
    static final Percentiles UNKNOWN = new Percentiles(-1, -1, -1, -1);

    static Percentiles of(long[] values) {
      requireLength(4, values);
      return new Percentiles(values[0], values[1], values[2], values[3]);
    }

    long get(Percentile percentile) {
      return switch (percentile) {
        case P50 -> p50;
        case P75 -> p75;
        case P90 -> p90;
        case P99 -> p99;
      };
    }
  }

  /** Numbers of requests by {@link CountingPeriod}. */
  public record Counts(long fiveMinutes, long halfHour, long day) {
    static final Counts NONE = new Counts(0, 0, 0);

    static Counts of(long[] values) {
      requireLength(3, values);
      return new Counts(values[0], values[1], values[2]);
    }

    long get(CountingPeriod period) {
      return switch (period) {
        case FIVE_MINUTES -> fiveMinutes;
        case HALF_HOUR -> halfHour;
        case DAY -> day;
      };
    }
  }

  private static void requireLength(int count, long[] values) {
    if (values.length != count) {
      throw new IllegalArgumentException("must have " + count + " values, had " + values.length);
    }
  }

  /** Returns a percentile of the time to the first token, in microseconds; -1 if unknown. */
  public long latencyMicros(Percentile percentile) {
    return latency.get(percentile);
  }

  /** Returns a percentile of the throughput, in millionths of a token per second; -1 if unknown. */
  public long throughputMicroTokens(Percentile percentile) {
    return throughput.get(percentile);
  }

  /** Returns how many requests of a period are evidence about this endpoint. */
  public long requests(CountingPeriod period) {
    return requests.get(period);
  }

  /** Returns how many of the {@link #requests} failed. */
  public long failures(CountingPeriod period) {
    return failures.get(period);
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

  /** Returns the share of {@link #toolRequests} with a bad call, 0 to 1; empty for none. */
  public OptionalDouble toolErrorRate() {
    return toolRequests == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) toolErrors / toolRequests);
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
    return EndpointStatisticsJson.read(new RecordedJson(json));
  }

  public static Builder builder() {
    return new Builder();
  }

  public Builder toBuilder() {
    var copy = new Builder();
    copy.latency = latency;
    copy.throughput = throughput;
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
    private Percentiles latency = Percentiles.UNKNOWN;
    private Percentiles throughput = Percentiles.UNKNOWN;
    private int samples;
    private int throughputSamples = -1;
    private Counts requests = Counts.NONE;
    private Counts failures = Counts.NONE;
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
      latency = Percentiles.of(micros);
      return this;
    }

    /**
     * @param microTokens millionths of a token per second, by {@link Percentile#ordinal()}
     */
    public Builder throughputMicroTokens(long... microTokens) {
      throughput = Percentiles.of(microTokens);
      return this;
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
      requests = Counts.of(counts);
      return this;
    }

    /**
     * @param counts by {@link CountingPeriod#ordinal()}
     */
    public Builder failures(long... counts) {
      failures = Counts.of(counts);
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
      return new EndpointStatistics(
          latency,
          throughput,
          samples,
          throughputSamples < 0 ? samples : throughputSamples,
          requests,
          failures,
          toolRequests,
          toolErrors,
          uptime,
          outage,
          breakerOpen,
          probing,
          blockedUntilMillis,
          recoveredAtMillis,
          exacto);
    }
  }
}
