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

/** Lessons from peers 26, 35 and 36; the figures are in the report of each test. */
@DisplayName("A hundred requests a second over five equal endpoints")
class HerdTest {
  private static final int EVERY_MILLIS = 10;
  private static final double FAIR = 0.2;
  private static final double FAIR_OF_FOUR = 0.25;
  private static final String HIT = "p0";
  private static final UnaryOperator<RoutingQuery.Builder> NO_WISH =
      query -> query.models(List.of(ModelRef.parse("m")));

  private static Catalog five() {
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

  /** The greatest load of an endpoint in any five seconds, in times of its fair share. */
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

  private static void say(TestReporter reporter, String figure, double value) {
    String shown = String.format(Locale.ROOT, "%.3f", value);
    reporter.publishEntry(figure, shown);
    System.out.println(figure + ": " + shown);
  }

  @Test
  @DisplayName(
      "outlive one that dies: others take its load evenly, it gets probes only, then its share")
  void diesAndReturns(TestReporter reporter) {
    var traffic = new Traffic(five(), NO_WISH);
    traffic.run(EVERY_MILLIS, 60);
    traffic.behave(HIT, Traffic.Behaviour.DEAD);
    traffic.run(EVERY_MILLIS, 120);
    traffic.behave(HIT, Traffic.Behaviour.WELL);
    traffic.run(EVERY_MILLIS, 300);

    double amplification = traffic.amplification(60, 120);
    double load = loadFactor(traffic, 60, 120, FAIR_OF_FOUR);
    say(reporter, "retry amplification while dead", amplification);
    say(reporter, "load factor of the others while one is dead", load);
    say(reporter, "attempts at the dead one in its first two seconds", traffic.sentTo(HIT, 60, 62));
    say(reporter, "attempts at the dead one after it", traffic.sentTo(HIT, 62, 120));
    say(reporter, "share 50 to 60 s after it returned", traffic.share(HIT, 170, 180));
    assertThat(amplification).isLessThanOrEqualTo(1.2);
    assertThat(load).isLessThanOrEqualTo(1.5);
    assertThat(traffic.failed(0, 300)).isZero();
    assertThat(traffic.sentTo(HIT, 62, 120)).isLessThanOrEqualTo(5);
    assertThat(traffic.share(HIT, 170, 180)).isGreaterThan(FAIR * 0.8);
    for (int second = 180; second < 300; second += 10) {
      assertThat(traffic.share(HIT, second, second + 10)).isBetween(FAIR * 0.7, FAIR * 1.3);
    }
  }

  @Test
  @DisplayName("come back to the one that returned little by little, never all at once")
  void ramp(TestReporter reporter) {
    var traffic = new Traffic(five(), NO_WISH);
    traffic.behave(HIT, Traffic.Behaviour.DEAD);
    traffic.run(EVERY_MILLIS, 60);
    traffic.behave(HIT, Traffic.Behaviour.WELL);
    traffic.run(EVERY_MILLIS, 180);
    double most = 0;
    for (int second = 60; second < 180; second++) {
      most = Math.max(most, traffic.sentTo(HIT, second, second + 5) / 5.0 / (100 * FAIR));
    }
    say(reporter, "greatest load of the returned one in 5 s, in times of its share", most);
    say(reporter, "its share in the end", traffic.share(HIT, 130, 180));
    assertThat(most).isLessThanOrEqualTo(1.5);
    assertThat(traffic.share(HIT, 130, 180)).isGreaterThan(FAIR * 0.8);
  }

  @Test
  @DisplayName("keep their shares when one halves its speed and nobody asked for speed")
  void halfSpeed(TestReporter reporter) {
    var traffic = new Traffic(five(), NO_WISH);
    traffic.run(EVERY_MILLIS, 60);
    traffic.behave(HIT, Traffic.Behaviour.HALF_SPEED);
    traffic.run(EVERY_MILLIS, 240);
    say(reporter, "retry amplification", traffic.amplification(60, 240));
    say(reporter, "share of the slow one", traffic.share(HIT, 60, 240));
    assertThat(traffic.amplification(60, 240)).isEqualTo(1);
    for (int second = 60; second < 240; second += 10) {
      assertThat(traffic.share(HIT, second, second + 10)).isBetween(FAIR * 0.6, FAIR * 1.4);
    }
  }

  @Tag("full")
  @Test
  @DisplayName("leave one that halves its speed once, when they asked for speed, and stay away")
  void threshold(TestReporter reporter) {
    var percentilePreferences = new PercentilePreferences(150_000L, null, null, null);
    var preferences =
        ProviderPreferences.builder().preferredMaxLatency(percentilePreferences).build();
    var traffic = new Traffic(five(), query -> NO_WISH.apply(query).preferences(preferences));
    traffic.run(EVERY_MILLIS, 60);
    traffic.behave(HIT, Traffic.Behaviour.HALF_SPEED);
    traffic.run(EVERY_MILLIS, 330);
    int turns = 0;
    boolean away = false;
    for (int second = 60; second < 330; second++) {
      boolean now = traffic.sentTo(HIT, second, second + 1) == 0;
      turns += now == away ? 0 : 1;
      away = now;
    }
    double load = loadFactor(traffic, 60, 330, FAIR_OF_FOUR);
    say(reporter, "times they left or came back in 270 s", turns);
    say(reporter, "load factor of the others", load);
    assertThat(turns).isEqualTo(1);
    assertThat(load).isLessThanOrEqualTo(1.5);
  }

  @Test
  @DisplayName("do not hammer endpoints that all limit the rate, and are back soon after")
  void allLimited(TestReporter reporter) {
    var traffic = new Traffic(five(), NO_WISH);
    traffic.run(EVERY_MILLIS, 60);
    for (int i = 0; i < 5; i++) {
      traffic.behave("p" + i, Traffic.Behaviour.limited(3));
    }
    traffic.run(EVERY_MILLIS, 120);
    for (int i = 0; i < 5; i++) {
      traffic.behave("p" + i, Traffic.Behaviour.WELL);
    }
    traffic.run(EVERY_MILLIS, 240);
    say(reporter, "retry amplification while all limit", traffic.amplification(60, 120));
    say(reporter, "requests failed after they stopped", traffic.failed(124, 240));
    assertThat(traffic.amplification(60, 120)).isLessThanOrEqualTo(1.2);
    assertThat(traffic.failed(124, 240)).isZero();
    for (int i = 0; i < 5; i++) {
      assertThat(traffic.share("p" + i, 180, 240)).isBetween(FAIR * 0.8, FAIR * 1.2);
    }
  }

  @Tag("full")
  @Test
  @DisplayName("send an endpoint that stays dead nothing but its probe, ever more seldom")
  void staysDead(TestReporter reporter) {
    var traffic = new Traffic(five(), NO_WISH);
    traffic.behave(HIT, Traffic.Behaviour.DEAD);
    traffic.run(EVERY_MILLIS, 600);
    say(reporter, "attempts in ten minutes", traffic.sentTo(HIT, 0, 600));
    say(reporter, "attempts in the last five", traffic.sentTo(HIT, 300, 600));
    assertThat(traffic.sentTo(HIT, 300, 600)).isBetween(3L, 7L);
    for (int second = 40; second < 600; second++) {
      assertThat(traffic.sentTo(HIT, second, second + 1)).isLessThanOrEqualTo(1);
    }
  }
}
