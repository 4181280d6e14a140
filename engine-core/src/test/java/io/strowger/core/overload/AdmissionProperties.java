package io.strowger.core.overload;

import static io.strowger.core.overload.AdmissionFixture.KEY_ONE;
import static io.strowger.core.overload.AdmissionFixture.KEY_TWO;
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

@Label("Whatever requests do concurrently")
class AdmissionProperties {
  private static final long BYTES = 1_000_000;

  /** What a request does when it is admitted, or while it waits. */
  enum Behavior {
    CLOSES,
    CLOSES_TWICE,
    GROWS,
    IS_CANCELLED,
    CLOSES_ON_ANOTHER_THREAD
  }

  /**
   * A request by one of two keys.
   *
   * @param first whether the request is of the first key
   * @param share the size of its body in quarters of all bytes
   * @param behavior what the request does
   */
  record TestRequest(boolean first, int share, Behavior behavior) {}

  @Property(tries = 30)
  @Label("no request is admitted beyond the limits, and all places and bytes are returned")
  void few(
      @ForAll @Size(min = 2, max = 24) List<@IntRange(max = 49) Integer> requestNumbers,
      @ForAll @IntRange(min = 1, max = 3) int places,
      @ForAll @IntRange(max = 6) int queue) {
    assertAllReturned(requestNumbers, places, queue, 4);
  }

  @Tag("full")
  @Property(tries = 1_000)
  @Label(
      "with many requests, none is admitted beyond the limits, and all places and bytes are"
          + " returned")
  void many(
      @ForAll @Size(min = 2, max = 100) List<@IntRange(max = 49) Integer> requestNumbers,
      @ForAll @IntRange(min = 1, max = 8) int places,
      @ForAll @IntRange(max = 20) int queue) {
    assertAllReturned(requestNumbers, places, queue, 16);
  }

  private static TestRequest testRequest(int number) {
    return new TestRequest(number % 2 == 0, number / 2 % 5, Behavior.values()[number / 10]);
  }

  private static void assertAllReturned(
      List<Integer> requestNumbers, int places, int queue, int rounds) {
    var ambient = TestAmbient.realTime();
    var limits =
        new OverloadLimits(
            BYTES,
            places,
            requestNumbers.size() / 2 + 1,
            OverloadLimits.UNLIMITED,
            queue,
            Duration.ofMillis(2),
            false);
    var control = new AdmissionControl(limits, ambient);
    var admitted = new AdmittedRequests(control, limits);
    var threads = new ArrayList<Thread>();
    for (int number : requestNumbers) {
      threads.add(
          ambient.start("request", () -> admitted.sendRepeatedly(testRequest(number), rounds)));
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
    assertThat(admitted.violations.get()).as("violations of the limits").isZero();
    assertThat(after.inFlight()).as("in flight").isZero();
    assertThat(after.queued()).as("queued").isZero();
    assertThat(after.bodyBytes()).as("bytes").isZero();
    assertThat(((Permit) control.admit(KEY_ONE, BYTES, new Cancellation())).bytes())
        .isEqualTo(BYTES);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /** Counts the admitted requests and their bytes, as the requests themselves see them. */
  private static final class AdmittedRequests {
    private final AdmissionControl control;
    private final OverloadLimits limits;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger violations = new AtomicInteger();

    AdmittedRequests(AdmissionControl control, OverloadLimits limits) {
      this.control = control;
      this.limits = limits;
    }

    void sendRepeatedly(TestRequest testRequest, int rounds) {
      for (int i = 0; i < rounds; i++) {
        var cancellation = new Cancellation();
        if (testRequest.behavior() == Behavior.IS_CANCELLED) {
          Thread.ofVirtual().start(() -> cancellation.cancel(Cancellation.Cause.CALLER_GONE));
        }
        long size = testRequest.share() * BYTES / 4;
        switch (control.admit(testRequest.first() ? KEY_ONE : KEY_TWO, size, cancellation)) {
          case Admission.Refusal refusal -> Thread.yield();
          case Permit permit -> useAndClose(permit, size, testRequest.behavior());
        }
      }
    }

    private static void grow(Permit permit, long bytes) {
      try {
        permit.ensureBytes(bytes);
      } catch (GatewayException noRoom) {
        Thread.yield();
      }
    }

    private void useAndClose(Permit permit, long size, Behavior behavior) {
      if (inFlight.incrementAndGet() > limits.inFlight()
          || bytes.addAndGet(size) > limits.bodyBytes() + limits.bodyBytes() / 8) {
        violations.incrementAndGet();
      }
      Thread.yield();
      if (behavior == Behavior.GROWS) {
        grow(permit, size + BYTES / 4);
      }
      inFlight.decrementAndGet();
      bytes.addAndGet(-size);
      if (behavior == Behavior.CLOSES_ON_ANOTHER_THREAD) {
        Thread other = Thread.ofVirtual().start(permit::close);
        grow(permit, size + 1); // at the same time
        permit.close();
        join(other);
        return;
      }
      permit.close();
      if (behavior == Behavior.CLOSES_TWICE) {
        permit.close();
      }
    }
  }
}
