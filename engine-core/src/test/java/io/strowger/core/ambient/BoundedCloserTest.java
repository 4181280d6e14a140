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

@DisplayName("The closer for plugins and adapters")
class BoundedCloserTest {
  private final TestAmbient ambient = TestAmbient.realTime();
  private final BoundedCloser closer = new BoundedCloser(ambient);
  private final Set<Object> closed = ConcurrentHashMap.newKeySet();

  private Resource resource(String description) {
    return new Resource(description, () -> closed.add(description));
  }

  @Test
  @DisplayName("closes resources at the same time, each on its own thread, and waits for them")
  void together() {
    var bothClosing = new CyclicBarrier(2); // passed only if both run at the same time
    AutoCloseable meeting =
        () -> {
          bothClosing.await(30, TimeUnit.SECONDS);
          closed.add(Thread.currentThread());
        };
    closer.close(List.of(new Resource("one", meeting), new Resource("other", meeting)));
    assertThat(closed).hasSize(2).doesNotContain(Thread.currentThread());
    ambient.assertNoThreadsLeft();
  }

  /** Throws anything without declaring it, as code in other JVM languages may. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void throwUndeclared(Throwable throwable) throws T {
    throw (T) throwable;
  }

  @Test
  @DisplayName("closes the other resources even if some throw anything")
  void throwing() {
    closer.close(
        List.of(
            new Resource("error", () -> throwUndeclared(new Error("an error"))),
            new Resource(
                "throwable",
                () -> throwUndeclared(new Throwable("neither an exception nor an error"))),
            new Resource(
                "missing", () -> throwUndeclared(new NoClassDefFoundError("com/acme/Gone"))),
            resource("last")));
    assertThat(closed).containsExactly("last");
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("interrupts a resource that does not close in time, and does not wait for it")
  void hanging() {
    var never = new CountDownLatch(1);
    new BoundedCloser(new FastClockAmbient(ambient))
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
  @DisplayName("blocks no virtual thread even if resources spin and ignore the interrupt")
  void spinning() throws InterruptedException {
    var stop = new AtomicBoolean();
    AutoCloseable spinning =
        () -> {
          while (!stop.get()) {
            Thread.onSpinWait();
          }
        };
    int carriers = Runtime.getRuntime().availableProcessors();
    new BoundedCloser(new FastClockAmbient(ambient))
        .close(Collections.nCopies(carriers, new Resource("spins", spinning)));
    var hasRun = new CountDownLatch(1);
    ambient.start("request", hasRun::countDown);
    try {
      assertThat(hasRun.await(20, TimeUnit.SECONDS)).as("a virtual thread runs").isTrue();
    } finally {
      stop.set(true);
    }
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("closes steps in order in the background; waiting for that keeps an interrupt")
  void background() {
    closer.closeInBackground(
        List.of(resource("first")),
        List.of(new Resource("then", () -> closed.add(List.copyOf(closed)))));
    Thread.currentThread().interrupt();
    closer.awaitBackground();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(closed).containsExactlyInAnyOrder("first", List.of("first"));
    ambient.assertNoThreadsLeft();
  }
}
