package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.RecordedLog;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The counts of a destination")
class DeliveryCountsTest {
  private final DeliveryCounts counts = new DeliveryCounts("deaf");

  @Test
  @DisplayName("show a destination as failing if it answers with success but rejects every call")
  void allRejected() {
    try (RecordedLog.Recording log = RecordedLog.record()) {
      counts.addAccepted(3, 3);
      counts.addAccepted(2, 2);
      assertThat(log.linesWith("destination deaf refuses calls; they are lost: ")).hasSize(1);
    }
    assertThat(counts.isFailing()).isTrue();
    assertThat(counts.delivered()).isZero();
    assertThat(counts.droppedRefused()).isEqualTo(5);
  }

  @Test
  @DisplayName("show a destination as accepting if it rejects only some calls, or is sent none")
  void someRejected() {
    counts.addAccepted(3, 3);
    counts.addAccepted(3, 2);
    assertThat(counts.isFailing()).isFalse();
    assertThat(counts.delivered()).isEqualTo(1);
    counts.addAccepted(0, 0);
    assertThat(counts.isFailing()).isFalse();
  }
}
