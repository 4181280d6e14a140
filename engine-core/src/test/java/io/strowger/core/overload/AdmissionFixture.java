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

/**
 * An admission control under test, with helpers for requests of two keys that enter, wait and
 * leave.
 */
final class AdmissionFixture implements AutoCloseable {
  static final KeyId KEY_ONE = new KeyId(1, 1, 1, 1);
  static final KeyId KEY_TWO = new KeyId(2, 2, 2, 2);

  final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  final AdmissionControl control;
  final EndpointLimiter endpoints;
  private final List<Thread> threads = new ArrayList<>();

  AdmissionFixture(OverloadLimits limits) {
    control = new AdmissionControl(limits, ambient);
    endpoints = new EndpointLimiter(control::limits, ambient);
  }

  /**
   * Returns limits with this many places, bytes of bodies and places in the queue, and a maximum
   * wait of a second.
   */
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

  Admission admit(KeyId key, long bytes) {
    return control.admit(key, bytes, new Cancellation());
  }

  /** Asserts that a request is admitted, and returns its permit. */
  Permit admitted(KeyId key, long bytes) {
    Admission admission = admit(key, bytes);
    Assertions.assertThat(admission).isInstanceOf(Permit.class);
    return (Permit) admission;
  }

  Permit admitted(KeyId key) {
    return admitted(key, 0);
  }

  /** Asserts that a request is refused at once, and returns the error. */
  GatewayError refused(KeyId key, long bytes) {
    return error(admit(key, bytes));
  }

  static GatewayError error(Admission admission) {
    Assertions.assertThat(admission).isInstanceOf(Admission.Refusal.class);
    return ((Admission.Refusal) admission).error();
  }

  /** Returns the reason of a refusal by admission control, from the metadata of the error. */
  static @Nullable String reason(GatewayError error) {
    return error.metadata().text("overload");
  }

  /** Starts a request on a thread of its own; it is in the queue when this returns. */
  WaitingRequest queued(KeyId key, long bytes) {
    var waiting = new WaitingRequest(this, key, bytes);
    Thread thread = Thread.ofVirtual().start(waiting);
    threads.add(thread);
    while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
      Thread.onSpinWait();
    }
    return waiting;
  }

  WaitingRequest queued(KeyId key) {
    return queued(key, 0);
  }

  /** A request on a thread of its own, which may have to wait. */
  static final class WaitingRequest implements Runnable {
    final Cancellation cancellation = new Cancellation();
    private final AdmissionFixture fixture;
    private final KeyId key;
    private final long bytes;
    private final BlockingQueue<Admission> outcome = new LinkedBlockingQueue<>();

    private WaitingRequest(AdmissionFixture fixture, KeyId key, long bytes) {
      this.fixture = fixture;
      this.key = key;
      this.bytes = bytes;
    }

    @Override
    public void run() {
      outcome.add(fixture.control.admit(key, bytes, cancellation));
    }

    boolean isWaiting() {
      return outcome.isEmpty();
    }

    Admission awaitEnd() {
      try {
        Admission ended = outcome.poll(20, TimeUnit.SECONDS);
        Assertions.assertThat(ended).as("the end of a wait").isNotNull();
        return Objects.requireNonNull(ended);
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
    }

    Permit awaitPermit() {
      Admission ended = awaitEnd();
      Assertions.assertThat(ended).isInstanceOf(Permit.class);
      return (Permit) ended;
    }
  }

  AdmissionSnapshot snapshot() {
    return control.snapshot(endpoints);
  }

  /** Asserts that no request is in flight or waits, and that no bytes are taken. */
  void assertIdle() {
    AdmissionSnapshot now = snapshot();
    Assertions.assertThat(now.inFlight()).as("in flight").isZero();
    Assertions.assertThat(now.queued()).as("queued").isZero();
    Assertions.assertThat(now.bodyBytes()).as("bytes").isZero();
  }

  /** Waits until the threads of all requests have ended. */
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
