package io.strowger.core.ledger;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.strowger.core.ledger.Ledger.Balance;
import io.strowger.core.ledger.Ledger.Claim;
import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Operations of two threads, interleaved at every access to memory: at every step of every order
 * nothing is granted beyond a limit, and in the end every nano is accounted for, once.
 */
@Tag("full")
@Tag("model-check")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
@Isolated("classes are instrumented while it runs")
@DisplayName("Whatever the order of two threads' steps,")
public class LedgerConcurrencyTest {
  private static ModelCheckingOptions options(int actors) {
    return new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(actors)
        .actorsBefore(0)
        .actorsAfter(0)
        .verifier(EpsilonVerifier.class) // any order will do: what must hold is checked here
        .addGuarantee(
            forClasses(
                    Day.class.getName(),
                    DayWindows.class.getName(),
                    DayAccounts.class.getName(),
                    LocalSlice.class.getName(),
                    StripeTally.class.getName(),
                    Window.class.getName())
                .allMethods()
                .treatAsAtomic()) // only ever used under a lock: what is tried is the order of
        // locks
        .addGuarantee(forClasses(Books.class.getName()).allMethods().treatAsAtomic())
        .addGuarantee(forClasses(Counter.class.getName()).methods("check").treatAsAtomic());
  }

  @Test
  @DisplayName("a hold ends once: by a bill, a release or expiry, and a bill is booked once")
  void ends() {
    options(1).iterations(12).invocationsPerIteration(60).check(EndSteps.class);
  }

  @Test
  @DisplayName("holds under old and new limits, and their bills, never overshoot and lose nothing")
  void holds() {
    options(1).iterations(6).invocationsPerIteration(200).check(HoldSteps.class);
  }

  @Test
  @DisplayName("what a stripe was dealt is never spent beside what others take from the whole")
  void deals() {
    options(1).iterations(8).invocationsPerIteration(100).check(DealSteps.class);
  }

  /** One hold that both threads end. */
  @Param(name = "bill", gen = IntGen.class, conf = "1:5")
  public static class EndSteps {
    private final Counter counter = new Counter();

    /** Begins with something to end. */
    public EndSteps() {
      counter.hold(0, 3, Counter.KEY_LIMIT);
    }

    @Operation
    public void settle(@Param(name = "bill") int bill) {
      counter.settle(0, bill);
    }

    @Operation
    public void release() {
      counter.granted.get(0).release();
    }

    @Operation
    public void expire() {
      counter.granted.get(0).expire();
    }

    @Validate
    public void balanced() {
      counter.assertBalanced();
    }
  }

  /** Two keys of an account that cannot pay for all of them. */
  @Param(name = "key", gen = IntGen.class, conf = "0:1")
  @Param(name = "amount", gen = IntGen.class, conf = "4:6")
  public static class HoldSteps {
    private final Counter counter = new Counter();

    @Operation
    public void hold(@Param(name = "key") int key, @Param(name = "amount") int amount) {
      counter.hold(key, amount, Counter.KEY_LIMIT);
    }

    @Operation
    public void holdUnderALowerLimit(
        @Param(name = "key") int key, @Param(name = "amount") int amount) {
      counter.hold(key, amount, Counter.KEY_LIMIT - 1);
    }

    @Operation
    public void settleFirst(@Param(name = "amount") int amount) {
      if (!counter.granted.isEmpty()) {
        counter.settle(0, amount);
      }
    }

    @Validate
    public void balanced() {
      counter.assertBalanced();
    }
  }

  /**
   * Small holds, so that most come out of what a stripe was dealt, and some have to look further.
   */
  @Param(name = "amount", gen = IntGen.class, conf = "1:3")
  @Param(name = "bill", gen = IntGen.class, conf = "0:4")
  public static class DealSteps {
    private final Counter counter = new Counter();

    /** Begins with what is left dealt: 2 of the key and 4 of the account to each stripe. */
    public DealSteps() {
      counter.hold(0, 1, Counter.KEY_LIMIT);
    }

    @Operation
    public void hold(@Param(name = "amount") int amount) {
      counter.hold(0, amount, Counter.KEY_LIMIT);
    }

    @Operation
    public void holdUnderALowerLimit(@Param(name = "amount") int amount) {
      counter.hold(0, amount, Counter.KEY_LIMIT - 1);
    }

    /** The key starts at nothing, the account does not. */
    @Operation
    public void holdOnTheNextDay(@Param(name = "amount") int amount) {
      counter.hold(0, amount, Counter.KEY_LIMIT, Counter.NOW.plus(Duration.ofDays(1)));
    }

    @Operation
    public void settle(@Param(name = "bill") int bill) {
      counter.settle(0, bill);
    }

    @Operation
    public void release() {
      counter.granted.get(0).release();
    }

    @Validate
    public void balanced() {
      counter.assertBalanced();
    }
  }

  /** A ledger and all that was ever granted by it. */
  private static final class Counter {
    static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    static final long KEY_LIMIT = 6;
    private static final long ACCOUNT_LIMIT = 9;

    private final Queue<Posting> written = new ConcurrentLinkedQueue<>();
    private final BookLedger ledger =
        new BookLedger(
            new Written(written),
            new Still(),
            new Stripes(1, 1, () -> Thread.currentThread().threadId())); // two
    private final Map<Payer, List<Payer>> payers = new ConcurrentHashMap<>(); // the same each time
    final List<ActiveHold> granted = new CopyOnWriteArrayList<>();
    private volatile String wrong = "";

    private static Payer key(int number, long limit) {
      return new Payer(
          Payer.Kind.KEY, "k" + number, List.of(new Budget(Period.DAILY, new Usd(limit), false)));
    }

    private static Payer account() {
      return Payer.account(List.of(new Budget(Period.LIFETIME, new Usd(ACCOUNT_LIMIT), false)));
    }

    void hold(int key, long amount, long limit) {
      hold(key, amount, limit, NOW);
    }

    void hold(int key, long amount, long limit, Instant at) {
      var claim =
          new Claim(
              payers.computeIfAbsent(key(key, limit), who -> List.of(who, account())),
              Charge.credits(new Usd(amount)),
              at,
              Till.FAR);
      if (ledger.hold(claim) instanceof Outcome.Granted yes) {
        granted.add((ActiveHold) yes.reservation());
      }
      check(key(key, KEY_LIMIT), Period.DAILY, KEY_LIMIT);
      check(account(), Period.LIFETIME, ACCOUNT_LIMIT);
    }

    /** What upstreams billed beyond their holds is not the ledger's to prevent. */
    private void check(Payer payer, Period period, long limit) {
      Balance now = ledger.balance(payer, period, NOW);
      long granted = now.settled().plus(now.held()).credits().nanos() - now.overrun().nanos();
      if (granted > limit || now.held().credits().nanos() < 0) {
        wrong = payer + " stands at " + now;
      }
    }

    void settle(int which, long bill) {
      granted
          .get(which)
          .settle(
              List.of(
                  new LedgerEntry(
                      "gen-" + which,
                      0,
                      NOW,
                      "acme",
                      "",
                      CallRecord.Outcome.COMPLETE,
                      Usage.NONE,
                      Charge.credits(new Usd(bill)))));
      check(account(), Period.LIFETIME, ACCOUNT_LIMIT);
    }

    /** Nobody is under way any more: the books agree with the lines and with each other. */
    void assertBalanced() {
      Balance whole = ledger.balance(account(), Period.LIFETIME, NOW);
      Balance one = ledger.balance(key(0, KEY_LIMIT), Period.LIFETIME, NOW);
      Balance other = ledger.balance(key(1, KEY_LIMIT), Period.LIFETIME, NOW);
      // no streams: their code would be interleaved too, which takes most of the time
      long lines = 0;
      var generations = new HashSet<String>();
      for (Posting line : written) {
        lines += line.total().credits().nanos();
        generations.add(line.entries().getFirst().generation());
      }
      long open = 0;
      for (ActiveHold activeHold : granted) {
        open += activeHold.isOpen() ? activeHold.maxCharge().credits().nanos() : 0;
      }
      boolean once = generations.size() == written.size();
      if (!wrong.isEmpty()
          || !once
          || whole.settled().credits().nanos() != lines
          || whole.held().credits().nanos() != open
          || !one.settled().plus(other.settled()).equals(whole.settled())
          || !one.held().plus(other.held()).equals(whole.held())) {
        throw new IllegalStateException(wrong + "; " + whole + " with lines of " + lines);
      }
    }
  }

  /** Grants whole limits and keeps lines. */
  private record Written(Queue<Posting> lines) implements LedgerStore {
    @Override
    public Slice requestSlice(SliceRequest ask) {
      return new Slice(ask.limit(), Usd.ZERO);
    }

    @Override
    public void returnUnused(Posting.Account account, boolean withByok, Usd keep) {
      // nobody else could use it
    }

    @Override
    public void append(Posting posting) {
      lines.add(posting);
    }

    @Override
    public Map<Posting.Account, SpendingElsewhere> spendingElsewhere(
        Collection<Posting.Account> accounts) {
      return Map.of();
    }

    @Override
    public List<LostNode> lostNodes() {
      return List.of();
    }

    @Override
    public boolean release(String node) {
      return false;
    }
  }

  /** Time that stands still, and no threads but the two. */
  private static final class Still implements Ambient {
    @Override
    public Instant now() {
      return Counter.NOW;
    }

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public long seed() {
      return 0;
    }

    @Override
    public void sleep(Duration time) {
      throw new UnsupportedOperationException("nobody sleeps here");
    }

    /** Whoever waits for an answer asks for it himself: what is tried is the order of two. */
    @Override
    public Thread start(String name, Runnable task) {
      if (name.equals("strowger-ledger-ask")) {
        task.run();
      }
      return Thread.ofVirtual().name(name).unstarted(task);
    }

    @Override
    public Thread startService(String name, Runnable task) {
      return start(name, task);
    }
  }
}
