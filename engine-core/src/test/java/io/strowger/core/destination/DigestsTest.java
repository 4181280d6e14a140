package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Digests")
class DigestsTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  private static long position(String destination, String session) {
    return new Digests.SampledSession(session)
        .position((destination + ":").getBytes(StandardCharsets.UTF_8));
  }

  @Proves({"resources.destination.sampling", "open.75"})
  @Test
  @DisplayName("sample a session by the first 8 bytes of SHA-256 of destination, colon and session")
  void position() {
    // printf 'd:s' | sha256sum
    assertThat(Long.toHexString(position("d", "s"))).isEqualTo("82425bb5f7a60cf2");
    assertThat(position("d", "s")).isNotEqualTo(position("e", "s"));
    var session = new Digests.SampledSession("s");
    session.position("e:".getBytes(StandardCharsets.UTF_8));
    assertThat(session.position("d:".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(position("d", "s"));
  }

  @Test
  @DisplayName("distribute sessions evenly")
  void even() {
    long below = Long.parseUnsignedLong("4000000000000000", 16); // a quarter
    long sampled =
        IntStream.range(0, 10_000)
            .filter(i -> Long.compareUnsigned(position("d", "s" + i), below) < 0)
            .count();
    assertThat(sampled).isBetween(2_350L, 2_650L);
  }

  @Test
  @DisplayName("keep OpenTelemetry ids and UUIDs, and derive equal ids from equal names")
  void ids() {
    assertThat(Digests.traceId(TRACE, "gen-1")).isEqualTo(TRACE);
    assertThat(Digests.traceId("0AF76519-16cd-43dd-8448-eb211c80319c", "gen-1")).isEqualTo(TRACE);
    assertThat(Digests.traceId("mine", "gen-1"))
        .matches("[0-9a-f]{32}")
        .isEqualTo(Digests.traceId("mine", "gen-2"))
        .isNotEqualTo(Digests.traceId("other", "gen-1"));
    assertThat(Digests.traceId(null, "gen-1"))
        .matches("[0-9a-f]{32}")
        .isEqualTo(Digests.traceId("", "gen-1"))
        .isNotEqualTo(Digests.traceId(null, "gen-2"));
    assertThat(Digests.traceId("0".repeat(32), "gen-1")).isNotEqualTo("0".repeat(32));
    assertThat(Digests.spanId("gen-1")).matches("[0-9a-f]{16}");
    assertThat(Digests.spanId("gen-1"))
        .isEqualTo(Digests.spanId("gen-1"))
        .isNotEqualTo(Digests.spanId("gen-2"));
    assertThat(IntStream.range(0, 10_000).mapToObj(i -> Digests.spanId("gen-" + i)))
        .doesNotHaveDuplicates();
    assertThat(Digests.parentSpanId("00f067aa0ba902b7")).isEqualTo("00f067aa0ba902b7");
    assertThat(Digests.parentSpanId("root")).matches("[0-9a-f]{16}");
    assertThat(Digests.parentSpanId(null)).isNull();
  }
}
