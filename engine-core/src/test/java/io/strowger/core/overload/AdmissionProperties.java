package io.strowger.core.overload;

import static io.strowger.core.overload.Load.ONE;
import static io.strowger.core.overload.Load.TWO;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.GatewayException;
import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

@Label("Whatever requests do at the same time")
class AdmissionProperties {
  private static final long BYTES = 1_000_000;

  /** What a request does once it was let in, or before. */
  enum Way {
    LEAVES,
    LEAVES_TWICE,
    GROWS,
    IS_CANCELLED,
    LEAVES_ELSEWHERE
  }

  /**
   * @param share of the bytes there are, in quarters
   */
  record Ask(boolean first, int share, Way way) {}

  @Property(tries = 30)
  @Label("nobody is let in beyond the limits, and all comes back")
  void few(
      @ForAll @Size(min = 2, max = 24) List<@IntRange(max = 49) Integer> asks,
      @ForAll @IntRange(min = 1, max = 3) int places,
      @ForAll @IntRange(max = 6) int queue) {
    allComesBack(asks, places, queue, 4);
  }

  @Tag("full")
  @Property(tries = 1_000)
  @Label("nobody is let in beyond the limits, and all comes back, of many")
  void many(
      @ForAll @Size(min = 2, max = 100) List<@IntRange(max = 49) Integer> asks,
      @ForAll @IntRange(min = 1, max = 8) int places,
      @ForAll @IntRange(max = 20) int queue) {
    allComesBack(asks, places, queue, 16);
  }

  private static Ask ask(int number) {
    return new Ask(number % 2 == 0, number / 2 % 5, Way.values()[number / 10]);
  }

  private static void allComesBack(List<Integer> asks, int places, int queue, int rounds) {
    var ambient = TestAmbient.realTime();
    var limits =
        new OverloadLimits(
            BYTES,
            places,
            asks.size() / 2 + 1,
            OverloadLimits.UNLIMITED,
            queue,
            Duration.ofMillis(2),
            false);
    var control = new AdmissionControl(limits, ambient);
    var world = new World(control, limits);
    var threads = new ArrayList<Thread>();
    for (int number : asks) {
      threads.add(ambient.start("request", () -> world.asks(ask(number), rounds)));
    }
    threads.add(
        ambient.start(
            "reload",
            () -> {
              for (int i = 0; i < rounds; i++) {
                control.configure(limits);
                Thread.yield();
              }
            }));
    threads.forEach(AdmissionProperties::join);
    ambient.assertNoThreadsLeft();
    AdmissionSnapshot after = control.snapshot(new EndpointLimiter(control::limits, ambient));
    assertThat(world.broken.get()).as("limits that were broken").isZero();
    assertThat(after.inFlight()).as("in flight").isZero();
    assertThat(after.queued()).as("queued").isZero();
    assertThat(after.bodyBytes()).as("bytes").isZero();
    assertThat(((Permit) control.admit(ONE, BYTES, new Cancellation())).bytes()).isEqualTo(BYTES);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /** Counts who is in, as those see it who are. */
  private static final class World {
    private final AdmissionControl control;
    private final OverloadLimits limits;
    private final AtomicInteger in = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger broken = new AtomicInteger();

    World(AdmissionControl control, OverloadLimits limits) {
      this.control = control;
      this.limits = limits;
    }

    void asks(Ask ask, int rounds) {
      for (int i = 0; i < rounds; i++) {
        var cancellation = new Cancellation();
        if (ask.way() == Way.IS_CANCELLED) {
          Thread.ofVirtual().start(() -> cancellation.cancel(Cancellation.Cause.CALLER_GONE));
        }
        long size = ask.share() * BYTES / 4;
        switch (control.admit(ask.first() ? ONE : TWO, size, cancellation)) {
          case Admission.Refusal refusal -> Thread.yield();
          case Permit permit -> uses(permit, size, ask.way());
        }
      }
    }

    private static void grows(Permit permit, long bytes) {
      try {
        permit.ensureBytes(bytes);
      } catch (GatewayException noRoom) {
        Thread.yield();
      }
    }

    private void uses(Permit permit, long size, Way way) {
      if (in.incrementAndGet() > limits.inFlight()
          || bytes.addAndGet(size) > limits.bodyBytes() + limits.bodyBytes() / 8) {
        broken.incrementAndGet();
      }
      Thread.yield();
      if (way == Way.GROWS) {
        grows(permit, size + BYTES / 4);
      }
      in.decrementAndGet();
      bytes.addAndGet(-size);
      if (way == Way.LEAVES_ELSEWHERE) {
        Thread other = Thread.ofVirtual().start(permit::close);
        grows(permit, size + 1); // at the same time
        permit.close();
        join(other);
        return;
      }
      permit.close();
      if (way == Way.LEAVES_TWICE) {
        permit.close();
      }
    }
  }
}
