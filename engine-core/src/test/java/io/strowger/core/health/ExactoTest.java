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

  private static EndpointStatistics.Builder known(long requests, long toolRequests) {
    return EndpointStatistics.builder()
        .requests(requests, requests, requests)
        .toolRequests(toolRequests);
  }

  private static EndpointStatistics streaming(double tokensPerSecond) {
    long micros = (long) (tokensPerSecond * 1e6);
    return known(100, 200).throughputMicroTokens(micros, micros, micros, micros).build();
  }

  private static EndpointStatistics erring(long errors) {
    return known(1_000, 1_000).toolErrors(errors).build();
  }

  private List<Exacto> of(EndpointStatistics... group) {
    return List.of(tiers.of(List.of(group)));
  }

  private List<Exacto> streams(double... rates) {
    var group = new ArrayList<EndpointStatistics>();
    for (double rate : rates) {
      group.add(streaming(rate));
    }
    return List.of(tiers.of(group));
  }

  @Proves("routing.exacto.EX-1")
  @Test
  @DisplayName("EX-1: that streams 20 t/s where others stream about 100 comes last")
  void slow() {
    assertThat(streams(100, 102, 98, 101, 20))
        .containsExactly(Exacto.GOOD, Exacto.GOOD, Exacto.GOOD, Exacto.GOOD, Exacto.DEPRIORITIZED);
  }

  @Proves({"routing.exacto.throughput", "open.13"})
  @ParameterizedTest(name = "{0} t/s: {1}")
  @DisplayName("is cut off at 1.5 robust deviations below the median: 95.5522 there")
  @CsvSource({"95.5521, DEPRIORITIZED", "95.5523, GOOD", "500, GOOD"})
  void cutoff(double rate, Exacto expected) {
    // median 100, deviations 0, 1, 2, 2 and that of the last; 100 - 1.5 x 1.4826 x 2 = 95.5522
    assertThat(streams(100, 102, rate > 100 ? 99 : 101, 98, rate).get(4)).isEqualTo(expected);
  }

  @Proves({"routing.exacto.four", "routing.exacto.EX-2"})
  @Test
  @DisplayName("EX-2: is not compared with two others, however bad it is; with three it is")
  void fewerThanFour() {
    assertThat(streams(100, 101, 1)).containsOnly(Exacto.GOOD);
    assertThat(streams(100, 101, 99, 1))
        .containsExactly(Exacto.GOOD, Exacto.GOOD, Exacto.GOOD, Exacto.DEPRIORITIZED);
  }

  @Proves("open.13")
  @Test
  @DisplayName("is not put last where the others are all alike: nobody knows what is usual")
  void allAlike() {
    assertThat(streams(100, 100, 100, 100, 20)).containsOnly(Exacto.GOOD);
  }

  @Proves("routing.exacto.tool-calls")
  @ParameterizedTest(name = "{0} errors of 1,000: {1}")
  @DisplayName("is cut off at two robust deviations more errors with tools")
  @CsvSource({"39, GOOD", "40, DEPRIORITIZED"})
  void toolErrors(long errors, Exacto expected) {
    // successes 0.99, 0.98, 0.99, 1.00: deviations 0, 0, 0.01, 0.01 and the last one's; 2 x 1.4826
    assertThat(of(erring(10), erring(20), erring(0), erring(10), erring(errors)).get(4))
        .isEqualTo(expected);
  }

  @Proves("routing.exacto.minimum")
  @ParameterizedTest(name = "{0} requests, {1} with tools: {2}")
  @DisplayName("is not judged before 100 requests and 200 with calls of tools")
  @CsvSource({
    "99, 200, INSUFFICIENT_DATA",
    "100, 199, INSUFFICIENT_DATA",
    "100, 200, GOOD",
    "0, 0, INSUFFICIENT_DATA"
  })
  void enough(long requests, long toolRequests, Exacto expected) {
    assertThat(of(known(requests, toolRequests).build())).containsExactly(expected);
  }

  @Test
  @DisplayName("of which too little is known is no measure for the others either")
  void noMeasure() {
    EndpointStatistics unknown = streaming(1).toBuilder().toolRequests(199).build();
    assertThat(of(streaming(100), streaming(101), streaming(20), unknown))
        .containsExactly(Exacto.GOOD, Exacto.GOOD, Exacto.GOOD, Exacto.INSUFFICIENT_DATA);
  }

  @Proves("routing.exacto.EX-3")
  @Test
  @DisplayName("EX-3: counts one error for an answer with five calls of which one is bad")
  void oneError() {
    try (var gate = new Gate()) {
      gate.let("alpha").complete(10, 0, true, true);
      gate.let("beta").complete(10, 0, true, false);
      gate.let("gamma").complete(10, 0, false, false);
      gate.publish();
      assertThat(gate.of("alpha").toolErrorRate()).hasValue(1);
      assertThat(gate.of("alpha").toolRequests()).isEqualTo(1);
      assertThat(gate.of("beta").toolErrorRate()).hasValue(0);
      assertThat(gate.of("gamma").toolErrorRate()).isEmpty();
    }
  }

  @Test
  @DisplayName("is put into its tier when statistics are published")
  void published() {
    try (var gate = new Gate()) {
      int rate = 90;
      for (String tag : List.of("alpha", "beta", "gamma", "delta", "epsilon")) {
        for (int i = 0; i < 200; i++) {
          long tokens = tag.equals("epsilon") ? 10 : rate;
          gate.let(tag).complete(tokens, 1_000_000_000, true, false);
        }
        rate += 8;
      }
      gate.publish();
      assertThat(gate.of("epsilon").exacto()).isEqualTo(Exacto.DEPRIORITIZED);
      assertThat(gate.of("alpha").exacto()).isEqualTo(Exacto.GOOD);
      assertThat(gate.of("alpha/turbo").exacto()).isEqualTo(Exacto.INSUFFICIENT_DATA);
      gate.pass(Duration.ofMinutes(31));
      assertThat(gate.of("epsilon").exacto()).isEqualTo(Exacto.INSUFFICIENT_DATA);
    }
  }
}
