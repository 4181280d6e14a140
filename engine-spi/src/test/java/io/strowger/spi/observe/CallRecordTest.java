package io.strowger.spi.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.routing.TraceEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The record of a call")
class CallRecordTest {
  private static final TraceEntry ATTEMPT = new TraceEntry.Attempted("m@a", null, 200, null, 1);

  /** Returns a trace in which one rule excludes each endpoint, and a second one every other. */
  private static List<TraceEntry> facts(int endpoints) {
    var facts = new ArrayList<TraceEntry>();
    for (int i = 0; i < endpoints; i++) {
      facts.add(new TraceEntry.Excluded("m@" + i, "provider.ignore", "ignored"));
      if (i % 2 == 0) {
        facts.add(new TraceEntry.Excluded("m@" + i, "max_tokens", "too short"));
      }
    }
    facts.add(new TraceEntry.Narrowed("m", "soft", 1, 2));
    return facts;
  }

  private static List<TraceEntry> trace(List<TraceEntry> facts) {
    return CallRecord.builder("gen-1", Instant.EPOCH, CallRecord.Outcome.ERROR)
        .decisionTrace(() -> facts)
        .attemptTrace(List.of(ATTEMPT))
        .build()
        .trace();
  }

  @Test
  @DisplayName("lists up to sixteen excluded endpoints one by one")
  void few() {
    var expected = new ArrayList<>(facts(16));
    expected.add(ATTEMPT);
    assertThat(trace(facts(16))).isEqualTo(expected);
  }

  @Test
  @DisplayName("counts further excluded endpoints by rule, and keeps all other entries")
  void many() {
    var expected = new ArrayList<>(facts(16));
    expected.add(new TraceEntry.ExcludedCount("provider.ignore", 4));
    expected.add(new TraceEntry.ExcludedCount("max_tokens", 2));
    expected.add(ATTEMPT);
    assertThat(trace(facts(20))).isEqualTo(expected);
  }
}
