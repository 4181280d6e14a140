package io.strowger.core.health;

import java.time.Duration;

/**
 * The thresholds between healthy and unhealthy. Provider routing fact sheet, sections 3 and 10;
 * values that the sheet leaves open are decided here.
 *
 * @param publishInterval the interval at which gradual changes are published; a change that stops
 *     requests to an endpoint is published at once
 */
public record HealthPolicy(
    Outage outage,
    Breaker breaker,
    CoolDowns coolDowns,
    Uptime uptime,
    Exacto exacto,
    Duration publishInterval) {
  /** The standard values, which each component documents. */
  public static final HealthPolicy STANDARD =
      new HealthPolicy(
          Outage.STANDARD,
          Breaker.STANDARD,
          CoolDowns.STANDARD,
          Uptime.STANDARD,
          Exacto.STANDARD,
          Duration.ofMillis(250));

  /**
   * The threshold of a significant outage in the last 30 seconds.
   *
   * @param failures the least number of failures, 3; more than half of the requests must fail
   */
  public record Outage(int failures) {
    public static final Outage STANDARD = new Outage(3);
  }

  /**
   * When the breaker of an endpoint opens, and how it closes again.
   *
   * @param failures the least number of failures in 30 seconds, 5; more than half must fail
   * @param consecutiveFailures the least number of consecutive failures that also opens the
   *     breaker, 10: otherwise an endpoint that was busy and healthy would be sent requests for
   *     half a window after it fails
   * @param coolDown the time until the first probe: 5 s
   * @param longestCoolDown the longest cool-down: 60 s; until then, each failed probe doubles the
   *     cool-down
   * @param probeTimeout how long a probe may go without content before another is let through, in
   *     case its outcome is never reported: 60 s
   * @param streamingProbeTimeout how long a probe may take from its first content on before another
   *     is let through: 10 min
   * @param slowStart how long a recovered endpoint gets less than its share; may be zero: 30 s
   */
  public record Breaker(
      int failures,
      int consecutiveFailures,
      Duration coolDown,
      Duration longestCoolDown,
      Duration probeTimeout,
      Duration streamingProbeTimeout,
      Duration slowStart) {
    public static final Breaker STANDARD =
        new Breaker(
            5,
            10,
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofMinutes(10),
            Duration.ofSeconds(30));
  }

  /**
   * How long a credential is not used after it was refused. The wait that an upstream asks for is
   * bounded, since it could otherwise last days, or no time at all.
   *
   * @param shortest the shortest wait after a rate limit: 1 s
   * @param longest the longest wait after a rate limit, and the wait after a 403, which may concern
   *     only one request: 60 s
   * @param defaultRateLimit the wait after a rate limit without a requested wait: 5 s
   * @param credential the wait when the credential is wrong: 5 min
   * @param quota the shortest wait when money or quota is used up; the upstream may ask for up to
   *     {@code longestQuota}: 10 min
   * @param longestQuota the longest wait when money or quota is used up: 1 h
   */
  public record CoolDowns(
      Duration shortest,
      Duration longest,
      Duration defaultRateLimit,
      Duration credential,
      Duration quota,
      Duration longestQuota) {
    public static final CoolDowns STANDARD =
        new CoolDowns(
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofHours(1));
  }

  /**
   * The thresholds of the uptime classes, for the share of successes over half an hour.
   *
   * @param requests the fewest requests for which a class is computed: 100
   * @param normalPercent the lowest percentage that is normal: 95
   * @param downPercent the lowest percentage that is degraded, below which the endpoint is down: 80
   */
  public record Uptime(int requests, int normalPercent, int downPercent) {
    public static final Uptime STANDARD = new Uptime(EndpointStatistics.MIN_REQUESTS, 95, 80);
  }

  /**
   * The thresholds below which an endpoint is a bad choice for requests with tools, compared with
   * the other endpoints of its model.
   *
   * @param endpoints the fewest endpoints with enough data for a comparison: 4
   * @param requests the requests in half an hour that are enough data: 100
   * @param toolRequests the requests with tool calls in two hours that are enough data: 200
   * @param throughputSigmas how many robust standard deviations below the median the throughput may
   *     be: 1.5
   * @param toolSigmas the same for the share of requests without a bad tool call: 2
   */
  public record Exacto(
      int endpoints, int requests, int toolRequests, double throughputSigmas, double toolSigmas) {
    public static final Exacto STANDARD = new Exacto(4, 100, 200, 1.5, 2);
  }
}
