package io.strowger.core.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.overload.AdmissionSnapshot.EndpointLoad;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The places at an endpoint")
class EndpointLimiterTest {
  private static final String ALPHA = "acme/large@alpha";
  private static final int UNLIMITED = OverloadLimits.UNLIMITED;

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private OverloadLimits limits = limits(2, false);
  private final EndpointLimiter limiter = new EndpointLimiter(() -> limits, ambient);

  private static OverloadLimits limits(int perEndpoint, boolean adaptive) {
    return new OverloadLimits(
        UNLIMITED, UNLIMITED, UNLIMITED, perEndpoint, 0, Duration.ZERO, adaptive);
  }

  private EndpointLimiter.Slot acquire(@Nullable String byokKey) {
    return Objects.requireNonNull(limiter.tryAcquire(ALPHA, byokKey));
  }

  private int limit() {
    return Objects.requireNonNull(limiter.loads().get(ALPHA)).limit();
  }

  @Test
  @DisplayName("are as many as configured, BYOK keys included, and each is returned once")
  void configured() {
    EndpointLimiter.Slot first = acquire(null);
    EndpointLimiter.Slot second = acquire("k");
    assertThat(limiter.tryAcquire(ALPHA, null)).isNull();
    assertThat(limiter.tryAcquire("acme/large@beta", null)).isNotNull();
    first.release();
    first.release();
    assertThat(limiter.loads()).containsEntry(ALPHA, new EndpointLoad(1, 2, 1));
    second.release();
  }

  @Test
  @DisplayName(
      "set Retry-After to when one of them becomes free, the first among several endpoints")
  void retryAfter() {
    limits = limits(1, false);
    EndpointLimiter.Slot first = acquire(null);
    assertThat(limiter.tryAcquire(ALPHA, null)).isNull(); // starts the measuring of places
    first.release();
    EndpointLimiter.Slot measured = acquire(null);
    ambient.advance(Duration.ofSeconds(12));
    measured.release();
    acquire(null);
    GatewayError refusal = limiter.refusal(List.of(ALPHA));
    assertThat(refusal.code().status()).isEqualTo(503);
    assertThat(refusal.retryAfterSeconds()).hasValue(12);
    limiter.tryAcquire("acme/large@beta", null);
    assertThat(limiter.refusal(List.of(ALPHA, "acme/large@beta")).retryAfterSeconds()).hasValue(1);
  }

  @Test
  @DisplayName("become fewer when the endpoint is overloaded, if the limit is adaptive")
  void overloaded() {
    limits = limits(50, true);
    EndpointLimiter.Slot slot = acquire(null);
    assertThat(limit()).isEqualTo(20);
    slot.recordFailure(FailureKind.OVERLOADED);
    assertThat(limit()).isEqualTo(18);
    slot.recordFailure(FailureKind.RATE_LIMITED);
    assertThat(limit()).isEqualTo(16);
    slot.recordFailure(FailureKind.UNAVAILABLE);
    acquire("k")
        .recordFailure(
            FailureKind.RATE_LIMITED); // a limit of the customer's key, not of the endpoint
    assertThat(limit()).isEqualTo(16);
    slot.recordTimeout();
    assertThat(limit()).isEqualTo(14);
    limits = limits(50, false);
    assertThat(limit()).isEqualTo(50);
  }

  @Test
  @DisplayName("become more while the endpoint answers as fast as usual")
  void grow() {
    limits = limits(50, true);
    for (int i = 0; i < 15; i++) {
      acquire(null);
    }
    EndpointLimiter.Slot slot = acquire(null);
    for (int i = 0; i < 10; i++) {
      slot.recordFirstContent(200_000_000);
      slot.recordWholeAnswer(5_000_000_000L);
    }
    assertThat(limit()).isGreaterThan(25);
  }

  @Test
  @DisplayName("are available to batches only up to their share, but at least one is")
  void background() {
    limits = limits(4, false);
    var half = new EndpointLimiter(() -> limits, ambient, 0.5);
    assertThat(half.tryAcquireBackground(ALPHA, null)).isNotNull();
    EndpointLimiter.Slot second = Objects.requireNonNull(half.tryAcquireBackground(ALPHA, null));
    assertThat(half.tryAcquireBackground(ALPHA, null)).as("half of four is two").isNull();
    second.release();
    assertThat(half.tryAcquireBackground(ALPHA, null)).isNotNull();
    var all = new EndpointLimiter(() -> limits, ambient, 1);
    assertThat(all.tryAcquireBackground(ALPHA, null)).as("at least one").isNotNull();
    assertThat(all.tryAcquireBackground(ALPHA, null)).isNull();
  }

  @Test
  @DisplayName("are not all taken by live requests while a batch waits for one")
  void keptForABatch() {
    EndpointLimiter.Slot firstSlot = acquire(null);
    EndpointLimiter.Slot secondSlot = acquire(null);
    assertThat(limiter.tryAcquireBackground(ALPHA, null)).as("all places are taken").isNull();
    firstSlot.release();
    assertThat(limiter.tryAcquire(ALPHA, null)).as("the place is kept for the batch").isNull();
    EndpointLimiter.Slot batch = Objects.requireNonNull(limiter.tryAcquireBackground(ALPHA, null));
    secondSlot.release();
    acquire(null).release(); // no place is kept any more: the batch has its own
    batch.release();
  }

  @Test
  @DisplayName("are kept for a batch for a few seconds only, then live requests may take them")
  void keptForAWhile() {
    EndpointLimiter.Slot firstSlot = acquire(null);
    EndpointLimiter.Slot secondSlot = acquire(null);
    assertThat(limiter.tryAcquireBackground(ALPHA, null)).isNull();
    firstSlot.release();
    assertThat(limiter.tryAcquire(ALPHA, null)).isNull();
    ambient.advance(Duration.ofSeconds(6));
    acquire(null).release();
    secondSlot.release();
  }
}
