package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A thread that a plugin starts")
class LeakedThreadsTest {
  private static final Duration BUSY = Duration.ofMillis(300);

  // classes of this test, so that threads of other tests at the same time are not taken for theirs

  private static final class LeavesThread implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      Thread.startVirtualThread(LeavesThread::linger);
      return Selection.PASS;
    }

    static void linger() {
      while (!Thread.currentThread().isInterrupted()) {
        LockSupport.park();
      }
    }
  }

  private static final class StartsShortThread implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      Thread.startVirtualThread(StartsShortThread::end);
      return Selection.PASS;
    }

    static void end() {}
  }

  private static final class Passes implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return Selection.PASS;
    }
  }

  private static void assertNone(RouterPlugin router) throws InterruptedException {
    FakeCandidates candidates = FakeCandidates.of(RouterFixtures.catalog(4));
    LeakedThreads.assertNone(
        PluginCode.of(router),
        () -> {
          occupyVirtualThreads();
          return router.select(candidates);
        });
  }

  /** Occupies all processors for a while, so that a new virtual thread cannot run. */
  private static void occupyVirtualThreads() throws InterruptedException {
    int processors = Runtime.getRuntime().availableProcessors();
    TestAmbient clock = TestAmbient.realTime();
    var running = new CountDownLatch(processors);
    for (int i = 0; i < processors; i++) {
      Thread.startVirtualThread(
          () -> {
            running.countDown();
            while (running.getCount() > 0) {
              Thread.onSpinWait();
            }
            long start = clock.nanoTime();
            while (clock.nanoTime() - start < BUSY.toNanos()) {
              Thread.onSpinWait();
            }
          });
    }
    running.await();
  }

  @Test
  @DisplayName("is found even if it has not run yet when the plugin returns")
  void notYetRun() {
    assertThatThrownBy(() -> assertNone(new LeavesThread()))
        .hasMessageContaining("LeavesThread.linger");
  }

  @Test
  @DisplayName("is accepted if it ends soon after it could run")
  void endsSoon() {
    assertThatCode(() -> assertNone(new StartsShortThread())).doesNotThrowAnyException();
  }

  @Test
  @DisplayName("is not reported when others started it")
  void others() {
    assertThatCode(() -> assertNone(new Passes())).doesNotThrowAnyException();
  }
}
