package io.strowger.core.ambient;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.BoundedCloser.Resource;
import io.strowger.tck.TestAmbient;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What others wrote is closed")
class BoundedCloserTest {
  private final TestAmbient ambient = TestAmbient.realTime();
  private final BoundedCloser closer = new BoundedCloser(ambient);
  private final Set<Object> closed = ConcurrentHashMap.newKeySet();

  private Resource closing(String what) {
    return new Resource(what, () -> closed.add(what));
  }

  @Test
  @DisplayName("each on a thread of its own, at the same time, and is waited for")
  void together() {
    var both = new CyclicBarrier(2); // nobody gets over it alone
    AutoCloseable meets =
        () -> {
          both.await(30, TimeUnit.SECONDS);
          closed.add(Thread.currentThread());
        };
    closer.close(List.of(new Resource("one", meets), new Resource("other", meets)));
    assertThat(closed).hasSize(2).doesNotContain(Thread.currentThread());
    ambient.assertNoThreadsLeft();
  }

  /** Throws what its signature does not tell, as code of other languages may. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void throwUntold(Throwable any) throws T {
    throw (T) any;
  }

  @Test
  @DisplayName("though some throw, whatever it is: the others are closed all the same")
  void throwing() {
    closer.close(
        List.of(
            new Resource("error", () -> throwUntold(new Error("none of the known ones"))),
            new Resource("throwable", () -> throwUntold(new Throwable("neither"))),
            new Resource("missing", () -> throwUntold(new NoClassDefFoundError("com/acme/Gone"))),
            closing("last")));
    assertThat(closed).containsExactly("last");
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("or interrupted and left when its time is over")
  void hanging() {
    var never = new CountDownLatch(1);
    new BoundedCloser(new HurriedAmbient(ambient))
        .close(
            List.of(
                new Resource(
                    "hangs",
                    () -> {
                      try {
                        never.await();
                      } finally {
                        closed.add("interrupted");
                      }
                    })));
    ambient.assertNoThreadsLeft(); // waits for the thread to end
    assertThat(closed).containsExactly("interrupted");
  }

  @Test
  @DisplayName("and keeps no other thread waiting, though it spins and ignores the interrupt")
  void spinning() throws InterruptedException {
    var stop = new AtomicBoolean();
    AutoCloseable spins =
        () -> {
          while (!stop.get()) {
            Thread.onSpinWait();
          }
        };
    int carriers = Runtime.getRuntime().availableProcessors();
    new BoundedCloser(new HurriedAmbient(ambient))
        .close(Collections.nCopies(carriers, new Resource("spins", spins)));
    var ran = new CountDownLatch(1);
    ambient.start("request", ran::countDown);
    try {
      assertThat(ran.await(20, TimeUnit.SECONDS)).as("a virtual thread runs").isTrue();
    } finally {
      stop.set(true);
    }
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("in the background, step after step; waiting for it keeps an interrupt")
  void background() {
    closer.closeInBackground(
        List.of(closing("first")),
        List.of(new Resource("then", () -> closed.add(List.copyOf(closed)))));
    Thread.currentThread().interrupt();
    closer.awaitBackground();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(closed).containsExactlyInAnyOrder("first", List.of("first"));
    ambient.assertNoThreadsLeft();
  }
}
