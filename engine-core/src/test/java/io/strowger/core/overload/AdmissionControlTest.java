package io.strowger.core.overload;

import static io.strowger.core.overload.AdmissionFixture.KEY_ONE;
import static io.strowger.core.overload.AdmissionFixture.KEY_TWO;
import static io.strowger.core.overload.AdmissionFixture.limits;
import static io.strowger.core.overload.AdmissionFixture.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.KeyId;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("Admission control")
class AdmissionControlTest {
  private static final int MANY_BYTES = 1_000_000;

  @Nested
  @DisplayName("for places")
  class Places {
    @Proves("resources.error.retry-after")
    @Test
    @DisplayName("refuses with 503 and Retry-After when all are taken and no request may wait")
    void full() {
      try (var fixture = new AdmissionFixture(limits(2, MANY_BYTES, 0))) {
        Permit first = fixture.admitted(KEY_ONE);
        Permit second = fixture.admitted(KEY_TWO);
        GatewayError error = fixture.refused(KEY_TWO, 0);
        assertThat(error.code().status()).isEqualTo(503);
        assertThat(error.message()).isEqualTo("Service temporarily unavailable");
        assertThat(error.retryAfterSeconds()).hasValue(1);
        assertThat(reason(error)).isEqualTo("queue_full");
        first.close();
        fixture.admitted(KEY_TWO).close();
        second.close();
        fixture.assertIdle();
        assertThat(fixture.snapshot().refusals()).containsEntry(RefusalReason.QUEUE_FULL, 1L);
      }
    }

    @Test
    @DisplayName("gives a place back once, however often a permit is closed")
    void once() {
      try (var fixture = new AdmissionFixture(limits(2, MANY_BYTES, 0))) {
        Permit first = fixture.admitted(KEY_ONE, 10);
        Permit second = fixture.admitted(KEY_ONE, 10);
        first.close();
        first.close();
        assertThat(fixture.snapshot().inFlight()).isEqualTo(1);
        assertThat(fixture.snapshot().bodyBytes()).isEqualTo(10);
        second.close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("refuses a key at its limit with 429, and no other key")
    void key() {
      var perKey =
          new OverloadLimits(
              MANY_BYTES, 9, 1, OverloadLimits.UNLIMITED, 5, Duration.ofSeconds(1), false);
      try (var fixture = new AdmissionFixture(perKey)) {
        Permit first = fixture.admitted(KEY_ONE);
        GatewayError error = fixture.refused(KEY_ONE, 0);
        assertThat(error.code().status()).isEqualTo(429);
        assertThat(error.retryAfterSeconds()).hasValue(1);
        assertThat(reason(error)).isEqualTo("key");
        fixture.admitted(KEY_TWO).close();
        first.close();
        fixture.admitted(KEY_ONE).close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("leaves a place for other keys, however many requests one key has in flight")
    void shares() {
      try (var fixture = new AdmissionFixture(limits(8, MANY_BYTES, 0))) {
        fixture.admitted(KEY_TWO).close();
        var permitsOfOne = new ArrayList<Permit>();
        for (int i = 0; i < 6; i++) {
          permitsOfOne.add(fixture.admitted(KEY_ONE));
        }
        assertThat(reason(fixture.refused(KEY_ONE, 0))).isEqualTo("queue_full");
        Permit other = fixture.admitted(KEY_TWO);
        fixture.admitted(KEY_TWO).close();
        permitsOfOne.getFirst().close();
        assertThat(reason(fixture.refused(KEY_ONE, 0)))
            .isEqualTo("queue_full"); // 6 places are more than 3 times the 1 that is left
        other.close();
        fixture.admitted(KEY_ONE).close();
        permitsOfOne.forEach(Permit::close);
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("computes Retry-After from how long places stay taken")
    void retryAfter() {
      try (var fixture = new AdmissionFixture(limits(2, MANY_BYTES, 0))) {
        Permit first = fixture.admitted(KEY_ONE);
        Permit second = fixture.admitted(KEY_ONE);
        fixture.refused(KEY_ONE, 0); // starts the measuring of places
        first.close();
        Permit measured = fixture.admitted(KEY_ONE);
        fixture.ambient.advance(Duration.ofSeconds(30));
        measured.close();
        Permit third = fixture.admitted(KEY_ONE);
        // each of the two places is taken for 30 s, so one becomes free every 15 s
        assertThat(fixture.refused(KEY_ONE, 0).retryAfterSeconds()).hasValue(15);
        third.close();
        second.close();
      }
    }

    @Test
    @DisplayName("never answers with a Retry-After of more than a minute")
    void bounded() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 0))) {
        Permit first = fixture.admitted(KEY_ONE);
        for (int i = 0; i < 120; i++) { // a shortage that lasts for an hour
          fixture.refused(KEY_ONE, 0);
          fixture.ambient.advance(Duration.ofSeconds(30));
        }
        assertThat(fixture.refused(KEY_ONE, 0).retryAfterSeconds()).hasValue(60);
        first.close();
      }
    }

    @Test
    @DisplayName("applies new limits at once, also to requests that wait")
    void configured() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 5))) {
        Permit first = fixture.admitted(KEY_ONE);
        AdmissionFixture.WaitingRequest waiting = fixture.queued(KEY_TWO);
        fixture.control.configure(limits(2, MANY_BYTES, 5));
        waiting.awaitPermit().close();
        first.close();
        fixture.assertIdle();
      }
    }
  }

  @Nested
  @DisplayName("for memory")
  class Memory {
    @Test
    @DisplayName("refuses a body for which there is no room, and admits a small one")
    void full() {
      try (var fixture = new AdmissionFixture(limits(9, MANY_BYTES, 0))) {
        Permit first = fixture.admitted(KEY_ONE, MANY_BYTES);
        GatewayError error = fixture.refused(KEY_TWO, MANY_BYTES / 2);
        assertThat(error.code().status()).isEqualTo(503);
        assertThat(reason(error)).isEqualTo("memory");
        fixture.admitted(KEY_TWO, OverloadLimits.SMALL_BODY).close();
        first.close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("refuses a body that can never fit with 413, since waiting would not help")
    void neverFits() {
      try (var fixture = new AdmissionFixture(limits(9, MANY_BYTES, 9))) {
        GatewayError error = fixture.refused(KEY_ONE, MANY_BYTES + 1);
        assertThat(error.code().status()).isEqualTo(413);
        assertThat(error.retryAfterSeconds()).isEmpty();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName(
        "counts a body of unknown length as it grows, and refuses it when it grows too large")
    void grows() {
      try (var fixture = new AdmissionFixture(limits(9, MANY_BYTES, 9))) {
        Permit other = fixture.admitted(KEY_TWO, MANY_BYTES / 2);
        Permit growing = fixture.admitted(KEY_ONE);
        growing.ensureBytes(MANY_BYTES / 4);
        growing.ensureBytes(MANY_BYTES / 8); // less than it already has
        assertThat(fixture.snapshot().bodyBytes()).isEqualTo(MANY_BYTES / 2 + MANY_BYTES / 4);
        assertThatThrownBy(() -> growing.ensureBytes(MANY_BYTES))
            .isInstanceOfSatisfying(
                GatewayException.class,
                refused -> assertThat(refused.error().code().status()).isEqualTo(503));
        assertThatThrownBy(() -> growing.ensureBytes(2 * MANY_BYTES))
            .isInstanceOfSatisfying(
                GatewayException.class,
                refused -> assertThat(refused.error().code().status()).isEqualTo(413));
        growing.close();
        growing.ensureBytes(MANY_BYTES); // a closed permit takes no bytes
        other.close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("holds no bytes for a request that waits")
    void waiting() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 5))) {
        Permit first = fixture.admitted(KEY_ONE, 100);
        AdmissionFixture.WaitingRequest waiting = fixture.queued(KEY_TWO, 1_000);
        assertThat(fixture.snapshot().bodyBytes()).isEqualTo(100);
        first.close();
        Permit second = waiting.awaitPermit();
        assertThat(fixture.snapshot().bodyBytes()).isEqualTo(1_000);
        second.close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("admits a body that fits before one that waits for more room")
    void smallerFirst() {
      try (var fixture = new AdmissionFixture(limits(9, MANY_BYTES, 5))) {
        Permit first = fixture.admitted(KEY_ONE, MANY_BYTES / 2);
        AdmissionFixture.WaitingRequest large = fixture.queued(KEY_ONE, MANY_BYTES);
        fixture.admitted(KEY_TWO, MANY_BYTES / 4).close();
        first.close();
        large.awaitPermit().close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("leaves room for other keys, however many bodies one key has in flight")
    void shares() {
      try (var fixture = new AdmissionFixture(limits(9, MANY_BYTES, 0))) {
        fixture.admitted(KEY_TWO).close();
        Permit first =
            fixture.admitted(KEY_ONE, MANY_BYTES / 2); // its first body may take all that is free
        Permit second = fixture.admitted(KEY_ONE, MANY_BYTES / 4);
        GatewayError error = fixture.refused(KEY_ONE, OverloadLimits.SMALL_BODY + 1);
        assertThat(error.code().status()).isEqualTo(503);
        assertThat(reason(error)).isEqualTo("memory");
        Permit other = fixture.admitted(KEY_TWO, MANY_BYTES / 4);
        first.close();
        fixture.admitted(KEY_ONE, MANY_BYTES / 8).close();
        second.close();
        other.close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("leaves room for small bodies of other keys")
    void sharesSmall() {
      try (var fixture = new AdmissionFixture(limits(99, MANY_BYTES, 0))) {
        fixture.control.expectSeveralKeys();
        var permitsOfOne = new ArrayList<Permit>();
        for (long bytes = OverloadLimits.SMALL_BODY; bytes > 0; bytes /= 2) {
          Admission admission = fixture.admit(KEY_ONE, bytes);
          while (admission instanceof Permit permit) {
            permitsOfOne.add(permit);
            admission = fixture.admit(KEY_ONE, bytes);
          }
        }
        fixture.admitted(KEY_TWO, OverloadLimits.SMALL_BODY).close();
        permitsOfOne.forEach(Permit::close);
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("applies the same rule to the growth of a body of unknown length")
    void sharesWhatGrows() {
      try (var fixture = new AdmissionFixture(limits(9, MANY_BYTES, 0))) {
        fixture.control.expectSeveralKeys();
        Permit alone = fixture.admitted(KEY_ONE);
        alone.ensureBytes(MANY_BYTES / 2);
        Permit second = fixture.admitted(KEY_ONE);
        second.ensureBytes(MANY_BYTES / 4);
        assertThatThrownBy(() -> second.ensureBytes(MANY_BYTES / 2 - 1))
            .isInstanceOfSatisfying(
                GatewayException.class,
                refused -> assertThat(refused.error().code().status()).isEqualTo(503));
        second.close();
        alone.ensureBytes(MANY_BYTES); // it is the only body of its key
        alone.close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("gives all of it to the only key that uses the gateway")
    void alone() {
      try (var fixture = new AdmissionFixture(limits(9, MANY_BYTES, 0))) {
        Permit first = fixture.admitted(KEY_ONE, MANY_BYTES / 2);
        fixture.admitted(KEY_ONE, MANY_BYTES / 2).close();
        first.close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("keeps room for management requests that no other request can take")
    void managementReserve() {
      try (var fixture = new AdmissionFixture(limits(99, MANY_BYTES, 0))) {
        Permit large = fixture.admitted(KEY_ONE, MANY_BYTES);
        Permit small = fixture.admitted(KEY_TWO, OverloadLimits.SMALL_BODY);
        var third = new KeyId(3, 3, 3, 3);
        Permit rest = fixture.admitted(third, MANY_BYTES / 8 - OverloadLimits.SMALL_BODY);
        assertThat(reason(fixture.refused(new KeyId(4, 4, 4, 4), 1))).isEqualTo("memory");
        var management = (Permit) fixture.control.admitManagement(1_000);
        management.ensureBytes(OverloadLimits.SMALL_BODY);
        management.close();
        large.close();
        small.close();
        rest.close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("admits management requests while all places are taken")
    void management() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 0))) {
        Permit first = fixture.admitted(KEY_ONE);
        var management = (Permit) fixture.control.admitManagement(100);
        assertThat(fixture.snapshot().inFlight()).isEqualTo(1);
        assertThat(fixture.snapshot().bodyBytes()).isEqualTo(100);
        management.close();
        first.close();
        fixture.assertIdle();
      }
    }
  }

  @Nested
  @DisplayName("for the queue")
  class Queue {
    @Test
    @DisplayName("serves the oldest first")
    void oldestFirst() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 5))) {
        Permit first = fixture.admitted(KEY_ONE);
        AdmissionFixture.WaitingRequest older = fixture.queued(KEY_ONE);
        AdmissionFixture.WaitingRequest newer = fixture.queued(KEY_ONE);
        first.close();
        Permit second = older.awaitPermit();
        assertThat(newer.isWaiting()).isTrue();
        second.close();
        newer.awaitPermit().close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("serves the newest first once the oldest has waited half of its time")
    void newestFirst() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 5))) {
        Permit first = fixture.admitted(KEY_ONE);
        AdmissionFixture.WaitingRequest older = fixture.queued(KEY_ONE);
        fixture.ambient.advance(Duration.ofMillis(600));
        AdmissionFixture.WaitingRequest newer = fixture.queued(KEY_ONE);
        first.close();
        Permit second = newer.awaitPermit();
        assertThat(older.isWaiting()).isTrue();
        second.close();
        older.awaitPermit().close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("serves the keys in turn")
    void turns() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 9))) {
        Permit placeHolder = fixture.admitted(KEY_ONE);
        var requestsOfOne = new ArrayList<AdmissionFixture.WaitingRequest>();
        for (int i = 0; i < 4; i++) {
          requestsOfOne.add(fixture.queued(KEY_ONE));
        }
        AdmissionFixture.WaitingRequest requestOfTwo = fixture.queued(KEY_TWO);
        placeHolder.close();
        Permit next = requestsOfOne.get(0).awaitPermit();
        next.close();
        requestOfTwo.awaitPermit().close();
        for (AdmissionFixture.WaitingRequest rest : requestsOfOne.subList(1, 4)) {
          rest.awaitPermit().close();
        }
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName(
        "makes room in a queue full of one key for another key, and refuses more of the first")
    void displaces() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 3))) {
        Permit placeHolder = fixture.admitted(KEY_ONE);
        List<AdmissionFixture.WaitingRequest> requestsOfOne =
            List.of(fixture.queued(KEY_ONE), fixture.queued(KEY_ONE), fixture.queued(KEY_ONE));
        assertThat(reason(fixture.refused(KEY_ONE, 0))).isEqualTo("queue_full");
        AdmissionFixture.WaitingRequest requestOfTwo = fixture.queued(KEY_TWO);
        assertThat(reason(AdmissionFixture.error(requestsOfOne.get(2).awaitEnd())))
            .isEqualTo("queue_full");
        assertThat(fixture.snapshot().queued()).isEqualTo(3);
        placeHolder.close();
        requestsOfOne.get(0).awaitPermit().close();
        requestOfTwo.awaitPermit().close();
        requestsOfOne.get(1).awaitPermit().close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("refuses a request that has waited for the maximum time")
    void timeout() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 3))) {
        Permit placeHolder = fixture.admitted(KEY_ONE);
        AdmissionFixture.WaitingRequest waiting = fixture.queued(KEY_TWO);
        fixture.ambient.advance(Duration.ofSeconds(1));
        fixture.control.configure(fixture.control.limits()); // checks all waiting requests
        assertThat(reason(AdmissionFixture.error(waiting.awaitEnd()))).isEqualTo("queue_timeout");
        placeHolder.close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("refuses a request that would not get a place in time")
    void expected() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 9))) {
        Permit first = fixture.admitted(KEY_ONE);
        AdmissionFixture.WaitingRequest second = fixture.queued(KEY_ONE);
        first.close();
        Permit slow = second.awaitPermit();
        fixture.ambient.advance(Duration.ofSeconds(5)); // the place was taken for 5 s
        slow.close();
        Permit third = fixture.admitted(KEY_ONE);
        GatewayError error = fixture.refused(KEY_TWO, 0);
        assertThat(reason(error)).isEqualTo("expected_wait");
        assertThat(error.retryAfterSeconds()).hasValue(5);
        third.close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("ignores the measurements of a shortage that ended long ago")
    void oldShortage() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 9))) {
        Permit first = fixture.admitted(KEY_ONE);
        AdmissionFixture.WaitingRequest second = fixture.queued(KEY_ONE);
        first.close();
        Permit slow = second.awaitPermit();
        fixture.ambient.advance(Duration.ofSeconds(60)); // the place was taken for a minute
        slow.close();
        fixture.ambient.advance(Duration.ofHours(1));
        Permit third = fixture.admitted(KEY_ONE);
        AdmissionFixture.WaitingRequest fourth = fixture.queued(KEY_ONE);
        third.close();
        fourth.awaitPermit().close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("does not count the idle time since the last shortage into Retry-After")
    void silence() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 0))) {
        Permit first = fixture.admitted(KEY_ONE);
        assertThat(fixture.refused(KEY_TWO, 0).retryAfterSeconds()).hasValue(1);
        first.close();
        fixture.ambient.advance(Duration.ofHours(1));
        Permit second = fixture.admitted(KEY_ONE);
        assertThat(fixture.refused(KEY_TWO, 0).retryAfterSeconds()).hasValue(1);
        second.close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("removes a request whose client has disconnected")
    void cancelled() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 3))) {
        Permit placeHolder = fixture.admitted(KEY_ONE);
        AdmissionFixture.WaitingRequest waiting = fixture.queued(KEY_TWO, 100);
        waiting.cancellation.cancel(Cancellation.Cause.CALLER_GONE);
        assertThat(reason(AdmissionFixture.error(waiting.awaitEnd()))).isEqualTo("cancelled");
        assertThat(fixture.snapshot().queued()).isZero();
        placeHolder.close();
        fixture.assertIdle();
      }
    }

    @Test
    @DisplayName("empties it when the gateway is closed, and lets no more requests wait")
    void closed() {
      try (var fixture = new AdmissionFixture(limits(1, MANY_BYTES, 3))) {
        Permit placeHolder = fixture.admitted(KEY_ONE);
        AdmissionFixture.WaitingRequest waiting = fixture.queued(KEY_TWO);
        fixture.control.close();
        assertThat(reason(AdmissionFixture.error(waiting.awaitEnd()))).isEqualTo("cancelled");
        assertThat(reason(fixture.refused(KEY_TWO, 0))).isEqualTo("queue_full");
        placeHolder.close();
        fixture.assertIdle();
      }
    }
  }
}
