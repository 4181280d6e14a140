package io.strowger.core.overload;

import io.strowger.spi.error.GatewayError;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.KeyId;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/** Words for tests of admission: requests of keys that come, wait and go. */
final class Load implements AutoCloseable {
  static final KeyId ONE = new KeyId(1, 1, 1, 1);
  static final KeyId TWO = new KeyId(2, 2, 2, 2);

  final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  final AdmissionControl control;
  final EndpointLimiter endpoints;
  private final List<Thread> threads = new ArrayList<>();

  Load(OverloadLimits limits) {
    control = new AdmissionControl(limits, ambient);
    endpoints = new EndpointLimiter(control::limits, ambient);
  }

  /** So many places, so many bytes, so many in the queue, which wait for a second. */
  static OverloadLimits limits(int places, long bytes, int queue) {
    return new OverloadLimits(
        bytes,
        places,
        OverloadLimits.UNLIMITED,
        OverloadLimits.UNLIMITED,
        queue,
        Duration.ofSeconds(1),
        false);
  }

  Admission ask(KeyId key, long bytes) {
    return control.admit(key, bytes, new Cancellation());
  }

  /** A request that is let in. */
  Permit enters(KeyId key, long bytes) {
    Admission admission = ask(key, bytes);
    Assertions.assertThat(admission).isInstanceOf(Permit.class);
    return (Permit) admission;
  }

  Permit enters(KeyId key) {
    return enters(key, 0);
  }

  /** A request that is refused at once. */
  GatewayError refused(KeyId key, long bytes) {
    return error(ask(key, bytes));
  }

  static GatewayError error(Admission admission) {
    Assertions.assertThat(admission).isInstanceOf(Admission.Refusal.class);
    return ((Admission.Refusal) admission).error();
  }

  /** Why, as the error says it. */
  static @Nullable String reason(GatewayError error) {
    return error.metadata().text("overload");
  }

  /** A request on a thread of its own, which is in the queue when this returns. */
  Waits waits(KeyId key, long bytes) {
    var waiting = new Waits(this, key, bytes);
    Thread thread = Thread.ofVirtual().start(waiting);
    threads.add(thread);
    while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
      Thread.onSpinWait();
    }
    return waiting;
  }

  Waits waits(KeyId key) {
    return waits(key, 0);
  }

  /** A request that may have to wait. */
  static final class Waits implements Runnable {
    final Cancellation cancellation = new Cancellation();
    private final Load load;
    private final KeyId key;
    private final long bytes;
    private final BlockingQueue<Admission> outcome = new LinkedBlockingQueue<>();

    private Waits(Load load, KeyId key, long bytes) {
      this.load = load;
      this.key = key;
      this.bytes = bytes;
    }

    @Override
    public void run() {
      outcome.add(load.control.admit(key, bytes, cancellation));
    }

    boolean stillWaits() {
      return outcome.isEmpty();
    }

    Admission ends() {
      try {
        Admission ended = outcome.poll(20, TimeUnit.SECONDS);
        Assertions.assertThat(ended).as("the end of a wait").isNotNull();
        return Objects.requireNonNull(ended);
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
    }

    Permit enters() {
      Admission ended = ends();
      Assertions.assertThat(ended).isInstanceOf(Permit.class);
      return (Permit) ended;
    }
  }

  AdmissionSnapshot snapshot() {
    return control.snapshot(endpoints);
  }

  /** Nobody is in flight or waits, and no bytes are taken. */
  void assertIdle() {
    AdmissionSnapshot now = snapshot();
    Assertions.assertThat(now.inFlight()).as("in flight").isZero();
    Assertions.assertThat(now.queued()).as("queued").isZero();
    Assertions.assertThat(now.bodyBytes()).as("bytes").isZero();
  }

  /** Everybody who waited is gone, and nothing is left behind. */
  @Override
  public void close() {
    for (Thread thread : threads) {
      try {
        Assertions.assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
    }
  }
}
