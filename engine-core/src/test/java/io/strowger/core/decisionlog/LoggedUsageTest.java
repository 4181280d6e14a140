package io.strowger.core.decisionlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.Statistics;
import io.strowger.spi.model.Usage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The logged usage of an answer")
class LoggedUsageTest {
  private static LoggedDecision withUsage(Usage usage) {
    LoggedDecision decision = TestLogs.decision(TestLogs.CATALOG, Statistics.NONE, 1);
    return new LoggedDecision(
        decision.id(),
        decision.catalog(),
        decision.statistics(),
        decision.query(),
        decision.plan(),
        new LoggedDecision.Ending(
            decision.ending().attempts(),
            decision.ending().outcome(),
            decision.ending().error(),
            usage));
  }

  @Test
  @DisplayName("is read back exactly: every quantity, and whether it is estimated")
  void everyQuantity() throws IOException {
    for (boolean estimated : List.of(true, false)) {
      Usage.Builder usage = Usage.builder().estimated(estimated);
      for (Usage.Quantity quantity : Usage.Quantity.values()) {
        usage.set(quantity, quantity.ordinal() * 1_000_000_007L);
      }
      Usage written = usage.build();
      assertThat(TestLogs.decisions(TestLogs.log(List.of(withUsage(written)))))
          .singleElement()
          .satisfies(decision -> assertThat(decision.ending().usage()).isEqualTo(written));
    }
  }

  @Test
  @DisplayName("may be empty, or missing as in logs of earlier versions")
  void none() throws IOException {
    LoggedDecision earlier = TestLogs.decision(TestLogs.CATALOG, Statistics.NONE, 1);
    assertThat(TestLogs.decisions(TestLogs.log(List.of(withUsage(Usage.NONE), earlier))))
        .extracting(decision -> decision.ending().usage())
        .containsExactly(Usage.NONE, null);
  }
}
