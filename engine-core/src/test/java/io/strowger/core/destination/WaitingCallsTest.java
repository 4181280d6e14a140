package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Calls in memory")
class WaitingCallsTest {
  private final WaitingCalls calls = new WaitingCalls();

  private static QueuedCall call(String id) {
    return new QueuedCall(SampleTraces.bare(id, Instant.EPOCH), null, 1_000);
  }

  @Test
  @DisplayName("count once at every moment, also while they are returned from a delivery")
  void returned() {
    for (String id : List.of("a", "b", "c")) {
      calls.add(call(id));
    }
    List<QueuedCall> batch = calls.takeForDelivery();
    assertThat(calls.count()).isEqualTo(3);
    calls.returnFromDelivery(batch.subList(1, 3));
    assertThat(calls.count()).isEqualTo(3);
    assertThat(calls.bytes()).isEqualTo(3_000);
    calls.endDelivery(batch);
    assertThat(calls.count()).isEqualTo(2);
    assertThat(calls.bytes()).isEqualTo(2_000);
    batch = calls.takeForDelivery();
    assertThat(batch)
        .extracting(queued -> queued.traceWithoutContent().id())
        .containsExactly("b", "c");
    calls.endDelivery(batch);
    assertThat(calls.count()).isZero();
    assertThat(calls.bytes()).isZero();
  }
}
