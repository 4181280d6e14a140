package io.strowger.core.decisionlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.Statistics;
import io.strowger.spi.model.Usage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The usage of an answer")
class LoggedUsageTest {
  private static LoggedDecision with(Usage usage) {
    LoggedDecision made = LogWords.decision(LogWords.CATALOG, Statistics.NONE, 1);
    return new LoggedDecision(
        made.id(),
        made.catalog(),
        made.statistics(),
        made.query(),
        made.plan(),
        new LoggedDecision.Ending(
            made.ending().attempts(), made.ending().outcome(), made.ending().error(), usage));
  }

  @Test
  @DisplayName("is read back as it was written, every quantity, estimated or not")
  void everyQuantity() throws IOException {
    for (boolean estimated : List.of(true, false)) {
      Usage.Builder usage = Usage.builder().estimated(estimated);
      for (Usage.Quantity quantity : Usage.Quantity.values()) {
        usage.set(quantity, quantity.ordinal() * 1_000_000_007L);
      }
      Usage written = usage.build();
      assertThat(LogWords.decisions(LogWords.log(List.of(with(written)))))
          .singleElement()
          .satisfies(decision -> assertThat(decision.ending().usage()).isEqualTo(written));
    }
  }

  @Test
  @DisplayName("may be nothing, and may be missing, as in logs of earlier versions")
  void none() throws IOException {
    LoggedDecision earlier = LogWords.decision(LogWords.CATALOG, Statistics.NONE, 1);
    assertThat(LogWords.decisions(LogWords.log(List.of(with(Usage.NONE), earlier))))
        .extracting(decision -> decision.ending().usage())
        .containsExactly(Usage.NONE, null);
  }
}
