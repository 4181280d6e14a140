package io.strowger.spi.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.provider.Cancellation.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A cancellation")
class CancellationTest {
  private final Cancellation cancellation = new Cancellation();
  private final List<String> ran = new ArrayList<>();

  @Test
  @DisplayName("has no cause until it is cancelled; then the first cause stays")
  void firstCauseWins() {
    assertThat(cancellation.isCancelled()).isFalse();
    assertThat(cancellation.cause()).isNull();
    assertThat(cancellation.cancel(Cause.GAP)).isTrue();
    assertThat(cancellation.cancel(Cause.CALLER_GONE)).isFalse();
    assertThat(cancellation.cause()).isEqualTo(Cause.GAP);
    assertThat(cancellation.isCancelled()).isTrue();
  }

  @Test
  @DisplayName("runs every registered action once, knowing the cause")
  void runsActions() {
    cancellation.onCancel(() -> ran.add("a " + cancellation.cause()));
    cancellation.onCancel(() -> ran.add("b " + cancellation.cause()));
    cancellation.cancel(Cause.TOTAL);
    cancellation.cancel(Cause.TOTAL);
    assertThat(ran).containsExactlyInAnyOrder("a TOTAL", "b TOTAL");
  }

  @Test
  @DisplayName("runs an action at once that is registered after the cancellation")
  void lateAction() {
    cancellation.cancel(Cause.CLOSED);
    cancellation.onCancel(() -> ran.add("late")).close();
    assertThat(ran).containsExactly("late");
  }

  @Test
  @DisplayName("does not run an action that was deregistered")
  void deregistered() {
    cancellation.onCancel(() -> ran.add("kept"));
    cancellation.onCancel(() -> ran.add("removed")).close();
    cancellation.cancel(Cause.CLOSED);
    assertThat(ran).containsExactly("kept");
  }

  @Test
  @DisplayName("passes its cause to its children, not the other way round")
  void children() {
    var first = cancellation.child();
    var second = cancellation.child();
    first.cancellation().cancel(Cause.GAP);
    assertThat(cancellation.isCancelled()).isFalse();

    second.link().close();
    cancellation.cancel(Cause.CALLER_GONE);
    assertThat(first.cancellation().cause()).isEqualTo(Cause.GAP);
    assertThat(second.cancellation().isCancelled()).isFalse();
    assertThat(cancellation.child().cancellation().cause()).isEqualTo(Cause.CALLER_GONE);
  }

  @Test
  @DisplayName("distinguishes deadlines from other causes")
  void timeouts() {
    assertThat(Cause.values())
        .filteredOn(Cause::isTimeout)
        .containsExactly(Cause.FIRST_CONTENT, Cause.GAP, Cause.TOTAL);
  }

  @Test
  @DisplayName("that races with registrations runs each action exactly once and takes one cause")
  void race() throws InterruptedException {
    for (int round = 0; round < 300; round++) {
      var raced = new Cancellation();
      var go = new CountDownLatch(1);
      var runs = new AtomicInteger();
      var winners = new AtomicInteger();
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < 4; i++) {
        Cause mine = Cause.values()[i];
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      await(go);
                      for (int n = 0; n < 8; n++) {
                        raced.onCancel(runs::incrementAndGet);
                      }
                      if (raced.cancel(mine)) {
                        winners.incrementAndGet();
                      }
                    }));
      }
      go.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(runs).hasValue(32);
      assertThat(winners).hasValue(1);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
