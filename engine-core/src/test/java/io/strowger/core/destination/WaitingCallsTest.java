package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The calls in the memory of a destination")
class WaitingCallsTest {
  private final WaitingCalls calls = new WaitingCalls();
  private final List<QueuedCall> added =
      IntStream.range(0, 4)
          .mapToObj(i -> new QueuedCall(SampleTraces.bare("gen-" + i, Instant.EPOCH), null, 10 + i))
          .toList();
  private final long allBytes = added.stream().mapToLong(QueuedCall::bytes).sum();

  @BeforeEach
  void add() {
    added.forEach(call -> assertThat(calls.add(call)).isTrue());
  }

  private void assertCounts(int count, long bytes) {
    assertThat(calls.countInMemory()).isEqualTo(count);
    assertThat(calls.bytesInMemory()).isEqualTo(bytes);
  }

  @Test
  @DisplayName("count once while a delivery that puts some of them back has not ended")
  void putBack() {
    assertThat(calls.takeForDelivery()).isEqualTo(added);
    assertCounts(4, allBytes);
    calls.putBack(added.subList(1, 4));
    assertCounts(4, allBytes);
    calls.endDelivery();
    assertCounts(3, allBytes - added.getFirst().bytes());
    assertThat(calls.takeForDelivery()).isEqualTo(added.subList(1, 4));
  }

  @Test
  @DisplayName("wait again, in their order, if the disk did not take them")
  void storage() {
    assertThat(calls.takeForStorage()).isEqualTo(added);
    assertThat(calls.hasWaiting()).isFalse();
    calls.endStorage(added, 2);
    assertCounts(2, added.get(2).bytes() + added.get(3).bytes());
    assertThat(calls.takeForStorage()).isEqualTo(added.subList(2, 4));
  }
}
