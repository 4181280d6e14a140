package io.strowger.core.health;

import java.time.Duration;

/**
 * Where the lines are drawn between well and unwell. Provider routing fact sheet, sections 3 and
 * 10; what it leaves open is decided here.
 *
 * @param publishEvery how soon what changed little by little is published; what keeps an endpoint
 *     closed is published at once
 */
public record HealthPolicy(
    Outage outage,
    Breaker breaker,
    CoolDowns coolDowns,
    Uptime uptime,
    Exacto exacto,
    Duration publishEvery) {
  /** The values documented at each of them. */
  public static final HealthPolicy STANDARD =
      new HealthPolicy(
          Outage.STANDARD,
          Breaker.STANDARD,
          CoolDowns.STANDARD,
          Uptime.STANDARD,
          Exacto.STANDARD,
          Duration.ofMillis(250));

  public HealthPolicy {
    positive("publishEvery", publishEvery);
  }

  /**
   * What makes an outage significant, in the last 30 seconds.
   *
   * @param failures at least so many, 3, and more than half of the requests
   */
  public record Outage(int failures) {
    public static final Outage STANDARD = new Outage(3);

    public Outage {
      atLeast("failures", failures, 1);
    }
  }

  /**
   * When an endpoint gets nothing any more, and how it comes back.
   *
   * @param failures at least so many in 30 seconds, 5, and more than half of the requests
   * @param inARow or at least so many one after the other, 10: one that was busy and well would
   *     otherwise be sent half a window of requests after it died
   * @param coolDown until the first probe: 5 s
   * @param longestCoolDown what it is doubled up to when probes fail: 60 s
   * @param permit how long a probe may go without content before another is let through, in case
   *     nobody says what became of it: 60 s
   * @param streamingPermit the same from its first content on: 10 min
   * @param slowStart how long an endpoint that came back gets less than its share: 30 s
   */
  public record Breaker(
      int failures,
      int inARow,
      Duration coolDown,
      Duration longestCoolDown,
      Duration permit,
      Duration streamingPermit,
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

    public Breaker {
      atLeast("failures", failures, 1);
      atLeast("inARow", inARow, 1);
      positive("coolDown", coolDown);
      positive("permit", permit);
      positive("streamingPermit", streamingPermit);
      if (longestCoolDown.compareTo(coolDown) < 0) {
        throw new IllegalArgumentException("longestCoolDown is shorter than coolDown");
      }
    }
  }

  /**
   * How long a credential is not used after it was refused. What an upstream asks for counts within
   * the bounds: one that asks for days would be lost, one that asks for nothing would be hammered.
   *
   * @param shortest after a rate limit: 1 s
   * @param longest after a rate limit, and after a 403, which may be about one request: 60 s
   * @param unsaid after a rate limit that names no time: 5 s
   * @param credential when the credential is wrong: 5 min
   * @param quota when its money or quota is used up, or as long as the upstream says, within {@code
   *     longestQuota}: 10 min
   * @param longestQuota 1 h
   */
  public record CoolDowns(
      Duration shortest,
      Duration longest,
      Duration unsaid,
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

    public CoolDowns {
      positive("shortest", shortest);
      positive("unsaid", unsaid);
      positive("credential", credential);
      positive("quota", quota);
    }
  }

  /**
   * What a share of successes over half an hour makes of an endpoint.
   *
   * @param requests fewer say nothing: 100
   * @param normalPercent from here on normal: 95
   * @param downPercent below it down, from here on degraded: 80
   */
  public record Uptime(int requests, int normalPercent, int downPercent) {
    public static final Uptime STANDARD = new Uptime(EndpointStatistics.ENOUGH_REQUESTS, 95, 80);

    public Uptime {
      atLeast("requests", requests, 1);
    }
  }

  /**
   * What makes an endpoint a bad choice for requests with tools, among those of its model.
   *
   * @param endpoints fewer with enough data are not compared: 4
   * @param requests in half an hour that are enough data: 100
   * @param toolRequests in two hours that are enough data, too: 200
   * @param throughputSigmas more robust deviations below the median are too slow: 1.5
   * @param toolSigmas more below the median share of sound tool calls are too few: 2
   */
  public record Exacto(
      int endpoints, int requests, int toolRequests, double throughputSigmas, double toolSigmas) {
    public static final Exacto STANDARD = new Exacto(4, 100, 200, 1.5, 2);

    public Exacto {
      atLeast("endpoints", endpoints, 1);
    }
  }

  private static void positive(String name, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(name + " must be positive, was " + value);
    }
  }

  private static void atLeast(String name, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ", was " + value);
    }
  }
}
