package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.PercentilePreferences;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Simulates endpoints that fail and recover under steady traffic: lessons 26, 35 and 36 from peers.
 * Each test reports its figures.
 */
@DisplayName("A hundred requests a second over five equal endpoints")
class HerdTest {
  private static final int INTERVAL_MILLIS = 10;
  private static final double FAIR_SHARE = 0.2;
  private static final double FAIR_SHARE_OF_FOUR = 0.25;
  private static final String AFFECTED = "p0";
  private static final UnaryOperator<RoutingQuery.Builder> NO_PREFERENCES =
      query -> query.models(List.of(ModelRef.parse("m")));

  private static Catalog fiveEndpoints() {
    List<Endpoint> endpoints =
        IntStream.range(0, 5)
            .mapToObj(
                i ->
                    Endpoint.builder(
                            "m", new ProviderInfo("p" + i, "P" + i, false, false, null, false))
                        .pricing(
                            Pricing.builder().set(Price.PROMPT, new UnitPrice(1_000_000)).build())
                        .build())
            .toList();
    return Catalog.builder("five").add(ModelInfo.builder("m").build(), endpoints).build();
  }

  /**
   * Returns the greatest load of an unaffected endpoint in any five seconds, as a multiple of its
   * fair share.
   */
  private static double loadFactor(Traffic traffic, int from, int to, double fair) {
    double worst = 0;
    for (int second = from; second + 5 <= to; second++) {
      for (int i = 1; i < 5; i++) {
        double rate = traffic.sentTo("p" + i, second, second + 5) / 5.0;
        worst = Math.max(worst, rate / (100 * fair));
      }
    }
    return worst;
  }

  private static void report(TestReporter reporter, String figure, double value) {
    String shown = String.format(Locale.ROOT, "%.3f", value);
    reporter.publishEntry(figure, shown);
    System.out.println(figure + ": " + shown);
  }

  @Test
  @DisplayName(
      "survive the failure of one: the others share its load, it gets only probes, and later its "
          + "share again")
  void diesAndReturns(TestReporter reporter) {
    var traffic = new Traffic(fiveEndpoints(), NO_PREFERENCES);
    traffic.run(INTERVAL_MILLIS, 60);
    traffic.setBehaviour(AFFECTED, Traffic.Behaviour.DEAD);
    traffic.run(INTERVAL_MILLIS, 120);
    traffic.setBehaviour(AFFECTED, Traffic.Behaviour.HEALTHY);
    traffic.run(INTERVAL_MILLIS, 300);

    double amplification = traffic.amplification(60, 120);
    double load = loadFactor(traffic, 60, 120, FAIR_SHARE_OF_FOUR);
    report(reporter, "retry amplification while dead", amplification);
    report(reporter, "load factor of the others while one is dead", load);
    report(
        reporter,
        "attempts at the dead one in its first two seconds",
        traffic.sentTo(AFFECTED, 60, 62));
    report(reporter, "attempts at the dead one after those", traffic.sentTo(AFFECTED, 62, 120));
    report(reporter, "share 50 to 60 s after it recovered", traffic.share(AFFECTED, 170, 180));
    assertThat(amplification).isLessThanOrEqualTo(1.2);
    assertThat(load).isLessThanOrEqualTo(1.5);
    assertThat(traffic.failedRequests(0, 300)).isZero();
    assertThat(traffic.sentTo(AFFECTED, 62, 120)).isLessThanOrEqualTo(5);
    assertThat(traffic.share(AFFECTED, 170, 180)).isGreaterThan(FAIR_SHARE * 0.8);
    for (int second = 180; second < 300; second += 10) {
      assertThat(traffic.share(AFFECTED, second, second + 10))
          .isBetween(FAIR_SHARE * 0.7, FAIR_SHARE * 1.3);
    }
  }

  @Test
  @DisplayName("come back to a recovered endpoint little by little, never all at once")
  void ramp(TestReporter reporter) {
    var traffic = new Traffic(fiveEndpoints(), NO_PREFERENCES);
    traffic.setBehaviour(AFFECTED, Traffic.Behaviour.DEAD);
    traffic.run(INTERVAL_MILLIS, 60);
    traffic.setBehaviour(AFFECTED, Traffic.Behaviour.HEALTHY);
    traffic.run(INTERVAL_MILLIS, 180);
    double greatest = 0;
    for (int second = 60; second < 180; second++) {
      greatest =
          Math.max(
              greatest, traffic.sentTo(AFFECTED, second, second + 5) / 5.0 / (100 * FAIR_SHARE));
    }
    report(
        reporter,
        "greatest load of the recovered one in 5 s, as a multiple of its share",
        greatest);
    report(reporter, "its share in the end", traffic.share(AFFECTED, 130, 180));
    assertThat(greatest).isLessThanOrEqualTo(1.5);
    assertThat(traffic.share(AFFECTED, 130, 180)).isGreaterThan(FAIR_SHARE * 0.8);
  }

  @Test
  @DisplayName(
      "are still shared evenly when one endpoint halves its speed and no request asks for speed")
  void halfSpeed(TestReporter reporter) {
    var traffic = new Traffic(fiveEndpoints(), NO_PREFERENCES);
    traffic.run(INTERVAL_MILLIS, 60);
    traffic.setBehaviour(AFFECTED, Traffic.Behaviour.HALF_SPEED);
    traffic.run(INTERVAL_MILLIS, 240);
    report(reporter, "retry amplification", traffic.amplification(60, 240));
    report(reporter, "share of the slow one", traffic.share(AFFECTED, 60, 240));
    assertThat(traffic.amplification(60, 240)).isEqualTo(1);
    for (int second = 60; second < 240; second += 10) {
      assertThat(traffic.share(AFFECTED, second, second + 10))
          .isBetween(FAIR_SHARE * 0.6, FAIR_SHARE * 1.4);
    }
  }

  @Tag("full")
  @Test
  @DisplayName("leave an endpoint that halves its speed, once and for good, if they ask for speed")
  void threshold(TestReporter reporter) {
    var percentilePreferences = new PercentilePreferences(150_000L, null, null, null);
    var preferences =
        ProviderPreferences.builder().preferredMaxLatency(percentilePreferences).build();
    var traffic =
        new Traffic(fiveEndpoints(), query -> NO_PREFERENCES.apply(query).preferences(preferences));
    traffic.run(INTERVAL_MILLIS, 60);
    traffic.setBehaviour(AFFECTED, Traffic.Behaviour.HALF_SPEED);
    traffic.run(INTERVAL_MILLIS, 330);
    int changes = 0;
    boolean wasAway = false;
    for (int second = 60; second < 330; second++) {
      boolean isAway = traffic.sentTo(AFFECTED, second, second + 1) == 0;
      changes += isAway == wasAway ? 0 : 1;
      wasAway = isAway;
    }
    double load = loadFactor(traffic, 60, 330, FAIR_SHARE_OF_FOUR);
    report(reporter, "times the requests left or came back in 270 s", changes);
    report(reporter, "load factor of the others", load);
    assertThat(changes).isEqualTo(1);
    assertThat(load).isLessThanOrEqualTo(1.5);
  }

  @Test
  @DisplayName("do not hammer endpoints that all limit the rate, and succeed again soon after")
  void allLimited(TestReporter reporter) {
    var traffic = new Traffic(fiveEndpoints(), NO_PREFERENCES);
    traffic.run(INTERVAL_MILLIS, 60);
    for (int i = 0; i < 5; i++) {
      traffic.setBehaviour("p" + i, Traffic.Behaviour.limited(3));
    }
    traffic.run(INTERVAL_MILLIS, 120);
    for (int i = 0; i < 5; i++) {
      traffic.setBehaviour("p" + i, Traffic.Behaviour.HEALTHY);
    }
    traffic.run(INTERVAL_MILLIS, 240);
    report(reporter, "retry amplification while all limit", traffic.amplification(60, 120));
    report(reporter, "requests failed after the limits ended", traffic.failedRequests(124, 240));
    assertThat(traffic.amplification(60, 120)).isLessThanOrEqualTo(1.2);
    assertThat(traffic.failedRequests(124, 240)).isZero();
    for (int i = 0; i < 5; i++) {
      assertThat(traffic.share("p" + i, 180, 240)).isBetween(FAIR_SHARE * 0.8, FAIR_SHARE * 1.2);
    }
  }

  @Tag("full")
  @Test
  @DisplayName("send an endpoint that stays dead only its probe, more and more rarely")
  void staysDead(TestReporter reporter) {
    var traffic = new Traffic(fiveEndpoints(), NO_PREFERENCES);
    traffic.setBehaviour(AFFECTED, Traffic.Behaviour.DEAD);
    traffic.run(INTERVAL_MILLIS, 600);
    report(reporter, "attempts in ten minutes", traffic.sentTo(AFFECTED, 0, 600));
    report(reporter, "attempts in the last five", traffic.sentTo(AFFECTED, 300, 600));
    assertThat(traffic.sentTo(AFFECTED, 300, 600)).isBetween(3L, 7L);
    for (int second = 40; second < 600; second++) {
      assertThat(traffic.sentTo(AFFECTED, second, second + 1)).isLessThanOrEqualTo(1);
    }
  }
}
