package io.strowger.core.overload;

import static io.strowger.core.overload.Load.ONE;
import static io.strowger.core.overload.Load.TWO;
import static io.strowger.core.overload.Load.limits;
import static io.strowger.core.overload.Load.reason;
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
      try (var load = new Load(limits(2, MANY_BYTES, 0))) {
        Permit first = load.enters(ONE);
        Permit second = load.enters(TWO);
        GatewayError error = load.refused(TWO, 0);
        assertThat(error.code().status()).isEqualTo(503);
        assertThat(error.message()).isEqualTo("Service temporarily unavailable");
        assertThat(error.retryAfterSeconds()).hasValue(1);
        assertThat(reason(error)).isEqualTo("queue_full");
        first.close();
        load.enters(TWO).close();
        second.close();
        load.assertIdle();
        assertThat(load.snapshot().refusals()).containsEntry(RefusalReason.QUEUE_FULL, 1L);
      }
    }

    @Test
    @DisplayName("gives a place back once, however often a permit is closed")
    void once() {
      try (var load = new Load(limits(2, MANY_BYTES, 0))) {
        Permit first = load.enters(ONE, 10);
        Permit second = load.enters(ONE, 10);
        first.close();
        first.close();
        assertThat(load.snapshot().inFlight()).isEqualTo(1);
        assertThat(load.snapshot().bodyBytes()).isEqualTo(10);
        second.close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("refuses a key at its limit with 429, and no other key")
    void key() {
      var perKey =
          new OverloadLimits(
              MANY_BYTES, 9, 1, OverloadLimits.UNLIMITED, 5, Duration.ofSeconds(1), false);
      try (var load = new Load(perKey)) {
        Permit first = load.enters(ONE);
        GatewayError error = load.refused(ONE, 0);
        assertThat(error.code().status()).isEqualTo(429);
        assertThat(error.retryAfterSeconds()).hasValue(1);
        assertThat(reason(error)).isEqualTo("key");
        load.enters(TWO).close();
        first.close();
        load.enters(ONE).close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("leaves a place for other keys, however many requests one key has in flight")
    void shares() {
      try (var load = new Load(limits(8, MANY_BYTES, 0))) {
        load.enters(TWO).close();
        var permitsOfOne = new ArrayList<Permit>();
        for (int i = 0; i < 6; i++) {
          permitsOfOne.add(load.enters(ONE));
        }
        assertThat(reason(load.refused(ONE, 0))).isEqualTo("queue_full");
        Permit other = load.enters(TWO);
        load.enters(TWO).close();
        permitsOfOne.getFirst().close();
        assertThat(reason(load.refused(ONE, 0))).isEqualTo("queue_full"); // 6 are more than 3 x 1
        other.close();
        load.enters(ONE).close();
        permitsOfOne.forEach(Permit::close);
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("computes Retry-After from how long places stay taken")
    void retryAfter() {
      try (var load = new Load(limits(2, MANY_BYTES, 0))) {
        Permit first = load.enters(ONE);
        Permit second = load.enters(ONE);
        load.refused(ONE, 0); // starts the measuring of places
        first.close();
        Permit measured = load.enters(ONE);
        load.ambient.advance(Duration.ofSeconds(30));
        measured.close();
        Permit third = load.enters(ONE);
        // each of the two places is taken for 30 s, so one becomes free every 15 s
        assertThat(load.refused(ONE, 0).retryAfterSeconds()).hasValue(15);
        third.close();
        second.close();
      }
    }

    @Test
    @DisplayName("never answers with a Retry-After of more than a minute")
    void bounded() {
      try (var load = new Load(limits(1, MANY_BYTES, 0))) {
        Permit first = load.enters(ONE);
        for (int i = 0; i < 120; i++) { // a shortage that lasts for an hour
          load.refused(ONE, 0);
          load.ambient.advance(Duration.ofSeconds(30));
        }
        assertThat(load.refused(ONE, 0).retryAfterSeconds()).hasValue(60);
        first.close();
      }
    }

    @Test
    @DisplayName("applies new limits at once, also to requests that wait")
    void configured() {
      try (var load = new Load(limits(1, MANY_BYTES, 5))) {
        Permit first = load.enters(ONE);
        Load.Waits waiting = load.waits(TWO);
        load.control.configure(limits(2, MANY_BYTES, 5));
        waiting.enters().close();
        first.close();
        load.assertIdle();
      }
    }
  }

  @Nested
  @DisplayName("for memory")
  class Memory {
    @Test
    @DisplayName("refuses a body for which there is no room, and admits a small one")
    void full() {
      try (var load = new Load(limits(9, MANY_BYTES, 0))) {
        Permit first = load.enters(ONE, MANY_BYTES);
        GatewayError error = load.refused(TWO, MANY_BYTES / 2);
        assertThat(error.code().status()).isEqualTo(503);
        assertThat(reason(error)).isEqualTo("memory");
        load.enters(TWO, OverloadLimits.SMALL_BODY).close();
        first.close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("refuses a body that can never fit with 413, since waiting would not help")
    void neverFits() {
      try (var load = new Load(limits(9, MANY_BYTES, 9))) {
        GatewayError error = load.refused(ONE, MANY_BYTES + 1);
        assertThat(error.code().status()).isEqualTo(413);
        assertThat(error.retryAfterSeconds()).isEmpty();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName(
        "counts a body of unknown length as it grows, and refuses it when it grows too large")
    void grows() {
      try (var load = new Load(limits(9, MANY_BYTES, 9))) {
        Permit other = load.enters(TWO, MANY_BYTES / 2);
        Permit growing = load.enters(ONE);
        growing.ensureBytes(MANY_BYTES / 4);
        growing.ensureBytes(MANY_BYTES / 8); // less than it already has
        assertThat(load.snapshot().bodyBytes()).isEqualTo(MANY_BYTES / 2 + MANY_BYTES / 4);
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
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("holds no bytes for a request that waits")
    void waiting() {
      try (var load = new Load(limits(1, MANY_BYTES, 5))) {
        Permit first = load.enters(ONE, 100);
        Load.Waits waiting = load.waits(TWO, 1_000);
        assertThat(load.snapshot().bodyBytes()).isEqualTo(100);
        first.close();
        Permit second = waiting.enters();
        assertThat(load.snapshot().bodyBytes()).isEqualTo(1_000);
        second.close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("admits a body that fits before one that waits for more room")
    void smallerFirst() {
      try (var load = new Load(limits(9, MANY_BYTES, 5))) {
        Permit first = load.enters(ONE, MANY_BYTES / 2);
        Load.Waits large = load.waits(ONE, MANY_BYTES);
        load.enters(TWO, MANY_BYTES / 4).close();
        first.close();
        large.enters().close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("leaves room for other keys, however many bodies one key has in flight")
    void shares() {
      try (var load = new Load(limits(9, MANY_BYTES, 0))) {
        load.enters(TWO).close();
        Permit first = load.enters(ONE, MANY_BYTES / 2); // its first body may take all that is free
        Permit second = load.enters(ONE, MANY_BYTES / 4);
        GatewayError error = load.refused(ONE, OverloadLimits.SMALL_BODY + 1);
        assertThat(error.code().status()).isEqualTo(503);
        assertThat(reason(error)).isEqualTo("memory");
        Permit other = load.enters(TWO, MANY_BYTES / 4);
        first.close();
        load.enters(ONE, MANY_BYTES / 8).close();
        second.close();
        other.close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("leaves room for small bodies of other keys")
    void sharesSmall() {
      try (var load = new Load(limits(99, MANY_BYTES, 0))) {
        load.control.expectSeveralKeys();
        var permitsOfOne = new ArrayList<Permit>();
        for (long bytes = OverloadLimits.SMALL_BODY; bytes > 0; bytes /= 2) {
          Admission admission = load.ask(ONE, bytes);
          while (admission instanceof Permit permit) {
            permitsOfOne.add(permit);
            admission = load.ask(ONE, bytes);
          }
        }
        load.enters(TWO, OverloadLimits.SMALL_BODY).close();
        permitsOfOne.forEach(Permit::close);
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("applies the same rule to the growth of a body of unknown length")
    void sharesWhatGrows() {
      try (var load = new Load(limits(9, MANY_BYTES, 0))) {
        load.control.expectSeveralKeys();
        Permit alone = load.enters(ONE);
        alone.ensureBytes(MANY_BYTES / 2);
        Permit second = load.enters(ONE);
        second.ensureBytes(MANY_BYTES / 4);
        assertThatThrownBy(() -> second.ensureBytes(MANY_BYTES / 2 - 1))
            .isInstanceOfSatisfying(
                GatewayException.class,
                refused -> assertThat(refused.error().code().status()).isEqualTo(503));
        second.close();
        alone.ensureBytes(MANY_BYTES); // it is the only body of its key
        alone.close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("gives all of it to the only key that uses the gateway")
    void alone() {
      try (var load = new Load(limits(9, MANY_BYTES, 0))) {
        Permit first = load.enters(ONE, MANY_BYTES / 2);
        load.enters(ONE, MANY_BYTES / 2).close();
        first.close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("keeps room for management requests that no other request can take")
    void managementReserve() {
      try (var load = new Load(limits(99, MANY_BYTES, 0))) {
        Permit large = load.enters(ONE, MANY_BYTES);
        Permit small = load.enters(TWO, OverloadLimits.SMALL_BODY);
        var third = new KeyId(3, 3, 3, 3);
        Permit rest = load.enters(third, MANY_BYTES / 8 - OverloadLimits.SMALL_BODY);
        assertThat(reason(load.refused(new KeyId(4, 4, 4, 4), 1))).isEqualTo("memory");
        var management = (Permit) load.control.admitManagement(1_000);
        management.ensureBytes(OverloadLimits.SMALL_BODY);
        management.close();
        large.close();
        small.close();
        rest.close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("admits management requests while all places are taken")
    void management() {
      try (var load = new Load(limits(1, MANY_BYTES, 0))) {
        Permit first = load.enters(ONE);
        var management = (Permit) load.control.admitManagement(100);
        assertThat(load.snapshot().inFlight()).isEqualTo(1);
        assertThat(load.snapshot().bodyBytes()).isEqualTo(100);
        management.close();
        first.close();
        load.assertIdle();
      }
    }
  }

  @Nested
  @DisplayName("for the queue")
  class Queue {
    @Test
    @DisplayName("serves the oldest first")
    void oldestFirst() {
      try (var load = new Load(limits(1, MANY_BYTES, 5))) {
        Permit first = load.enters(ONE);
        Load.Waits older = load.waits(ONE);
        Load.Waits newer = load.waits(ONE);
        first.close();
        Permit second = older.enters();
        assertThat(newer.stillWaits()).isTrue();
        second.close();
        newer.enters().close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("serves the newest first once the oldest has waited half of its time")
    void newestFirst() {
      try (var load = new Load(limits(1, MANY_BYTES, 5))) {
        Permit first = load.enters(ONE);
        Load.Waits older = load.waits(ONE);
        load.ambient.advance(Duration.ofMillis(600));
        Load.Waits newer = load.waits(ONE);
        first.close();
        Permit second = newer.enters();
        assertThat(older.stillWaits()).isTrue();
        second.close();
        older.enters().close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("serves the keys in turn")
    void turns() {
      try (var load = new Load(limits(1, MANY_BYTES, 9))) {
        Permit placeHolder = load.enters(ONE);
        var requestsOfOne = new ArrayList<Load.Waits>();
        for (int i = 0; i < 4; i++) {
          requestsOfOne.add(load.waits(ONE));
        }
        Load.Waits requestOfTwo = load.waits(TWO);
        placeHolder.close();
        Permit next = requestsOfOne.get(0).enters();
        next.close();
        requestOfTwo.enters().close();
        for (Load.Waits rest : requestsOfOne.subList(1, 4)) {
          rest.enters().close();
        }
        load.assertIdle();
      }
    }

    @Test
    @DisplayName(
        "makes room in a queue full of one key for another key, and refuses more of the first")
    void displaces() {
      try (var load = new Load(limits(1, MANY_BYTES, 3))) {
        Permit placeHolder = load.enters(ONE);
        List<Load.Waits> requestsOfOne = List.of(load.waits(ONE), load.waits(ONE), load.waits(ONE));
        assertThat(reason(load.refused(ONE, 0))).isEqualTo("queue_full");
        Load.Waits requestOfTwo = load.waits(TWO);
        assertThat(reason(Load.error(requestsOfOne.get(2).ends()))).isEqualTo("queue_full");
        assertThat(load.snapshot().queued()).isEqualTo(3);
        placeHolder.close();
        requestsOfOne.get(0).enters().close();
        requestOfTwo.enters().close();
        requestsOfOne.get(1).enters().close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("refuses a request that has waited for the maximum time")
    void timeout() {
      try (var load = new Load(limits(1, MANY_BYTES, 3))) {
        Permit placeHolder = load.enters(ONE);
        Load.Waits waiting = load.waits(TWO);
        load.ambient.advance(Duration.ofSeconds(1));
        load.control.configure(load.control.limits()); // checks all waiting requests
        assertThat(reason(Load.error(waiting.ends()))).isEqualTo("queue_timeout");
        placeHolder.close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("refuses a request that would not get a place in time")
    void expected() {
      try (var load = new Load(limits(1, MANY_BYTES, 9))) {
        Permit first = load.enters(ONE);
        Load.Waits second = load.waits(ONE);
        first.close();
        Permit slow = second.enters();
        load.ambient.advance(Duration.ofSeconds(5)); // the place was taken for 5 s
        slow.close();
        Permit third = load.enters(ONE);
        GatewayError error = load.refused(TWO, 0);
        assertThat(reason(error)).isEqualTo("expected_wait");
        assertThat(error.retryAfterSeconds()).hasValue(5);
        third.close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("ignores the measurements of a shortage that ended long ago")
    void oldShortage() {
      try (var load = new Load(limits(1, MANY_BYTES, 9))) {
        Permit first = load.enters(ONE);
        Load.Waits second = load.waits(ONE);
        first.close();
        Permit slow = second.enters();
        load.ambient.advance(Duration.ofSeconds(60)); // the place was taken for a minute
        slow.close();
        load.ambient.advance(Duration.ofHours(1));
        Permit third = load.enters(ONE);
        Load.Waits fourth = load.waits(ONE);
        third.close();
        fourth.enters().close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("does not count the idle time since the last shortage into Retry-After")
    void silence() {
      try (var load = new Load(limits(1, MANY_BYTES, 0))) {
        Permit first = load.enters(ONE);
        assertThat(load.refused(TWO, 0).retryAfterSeconds()).hasValue(1);
        first.close();
        load.ambient.advance(Duration.ofHours(1));
        Permit second = load.enters(ONE);
        assertThat(load.refused(TWO, 0).retryAfterSeconds()).hasValue(1);
        second.close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("removes a request whose client has disconnected")
    void cancelled() {
      try (var load = new Load(limits(1, MANY_BYTES, 3))) {
        Permit placeHolder = load.enters(ONE);
        Load.Waits waiting = load.waits(TWO, 100);
        waiting.cancellation.cancel(Cancellation.Cause.CALLER_GONE);
        assertThat(reason(Load.error(waiting.ends()))).isEqualTo("cancelled");
        assertThat(load.snapshot().queued()).isZero();
        placeHolder.close();
        load.assertIdle();
      }
    }

    @Test
    @DisplayName("empties it when the gateway is closed, and lets no more requests wait")
    void closed() {
      try (var load = new Load(limits(1, MANY_BYTES, 3))) {
        Permit placeHolder = load.enters(ONE);
        Load.Waits waiting = load.waits(TWO);
        load.control.close();
        assertThat(reason(Load.error(waiting.ends()))).isEqualTo("cancelled");
        assertThat(reason(load.refused(TWO, 0))).isEqualTo("queue_full");
        placeHolder.close();
        load.assertIdle();
      }
    }
  }
}
