package io.strowger.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ledger.Ledger.Balance;
import io.strowger.core.ledger.Ledger.Claim;
import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;

/**
 * Checks that money is conserved at every step of any history of one node: the settled amount is
 * the sum of the lines, the held amount is the sum of the holds, and both together fit every limit
 * whenever a hold is granted. In a history the node crashes and restarts, the clock jumps over the
 * edges of windows in both directions, limits change, the store fails, and a hold ends several
 * times or never.
 */
class ConservationProperties {
  private static final Instant[] MOMENTS = {
    Instant.parse("2026-11-22T23:59:59Z"), // a Sunday
    Instant.parse("2026-11-23T00:00:00Z"),
    Instant.parse("2026-11-30T23:59:59Z"),
    Instant.parse("2026-12-01T00:00:00Z"),
    Instant.parse("2026-12-31T23:59:59Z"),
    Instant.parse("2027-01-01T00:00:00Z"),
  };
  private static final long HOLD_SECONDS = 100;

  /** One step of a history; which of its values are used depends on the action. */
  record Step(Action action, int key, long amount, boolean byokKey, int choice) {}

  enum Action {
    HOLD,
    SETTLE,
    RELEASE,
    EXPIRE,
    CRASH,
    JUMP,
    LIMITS,
    STORE_DOWN,
    DISK_FULL
  }

  @Provide
  Arbitrary<List<Step>> histories() {
    Arbitrary<Action> actions =
        Arbitraries.frequency(
            Tuple.of(12, Action.HOLD),
            Tuple.of(8, Action.SETTLE),
            Tuple.of(2, Action.RELEASE),
            Tuple.of(1, Action.EXPIRE),
            Tuple.of(1, Action.CRASH),
            Tuple.of(2, Action.JUMP),
            Tuple.of(1, Action.LIMITS),
            Tuple.of(1, Action.STORE_DOWN),
            Tuple.of(1, Action.DISK_FULL));
    return Combinators.combine(
            actions,
            Arbitraries.integers().between(0, 1),
            Arbitraries.longs().between(0, 300),
            Arbitraries.of(true, false, false),
            Arbitraries.integers().between(0, 30))
        .as(Step::new)
        .list()
        .ofMaxSize(80);
  }

  @Tag("full")
  @Property(tries = 2000)
  void nothingIsLostAndNothingIsGrantedTwice(@ForAll("histories") List<Step> history) {
    assertConserved(history);
  }

  @Property(tries = 150)
  void nothingIsLostInAShortRun(@ForAll("histories") List<Step> history) {
    assertConserved(history);
  }

  private static void assertConserved(List<Step> history) {
    try (var world = new World()) {
      for (Step step : history) {
        world.perform(step);
        world.assertConserved();
      }
    }
  }

  /** A granted hold and the key and time it is counted for. */
  private record OpenHold(Reservation held, Payer key, Instant at, long deadline, boolean ended) {}

  private static final class World implements AutoCloseable {
    private final TestAmbient ambient = TestAmbient.at("2026-11-22T23:00:00Z");
    private final InMemoryCluster cluster = new InMemoryCluster();
    private final List<OpenHold> openHolds = new ArrayList<>();
    private final List<OpenHold> endedHolds =
        new ArrayList<>(); // ended or expired; some are ended again
    private final long[] limits = {500, 400, 900, 300};
    private final List<Posting> unwritten = new ArrayList<>();
    private InMemoryCluster.Node node = cluster.startNode();
    private LedgerFixture fixture = fixture();
    private Instant at = MOMENTS[0];
    private long startNanos = ambient.nanoTime();
    private int entries;
    private int stripe; // the stripe that the next step tries first
    private final Map<List<Payer>, List<Payer>> callers = new HashMap<>();

    private LedgerFixture fixture() {
      return new LedgerFixture(node, ambient, new Stripes(1, 1, () -> stripe)); // two
    }

    private Payer key(int number) {
      return new Payer(
          Payer.Kind.KEY,
          "k" + number,
          List.of(
              new Budget(Period.DAILY, new Usd(limits[0]), false),
              new Budget(Period.WEEKLY, new Usd(limits[1]), true)));
    }

    private Payer account() {
      return Payer.account(
          List.of(
              new Budget(Period.LIFETIME, new Usd(limits[2]), false),
              new Budget(Period.MONTHLY, new Usd(limits[3]), false)));
    }

    void perform(Step step) {
      stripe = step.choice();
      switch (step.action()) {
        case HOLD -> hold(step);
        case SETTLE -> end(step, true);
        case RELEASE -> end(step, false);
        case EXPIRE -> advance(Duration.ofSeconds(HOLD_SECONDS / 2));
        case CRASH -> crash();
        case JUMP -> {
          at = MOMENTS[step.choice() % MOMENTS.length];
          ambient.stepTimeOfDay(Duration.between(ambient.now(), at)); // this expires no hold
        }
        case LIMITS -> limits[step.choice() % limits.length] = 3 * step.amount();
        case STORE_DOWN -> node.down = !node.down;
        case DISK_FULL -> {
          node.full = !node.full;
          advance(Duration.ofMillis(300)); // long enough for the next attempt to write
        }
      }
    }

    private void hold(Step step) {
      Payer key = key(step.key());
      List<Payer> payers = callers.computeIfAbsent(List.of(key, account()), first -> first);
      Charge charge = charge(step);
      long deadline = ambient.nanoTime() + Duration.ofSeconds(HOLD_SECONDS).toNanos();
      switch (fixture.ledger.hold(new Claim(payers, charge, at, deadline))) {
        case Outcome.Granted(Reservation held) -> {
          openHolds.add(new OpenHold(held, key, at, deadline, false));
          assertThat(unwritten).as("lines that are not written when a hold is granted").isEmpty();
          payers.forEach(this::assertFits);
        }
        case Outcome.Refused refused -> assertShort(refused, charge);
        case Outcome.Unavailable down ->
            assertThat(node.full || node.down).as(down.reason()).isTrue();
      }
    }

    private static Charge charge(Step step) {
      return step.byokKey()
          ? new Charge(new Usd(step.amount() / 20), new Usd(step.amount()))
          : Charge.credits(new Usd(step.amount()));
    }

    private void assertFits(Payer payer) {
      for (Budget budget : payer.budgets()) {
        assertThat(settledAndHeld(payer, budget))
            .as("%s %s", payer, budget)
            .isLessThanOrEqualTo(budget.limit().nanos());
      }
    }

    /**
     * Asserts that a refusal is right: the settled and held amounts leave too little of the budget.
     */
    private void assertShort(Outcome.Refused refused, Charge charge) {
      Budget budget = refused.budget();
      assertThat(settledAndHeld(refused.payer(), budget) + PayerGroup.countedAmount(budget, charge))
          .isGreaterThan(budget.limit().nanos());
    }

    private long settledAndHeld(Payer payer, Budget budget) {
      var account = account(payer, budget.period());
      return cluster.settled(account).budgetAmount(budget.withByok()).nanos()
          + unwritten(account).budgetAmount(budget.withByok()).nanos()
          + held(payer, budget.period()).budgetAmount(budget.withByok()).nanos();
    }

    private Posting.Account account(Payer payer, Period period) {
      return new Posting.Account(payer.toString(), period.window(at));
    }

    /** Returns the sum of the lines that this node could not write because the disk is full. */
    private Charge unwritten(Posting.Account account) {
      Charge sum = Charge.ZERO;
      for (Posting posting : node.full ? unwritten : List.<Posting>of()) {
        sum = posting.accounts().contains(account) ? sum.plus(posting.total()) : sum;
      }
      return sum;
    }

    private Charge held(Payer payer, Period period) {
      Charge sum = Charge.ZERO;
      for (OpenHold one : openHolds) {
        boolean paid = payer.kind() == Payer.Kind.ACCOUNT || one.key().id().equals(payer.id());
        boolean now = period.window(one.at()).equals(period.window(at));
        sum = paid && now ? sum.plus(one.held().maxCharge()) : sum;
      }
      return sum;
    }

    private void end(Step step, boolean settle) {
      List<OpenHold> from =
          step.choice() % 5 == 0 ? endedHolds : openHolds; // now and then one that has ended
      if (from.isEmpty()) {
        return;
      }
      OpenHold one = from.get(step.choice() % from.size());
      if (settle) {
        var line =
            new LedgerEntry(
                "gen",
                entries++,
                at,
                "acme",
                "",
                CallRecord.Outcome.COMPLETE,
                Usage.NONE,
                charge(step));
        if (node.full && !one.ended()) {
          unwritten.add(new Posting(List.of(line), accounts(one)));
        }
        one.held().settle(List.of(line));
      } else {
        one.held().release();
      }
      from.remove(one);
      endedHolds.add(new OpenHold(one.held(), one.key(), one.at(), one.deadline(), true));
    }

    private static List<Posting.Account> accounts(OpenHold one) {
      var accounts = new ArrayList<Posting.Account>();
      for (Period period : Period.values()) {
        accounts.add(new Posting.Account(one.key().toString(), period.window(one.at())));
        accounts.add(new Posting.Account("account:default", period.window(one.at())));
      }
      return accounts;
    }

    private void advance(Duration time) {
      ambient.advance(time);
      fixture.ledger.expire();
      for (OpenHold one : List.copyOf(openHolds)) {
        if (second(one.deadline()) < second(ambient.nanoTime())) {
          openHolds.remove(one);
          endedHolds.add(one); // it has not ended: a bill may still come
        }
      }
    }

    private long second(long nanoTime) {
      return Duration.ofNanos(nanoTime - startNanos).toSeconds();
    }

    /** Restarts the node: its memory is lost, written lines are kept, unwritten lines are lost. */
    private void crash() {
      node.kill();
      fixture.ledger.close(); // ends its thread; nothing more is written
      node = cluster.startNode();
      fixture = fixture();
      startNanos = ambient.nanoTime();
      openHolds.clear();
      endedHolds.clear();
      unwritten.clear();
    }

    void assertConserved() {
      if (!node.full) {
        fixture.ledger.retry();
        unwritten.clear();
      }
      assertThat(cluster.duplicateLines()).isEmpty();
      for (Period period : Period.values()) {
        assertConserved(key(0), period);
        assertConserved(key(1), period);
        assertConserved(account(), period);
      }
    }

    private void assertConserved(Payer payer, Period period) {
      if (node.down) {
        return; // without the store the spending of other nodes is unknown
      }
      Balance now = fixture.ledger.balance(payer, period, at);
      Posting.Account account = account(payer, period);
      assertThat(now.held()).as("held in %s", account).isEqualTo(held(payer, period));
      assertThat(now.settled())
          .as("settled in %s", account)
          .isEqualTo(cluster.settled(account).plus(unwritten(account)));
    }

    @Override
    public void close() {
      node.down = false;
      fixture.close();
    }
  }
}
