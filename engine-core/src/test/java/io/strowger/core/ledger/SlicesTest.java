package io.strowger.core.ledger;

import static io.strowger.core.ledger.Till.account;
import static io.strowger.core.ledger.Till.all;
import static io.strowger.core.ledger.Till.key;
import static io.strowger.core.ledger.Till.nanos;
import static io.strowger.core.ledger.Till.per;
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

@DisplayName("The ledger, over a store that nodes share,")
class SlicesTest {
  private static final Posting.Account ALL = new Posting.Account("key:a", "all");

  private final TestAmbient ambient = TestAmbient.at("2026-11-22T23:59:58Z");
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final InMemoryCluster.Node node = cluster.open();
  private final Till till = new Till(node, ambient);

  @AfterEach
  void nothingIsLeft() {
    till.close();
  }

  @Nested
  @DisplayName("asks for a slice")
  class Asks {
    @Test
    @DisplayName("of what it needs and a sixteenth of the limit, and then not for each hold")
    void share() {
      till.granted(10, key(all(1600)));
      assertThat(node.asked).hasSize(1);
      assertThat(node.granted(ALL)).isEqualTo(110);
      till.granted(40, key(all(1600)));
      assertThat(node.asked).hasSize(1);
    }

    @Test
    @DisplayName("ahead of need, in the background, when less than half of a share is left")
    void refill() {
      till.granted(10, key(all(1600)));
      till.granted(60, key(all(1600)));
      till.close(); // when no thread is left, the background is done
      assertThat(node.asked).hasSize(2);
      assertThat(node.asked.get(1).desiredGrant()).isEqualTo(new Usd(70 + 100));
    }

    @Test
    @DisplayName("down to the last nano, and refuses what no node could be granted")
    void end() {
      var other = new Till(cluster.open(), ambient);
      till.granted(30, key(all(100)));
      other.granted(30, key(all(100)));
      assertThat(till.hold(50, key(all(100)))).isInstanceOf(Outcome.Refused.class);
      assertThat(cluster.granted(ALL, false)).isLessThanOrEqualTo(100);
      other.ledger.close(); // gives back what it neither spent nor holds
      ambient.advance(Duration.ofSeconds(1));
      till.granted(40, key(all(100)));
      assertThat(till.hold(1, key(all(100)))).isInstanceOf(Outcome.Refused.class);
      assertThat(cluster.granted(ALL, false)).isEqualTo(100);
    }

    @Test
    @DisplayName("not again within a quarter of a second of a refusal, whoever asks for as much")
    void remembered() {
      till.granted(100, key(all(100)));
      var other = new Till(cluster.open(), ambient);
      InMemoryCluster.Node second = cluster.last();
      assertThat(other.hold(5, key(all(100)))).isInstanceOf(Outcome.Refused.class);
      int asked = second.asked.size();
      assertThat(other.hold(5, key(all(100)))).isInstanceOf(Outcome.Refused.class);
      assertThat(second.asked).hasSize(asked);
      ambient.advance(Duration.ofMillis(250));
      assertThat(other.hold(5, key(all(100)))).isInstanceOf(Outcome.Refused.class);
      assertThat(second.asked).hasSize(asked + 1);
      other.ledger.close();
    }

    @Test
    @DisplayName(
        "and says that nobody can tell, not that the money for the request could not be held, when"
            + " none answers")
    void down() {
      till.granted(10, key(all(1600)));
      node.down = true;
      assertThat(till.hold(50, key(all(1600)))).isInstanceOf(Outcome.Granted.class); // in hand
      assertThat(till.hold(500, key(all(1600)))).isInstanceOf(Outcome.Unavailable.class);
      node.down = false;
      assertThat(till.hold(500, key(all(1600)))).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    @DisplayName("anew under a limit that was lowered, when it has let go of what it had")
    void lowered() {
      till.settle(till.granted(40, key(all(160))), 40);
      assertThat(till.hold(21, key(all(60)))).isInstanceOf(Outcome.Refused.class);
      assertThat(till.hold(20, key(all(60)))).isInstanceOf(Outcome.Granted.class);
      assertThat(cluster.granted(ALL, false)).isEqualTo(60);
    }
  }

  @Nested
  @DisplayName("counts in the period of the claim")
  class Periods {
    private Outcome hold(String at, long amount) {
      return till.ledger.hold(
          new Claim(
              List.of(key(per(Period.WEEKLY, 100))), nanos(amount), Instant.parse(at), Till.FAR));
    }

    private long settled(String at, Period period) {
      return till.ledger.balance(key(), period, Instant.parse(at)).settled().credits().nanos();
    }

    @Proves("resources.key.KY-2")
    @Test
    @DisplayName("KY-2: a week that began on Monday at midnight UTC starts at nothing")
    void week() {
      till.settle(Till.granted(hold("2026-11-22T23:59:59Z", 100)), 100);
      assertThat(hold("2026-11-22T23:59:59Z", 1)).isInstanceOf(Outcome.Refused.class);
      assertThat(settled("2026-11-23T00:00:00Z", Period.WEEKLY)).isZero();
      assertThat(hold("2026-11-23T00:00:00Z", 100)).isInstanceOf(Outcome.Granted.class);
      assertThat(settled("2026-11-23T00:00:00Z", Period.LIFETIME)).isEqualTo(100);
      assertThat(settled("2026-11-23T00:00:00Z", Period.MONTHLY)).isEqualTo(100);
    }

    @Test
    @DisplayName("also when the act ends in the next one, or the clock was set back between")
    void across() {
      Reservation held = Till.granted(hold("2026-11-22T23:59:59Z", 60));
      Till.granted(hold("2026-11-23T00:00:00Z", 70));
      assertThat(hold("2026-11-22T23:59:59Z", 41)).isInstanceOf(Outcome.Refused.class);
      till.settle(held, 50);
      assertThat(settled("2026-11-22T12:00:00Z", Period.WEEKLY)).isEqualTo(50);
      assertThat(settled("2026-11-23T12:00:00Z", Period.WEEKLY)).isZero();
      assertThat(hold("2026-11-22T23:59:59Z", 50)).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    @DisplayName("or, of a day so long ago that it is forgotten, in the first that is remembered")
    void forgotten() {
      Instant day = Instant.parse("2026-01-05T00:00:00Z"); // a Monday
      for (int week = 0; week < 12; week++) {
        String at = day.plus(Duration.ofDays(7L * week)).toString();
        till.settle(Till.granted(hold(at, 100)), 100);
      }
      assertThat(hold("2026-01-05T00:00:00Z", 1)).isInstanceOf(Outcome.Refused.class);
    }
  }

  @Nested
  @DisplayName("when lines cannot be written")
  class Unwritten {
    @Test
    @DisplayName("counts the money, grants no more, and writes them once when it can again")
    void full() {
      Reservation first = till.granted(10, key(all(1600)));
      Reservation second = till.granted(10, key(all(1600)));
      node.full = true;
      till.settle(first, 7);
      till.settle(second, 8);
      assertThat(till.standing(key())).containsExactly(15L, 0L, 0L);
      assertThat(till.hold(1, key(all(1600)))).isInstanceOf(Outcome.Unavailable.class);
      node.full = false;
      assertThat(till.hold(1, key(all(1600)))).isInstanceOf(Outcome.Unavailable.class);
      ambient.advance(Duration.ofMillis(250));
      assertThat(till.hold(1, key(all(1600)))).isInstanceOf(Outcome.Granted.class);
      assertThat(cluster.settled(ALL)).isEqualTo(nanos(15));
      assertThat(cluster.doubles()).isEmpty();
    }
  }

  @Nested
  @DisplayName("of a hold nobody ends")
  class Abandoned {
    private Reservation dueIn(Duration time, long amount, Budget budget) {
      Payer key = key(budget);
      return Till.granted(
          till.ledger.hold(
              new Claim(
                  List.of(key, account()),
                  nanos(amount),
                  ambient.now(),
                  ambient.nanoTime() + time.toNanos())));
    }

    @Test
    @DisplayName("frees the money after its deadline, before anybody is refused for it")
    void freed() {
      dueIn(Duration.ofSeconds(10), 100, all(100));
      ambient.advance(Duration.ofSeconds(10));
      assertThat(till.hold(1, key(all(100)))).isInstanceOf(Outcome.Refused.class);
      ambient.advance(Duration.ofSeconds(1));
      assertThat(till.hold(100, key(all(100)))).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    @DisplayName("frees nothing when the time of day is set past its deadline, or back")
    void stepped() {
      Reservation held = dueIn(Duration.ofSeconds(10), 100, all(100));
      for (int days : new int[] {1, -3}) {
        ambient.stepTimeOfDay(Duration.ofDays(days));
        ambient.advance(Duration.ofSeconds(1));
        assertThat(till.hold(1, key(all(100)))).isInstanceOf(Outcome.Refused.class);
      }
      till.settle(held, 100);
      assertThat(till.standing(key())).containsExactly(100L, 0L, 0L);
    }

    @Test
    @DisplayName("books the bill that comes after all, once, as overrun")
    void late() {
      Reservation held = dueIn(Duration.ofSeconds(10), 50, all(100));
      ambient.advance(Duration.ofSeconds(11));
      till.ledger.expire();
      assertThat(till.standing(key())).containsExactly(0L, 0L, 0L);
      till.settle(held, 30);
      till.settle(held, 30);
      held.release();
      assertThat(till.standing(key())).containsExactly(30L, 0L, 30L);
      assertThat(cluster.settled(ALL)).isEqualTo(nanos(30));
    }
  }
}
