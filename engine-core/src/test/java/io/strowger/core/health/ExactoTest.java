package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics.Exacto;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("For requests with tools, an endpoint")
class ExactoTest {
  private final ExactoTiers tiers = new ExactoTiers(HealthPolicy.Exacto.STANDARD);

  private static EndpointStatistics.Builder withRequests(long requests, long toolRequests) {
    return EndpointStatistics.builder()
        .requests(requests, requests, requests)
        .toolRequests(toolRequests);
  }

  private static EndpointStatistics withThroughput(double tokensPerSecond) {
    long micros = (long) (tokensPerSecond * 1e6);
    return withRequests(100, 200).throughputMicroTokens(micros, micros, micros, micros).build();
  }

  private static EndpointStatistics withToolErrors(long errors) {
    return withRequests(1_000, 1_000).toolErrors(errors).build();
  }

  private List<Exacto> of(EndpointStatistics... group) {
    return List.of(tiers.of(List.of(group)));
  }

  private List<Exacto> tiersByThroughput(double... rates) {
    var group = new ArrayList<EndpointStatistics>();
    for (double rate : rates) {
      group.add(withThroughput(rate));
    }
    return List.of(tiers.of(group));
  }

  @Proves("routing.exacto.EX-1")
  @Test
  @DisplayName("EX-1: that streams 20 t/s where others stream about 100 comes last")
  void slow() {
    assertThat(tiersByThroughput(100, 102, 98, 101, 20))
        .containsExactly(Exacto.GOOD, Exacto.GOOD, Exacto.GOOD, Exacto.GOOD, Exacto.DEPRIORITIZED);
  }

  @Proves({"routing.exacto.throughput", "open.13"})
  @ParameterizedTest(name = "{0} t/s: {1}")
  @DisplayName(
      "is put last if it is more than 1.5 robust deviations below the median: below 95.5522 t/s "
          + "here")
  @CsvSource({"95.5521, DEPRIORITIZED", "95.5523, GOOD", "500, GOOD"})
  void cutoff(double rate, Exacto expected) {
    // median 100, deviations 0, 1, 2, 2 and that of the last; 100 - 1.5 x 1.4826 x 2 = 95.5522
    assertThat(tiersByThroughput(100, 102, rate > 100 ? 99 : 101, 98, rate).get(4))
        .isEqualTo(expected);
  }

  @Proves({"routing.exacto.four", "routing.exacto.EX-2"})
  @Test
  @DisplayName("EX-2: is compared with three others, but not with only two, however bad it is")
  void fewerThanFour() {
    assertThat(tiersByThroughput(100, 101, 1)).containsOnly(Exacto.GOOD);
    assertThat(tiersByThroughput(100, 101, 99, 1))
        .containsExactly(Exacto.GOOD, Exacto.GOOD, Exacto.GOOD, Exacto.DEPRIORITIZED);
  }

  @Proves("open.13")
  @Test
  @DisplayName("is not put last if the others are all equal, since they show no usual deviation")
  void allAlike() {
    assertThat(tiersByThroughput(100, 100, 100, 100, 20)).containsOnly(Exacto.GOOD);
  }

  @Proves("routing.exacto.tool-calls")
  @ParameterizedTest(name = "{0} errors of 1,000: {1}")
  @DisplayName(
      "is put last if its tool errors are more than two robust deviations above the median")
  @CsvSource({"39, GOOD", "40, DEPRIORITIZED"})
  void toolErrors(long errors, Exacto expected) {
    // successes 0.99, 0.98, 0.99, 1.00: deviations 0, 0, 0.01, 0.01 and the last one's; 2 x 1.4826
    assertThat(
            of(
                    withToolErrors(10),
                    withToolErrors(20),
                    withToolErrors(0),
                    withToolErrors(10),
                    withToolErrors(errors))
                .get(4))
        .isEqualTo(expected);
  }

  @Proves("routing.exacto.minimum")
  @ParameterizedTest(name = "{0} requests, {1} with tools: {2}")
  @DisplayName("is not judged before 100 requests and 200 with tool calls")
  @CsvSource({
    "99, 200, INSUFFICIENT_DATA",
    "100, 199, INSUFFICIENT_DATA",
    "100, 200, GOOD",
    "0, 0, INSUFFICIENT_DATA"
  })
  void enough(long requests, long toolRequests, Exacto expected) {
    assertThat(of(withRequests(requests, toolRequests).build())).containsExactly(expected);
  }

  @Test
  @DisplayName("of which too little is known is not compared with the others")
  void notCompared() {
    EndpointStatistics unknown = withThroughput(1).toBuilder().toolRequests(199).build();
    assertThat(of(withThroughput(100), withThroughput(101), withThroughput(20), unknown))
        .containsExactly(Exacto.GOOD, Exacto.GOOD, Exacto.GOOD, Exacto.INSUFFICIENT_DATA);
  }

  @Proves("routing.exacto.EX-3")
  @Test
  @DisplayName("EX-3: counts one error for an answer with five calls of which one is bad")
  void oneError() {
    try (var fixture = new HealthFixture()) {
      fixture.beginPermitted("alpha").complete(10, 0, true, true);
      fixture.beginPermitted("beta").complete(10, 0, true, false);
      fixture.beginPermitted("gamma").complete(10, 0, false, false);
      fixture.publish();
      assertThat(fixture.statistics("alpha").toolErrorRate()).hasValue(1);
      assertThat(fixture.statistics("alpha").toolRequests()).isEqualTo(1);
      assertThat(fixture.statistics("beta").toolErrorRate()).hasValue(0);
      assertThat(fixture.statistics("gamma").toolErrorRate()).isEmpty();
    }
  }

  @Test
  @DisplayName("is put into its tier when statistics are published")
  void published() {
    try (var fixture = new HealthFixture()) {
      int rate = 90;
      for (String tag : List.of("alpha", "beta", "gamma", "delta", "epsilon")) {
        for (int i = 0; i < 200; i++) {
          long tokens = tag.equals("epsilon") ? 10 : rate;
          fixture.beginPermitted(tag).complete(tokens, 1_000_000_000, true, false);
        }
        rate += 8;
      }
      fixture.publish();
      assertThat(fixture.statistics("epsilon").exacto()).isEqualTo(Exacto.DEPRIORITIZED);
      assertThat(fixture.statistics("alpha").exacto()).isEqualTo(Exacto.GOOD);
      assertThat(fixture.statistics("alpha/turbo").exacto()).isEqualTo(Exacto.INSUFFICIENT_DATA);
      fixture.advance(Duration.ofMinutes(31));
      assertThat(fixture.statistics("epsilon").exacto()).isEqualTo(Exacto.INSUFFICIENT_DATA);
    }
  }
}
