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

@DisplayName("A thread a plugin starts")
class LeakedThreadsTest {
  private static final Duration BUSY = Duration.ofMillis(300);

  // of their own, so that no thread of another test that runs at the same time is taken for theirs

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

  /** Leaves no processor to other virtual threads for a while, so that a new one cannot begin. */
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
            long begun = clock.nanoTime();
            while (clock.nanoTime() - begun < BUSY.toNanos()) {
              Thread.onSpinWait();
            }
          });
    }
    running.await();
  }

  @Test
  @DisplayName("is found although it has not begun to run when the plugin returns")
  void waitsForItsTurn() {
    assertThatThrownBy(() -> assertNone(new LeavesThread()))
        .hasMessageContaining("LeavesThread.linger");
  }

  @Test
  @DisplayName("may wait for its turn when it ends soon after")
  void endsAfterItsTurn() {
    assertThatCode(() -> assertNone(new StartsShortThread())).doesNotThrowAnyException();
  }

  @Test
  @DisplayName("is no concern of a plugin when others start it")
  void others() {
    assertThatCode(() -> assertNone(new Passes())).doesNotThrowAnyException();
  }
}
