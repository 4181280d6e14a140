package io.strowger.core.ledger;

import static io.strowger.core.ledger.LedgerFixture.account;
import static io.strowger.core.ledger.LedgerFixture.budget;
import static io.strowger.core.ledger.LedgerFixture.key;
import static io.strowger.core.ledger.LedgerFixture.lifetime;
import static io.strowger.core.ledger.LedgerFixture.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ledger.Ledger.Claim;
import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The ledger, with a store that nodes share,")
class SlicesTest {
  private static final Posting.Account ALL = new Posting.Account("key:a", "all");

  private final TestAmbient ambient = TestAmbient.at("2026-11-22T23:59:58Z");
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final InMemoryCluster.Node node = cluster.startNode();
  private final LedgerFixture fixture = new LedgerFixture(node, ambient);

  @AfterEach
  void close() {
    fixture.close();
  }

  @Nested
  @DisplayName("requests a slice")
  class Asks {
    @Test
    @DisplayName(
        "of what the hold needs and a sixteenth of the limit, and no other until that is used up")
    void share() {
      fixture.granted(10, key(lifetime(1600)));
      assertThat(node.sliceRequests).hasSize(1);
      assertThat(node.grantOf(ALL)).isEqualTo(110);
      fixture.granted(40, key(lifetime(1600)));
      assertThat(node.sliceRequests).hasSize(1);
    }

    @Test
    @DisplayName("in the background when less than half of a share is left")
    void refill() {
      fixture.granted(10, key(lifetime(1600)));
      fixture.granted(60, key(lifetime(1600)));
      fixture.close(); // waits for the threads in the background
      assertThat(node.sliceRequests).hasSize(2);
      assertThat(node.sliceRequests.get(1).desiredGrant()).isEqualTo(new Usd(70 + 100));
    }

    @Test
    @DisplayName("down to the last nanodollar, and refuses a hold that no node could grant")
    void end() {
      var other = new LedgerFixture(cluster.startNode(), ambient);
      fixture.granted(30, key(lifetime(100)));
      other.granted(30, key(lifetime(100)));
      assertThat(fixture.hold(50, key(lifetime(100)))).isInstanceOf(Outcome.Refused.class);
      assertThat(cluster.granted(ALL, false)).isLessThanOrEqualTo(100);
      other.ledger.close(); // returns what it neither spent nor holds
      ambient.advance(Duration.ofSeconds(1));
      fixture.granted(40, key(lifetime(100)));
      assertThat(fixture.hold(1, key(lifetime(100)))).isInstanceOf(Outcome.Refused.class);
      assertThat(cluster.granted(ALL, false)).isEqualTo(100);
    }

    @Test
    @DisplayName(
        "not again within a quarter of a second of a refusal, for a hold of the same amount")
    void remembered() {
      fixture.granted(100, key(lifetime(100)));
      var other = new LedgerFixture(cluster.startNode(), ambient);
      InMemoryCluster.Node otherNode = cluster.newestNode();
      assertThat(other.hold(5, key(lifetime(100)))).isInstanceOf(Outcome.Refused.class);
      int requestsBefore = otherNode.sliceRequests.size();
      assertThat(other.hold(5, key(lifetime(100)))).isInstanceOf(Outcome.Refused.class);
      assertThat(otherNode.sliceRequests).hasSize(requestsBefore);
      ambient.advance(Duration.ofMillis(250));
      assertThat(other.hold(5, key(lifetime(100)))).isInstanceOf(Outcome.Refused.class);
      assertThat(otherNode.sliceRequests).hasSize(requestsBefore + 1);
      other.ledger.close();
    }

    @Test
    @DisplayName(
        "and reports the store as unavailable, not the budget as exceeded, when the store does not"
            + " answer")
    void down() {
      fixture.granted(10, key(lifetime(1600)));
      node.down = true;
      assertThat(fixture.hold(50, key(lifetime(1600))))
          .isInstanceOf(Outcome.Granted.class); // from its slice
      assertThat(fixture.hold(500, key(lifetime(1600)))).isInstanceOf(Outcome.Unavailable.class);
      node.down = false;
      assertThat(fixture.hold(500, key(lifetime(1600)))).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    @DisplayName("again when the limit was lowered, after it has returned the slice it had")
    void lowered() {
      fixture.settle(fixture.granted(40, key(lifetime(160))), 40);
      assertThat(fixture.hold(21, key(lifetime(60)))).isInstanceOf(Outcome.Refused.class);
      assertThat(fixture.hold(20, key(lifetime(60)))).isInstanceOf(Outcome.Granted.class);
      assertThat(cluster.granted(ALL, false)).isEqualTo(60);
    }
  }

  @Nested
  @DisplayName("counts in the period of the claim")
  class Periods {
    private Outcome hold(String at, long amount) {
      return fixture.ledger.hold(
          new Claim(
              List.of(key(budget(Period.WEEKLY, 100))),
              nanos(amount),
              Instant.parse(at),
              LedgerFixture.FAR_DEADLINE));
    }

    private long settled(String at, Period period) {
      return fixture.ledger.balance(key(), period, Instant.parse(at)).settled().credits().nanos();
    }

    @Proves("resources.key.KY-2")
    @Test
    @DisplayName("KY-2: a week that began on Monday at midnight UTC starts at nothing")
    void week() {
      fixture.settle(LedgerFixture.granted(hold("2026-11-22T23:59:59Z", 100)), 100);
      assertThat(hold("2026-11-22T23:59:59Z", 1)).isInstanceOf(Outcome.Refused.class);
      assertThat(settled("2026-11-23T00:00:00Z", Period.WEEKLY)).isZero();
      assertThat(hold("2026-11-23T00:00:00Z", 100)).isInstanceOf(Outcome.Granted.class);
      assertThat(settled("2026-11-23T00:00:00Z", Period.LIFETIME)).isEqualTo(100);
      assertThat(settled("2026-11-23T00:00:00Z", Period.MONTHLY)).isEqualTo(100);
    }

    @Test
    @DisplayName("even if the hold ends in the next period, or the clock is set back meanwhile")
    void across() {
      Reservation held = LedgerFixture.granted(hold("2026-11-22T23:59:59Z", 60));
      LedgerFixture.granted(hold("2026-11-23T00:00:00Z", 70));
      assertThat(hold("2026-11-22T23:59:59Z", 41)).isInstanceOf(Outcome.Refused.class);
      fixture.settle(held, 50);
      assertThat(settled("2026-11-22T12:00:00Z", Period.WEEKLY)).isEqualTo(50);
      assertThat(settled("2026-11-23T12:00:00Z", Period.WEEKLY)).isZero();
      assertThat(hold("2026-11-22T23:59:59Z", 50)).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    @DisplayName("or in the first period that is remembered, for a day before that")
    void longAgo() {
      Instant day = Instant.parse("2026-01-05T00:00:00Z"); // a Monday
      for (int week = 0; week < 12; week++) {
        String at = day.plus(Duration.ofDays(7L * week)).toString();
        fixture.settle(LedgerFixture.granted(hold(at, 100)), 100);
      }
      assertThat(hold("2026-01-05T00:00:00Z", 1)).isInstanceOf(Outcome.Refused.class);
    }
  }

  @Nested
  @DisplayName("while lines cannot be written")
  class Unwritten {
    @Test
    @DisplayName("counts the money, grants no more, and writes each line once as soon as it can")
    void full() {
      Reservation first = fixture.granted(10, key(lifetime(1600)));
      Reservation otherNode = fixture.granted(10, key(lifetime(1600)));
      node.full = true;
      fixture.settle(first, 7);
      fixture.settle(otherNode, 8);
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(15L, 0L, 0L);
      assertThat(fixture.hold(1, key(lifetime(1600)))).isInstanceOf(Outcome.Unavailable.class);
      node.full = false;
      assertThat(fixture.hold(1, key(lifetime(1600)))).isInstanceOf(Outcome.Unavailable.class);
      ambient.advance(Duration.ofMillis(250));
      assertThat(fixture.hold(1, key(lifetime(1600)))).isInstanceOf(Outcome.Granted.class);
      assertThat(cluster.settled(ALL)).isEqualTo(nanos(15));
      assertThat(cluster.duplicateLines()).isEmpty();
    }
  }

  @Nested
  @DisplayName("for a hold that is never ended")
  class Abandoned {
    private Reservation dueIn(Duration time, long amount, Budget budget) {
      Payer key = key(budget);
      return LedgerFixture.granted(
          fixture.ledger.hold(
              new Claim(
                  List.of(key, account()),
                  nanos(amount),
                  ambient.now(),
                  ambient.nanoTime() + time.toNanos())));
    }

    @Test
    @DisplayName("frees the money after the deadline, before another hold is refused for it")
    void freed() {
      dueIn(Duration.ofSeconds(10), 100, lifetime(100));
      ambient.advance(Duration.ofSeconds(10));
      assertThat(fixture.hold(1, key(lifetime(100)))).isInstanceOf(Outcome.Refused.class);
      ambient.advance(Duration.ofSeconds(1));
      assertThat(fixture.hold(100, key(lifetime(100)))).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    @DisplayName("frees nothing when only the time of day is set past the deadline, or back")
    void stepped() {
      Reservation held = dueIn(Duration.ofSeconds(10), 100, lifetime(100));
      for (int days : new int[] {1, -3}) {
        ambient.stepTimeOfDay(Duration.ofDays(days));
        ambient.advance(Duration.ofSeconds(1));
        assertThat(fixture.hold(1, key(lifetime(100)))).isInstanceOf(Outcome.Refused.class);
      }
      fixture.settle(held, 100);
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(100L, 0L, 0L);
    }

    @Test
    @DisplayName("counts a bill that comes after expiry once, as overrun")
    void late() {
      Reservation held = dueIn(Duration.ofSeconds(10), 50, lifetime(100));
      ambient.advance(Duration.ofSeconds(11));
      fixture.ledger.expire();
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(0L, 0L, 0L);
      fixture.settle(held, 30);
      fixture.settle(held, 30);
      held.release();
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(30L, 0L, 30L);
      assertThat(cluster.settled(ALL)).isEqualTo(nanos(30));
    }
  }
}
