package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("Statistics of an endpoint")
public class EndpointStatisticsProperties {
  @Property
  @Label("written to JSON and read back are the same")
  void roundTrip(
      @ForAll("statistics") EndpointStatistics speeds, @ForAll("counts") EndpointStatistics counts)
      throws Exception {
    assertRoundTrip(speeds);
    assertRoundTrip(counts);
  }

  private static void assertRoundTrip(EndpointStatistics statistics) throws Exception {
    Json.Obj written = (Json.Obj) new JacksonCodec().parse(statistics.toJson().toBytes());
    assertThat(EndpointStatistics.fromJson(written)).isEqualTo(statistics);
  }

  @Property(tries = 1)
  @Label("are an empty object when nothing is known")
  void nothing() {
    assertThat(EndpointStatistics.NONE.toJson()).isEqualTo(Json.Obj.EMPTY);
  }

  @Provide
  public static Arbitrary<EndpointStatistics> statistics() {
    var times = Arbitraries.longs().between(0, 4_102_444_800_000L);
    var flags = Arbitraries.of(true, false);
    var speeds =
        Arbitraries.longs().between(0, 1L << 40).array(long[].class).ofSize(4).injectNull(0.3);
    return Combinators.combine(
            speeds,
            speeds,
            Arbitraries.integers().greaterOrEqual(0),
            Arbitraries.of(EndpointStatistics.Uptime.class),
            flags,
            flags,
            times,
            Arbitraries.of(EndpointStatistics.Exacto.class))
        .as(
            (latency, throughput, samples, uptime, outage, broken, moment, exacto) -> {
              var built =
                  EndpointStatistics.builder()
                      .samples(samples)
                      .uptime(uptime)
                      .outage(outage)
                      .breakerOpen(broken)
                      .blockedUntilMillis(broken ? moment : 0)
                      .recoveredAtMillis(broken ? 0 : moment)
                      .exacto(exacto);
              if (latency != null) {
                built.latencyMicros(latency);
              }
              if (throughput != null) {
                built.throughputMicroTokens(throughput);
              }
              return built.build();
            });
  }

  @Provide
  static Arbitrary<EndpointStatistics> counts() {
    var spans = Arbitraries.longs().between(0, 3).array(long[].class).ofSize(3);
    var few = Arbitraries.longs().between(0, 3);
    return Combinators.combine(spans, spans, few, few, few, Arbitraries.of(true, false))
        .as(
            (requests, failures, tools, errors, samples, probing) ->
                EndpointStatistics.builder()
                    .requests(requests)
                    .failures(failures)
                    .toolRequests(tools)
                    .toolErrors(errors)
                    .samples(3)
                    .throughputSamples((int) (long) samples)
                    .probing(probing)
                    .build());
  }
}
