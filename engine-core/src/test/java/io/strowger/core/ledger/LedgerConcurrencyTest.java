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
 * Checks operations of two threads, interleaved at every access to memory: in every order and after
 * every step no limit is exceeded by grants, and in the end every nanodollar is accounted for
 * exactly once.
 */
@Tag("full")
@Tag("model-check")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
@Isolated("classes are instrumented while it runs")
@DisplayName("Whatever the order of the steps of two threads,")
public class LedgerConcurrencyTest {
  private static ModelCheckingOptions options(int actors) {
    return new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(actors)
        .actorsBefore(0)
        .actorsAfter(0)
        .verifier(EpsilonVerifier.class) // results may differ; this test has its own checks
        .addGuarantee(
            forClasses(
                    Day.class.getName(),
                    DayWindows.class.getName(),
                    DayAccounts.class.getName(),
                    LocalSlice.class.getName(),
                    StripeTally.class.getName(),
                    Window.class.getName())
                .allMethods()
                .treatAsAtomic()) // used under a lock only, so the order of locks is tried
        .addGuarantee(forClasses(Books.class.getName()).allMethods().treatAsAtomic())
        .addGuarantee(forClasses(CheckedLedger.class.getName()).methods("check").treatAsAtomic());
  }

  @Test
  @DisplayName("a hold ends once, by a bill, a release or expiry, and a bill is counted once")
  void ends() {
    options(1).iterations(12).invocationsPerIteration(60).check(EndSteps.class);
  }

  @Test
  @DisplayName(
      "holds under old and new limits and their bills never exceed a limit and lose no money")
  void holds() {
    options(1).iterations(6).invocationsPerIteration(200).check(HoldSteps.class);
  }

  @Test
  @DisplayName(
      "the part dealt to a stripe is never spent twice, by the stripe and from the whole budget")
  void deals() {
    options(1).iterations(8).invocationsPerIteration(100).check(DealSteps.class);
  }

  /** The steps of two threads that both end one hold. */
  @Param(name = "bill", gen = IntGen.class, conf = "1:5")
  public static class EndSteps {
    private final CheckedLedger ledger = new CheckedLedger();

    /** Creates the hold to be ended. */
    public EndSteps() {
      ledger.hold(0, 3, CheckedLedger.KEY_LIMIT);
    }

    @Operation
    public void settle(@Param(name = "bill") int bill) {
      ledger.settle(0, bill);
    }

    @Operation
    public void release() {
      ledger.granted.get(0).release();
    }

    @Operation
    public void expire() {
      ledger.granted.get(0).expire();
    }

    @Validate
    public void balanced() {
      ledger.assertBalanced();
    }
  }

  /** The steps of holds by two keys whose account cannot cover all holds. */
  @Param(name = "key", gen = IntGen.class, conf = "0:1")
  @Param(name = "amount", gen = IntGen.class, conf = "4:6")
  public static class HoldSteps {
    private final CheckedLedger ledger = new CheckedLedger();

    @Operation
    public void hold(@Param(name = "key") int key, @Param(name = "amount") int amount) {
      ledger.hold(key, amount, CheckedLedger.KEY_LIMIT);
    }

    @Operation
    public void holdUnderALowerLimit(
        @Param(name = "key") int key, @Param(name = "amount") int amount) {
      ledger.hold(key, amount, CheckedLedger.KEY_LIMIT - 1);
    }

    @Operation
    public void settleFirst(@Param(name = "amount") int amount) {
      if (!ledger.granted.isEmpty()) {
        ledger.settle(0, amount);
      }
    }

    @Validate
    public void balanced() {
      ledger.assertBalanced();
    }
  }

  /** The steps of small holds, most of which are covered by the part dealt to a stripe. */
  @Param(name = "amount", gen = IntGen.class, conf = "1:3")
  @Param(name = "bill", gen = IntGen.class, conf = "0:4")
  public static class DealSteps {
    private final CheckedLedger ledger = new CheckedLedger();

    /**
     * Creates a hold, after which the rest is dealt: to each stripe 2 of the key and 4 of the
     * account.
     */
    public DealSteps() {
      ledger.hold(0, 1, CheckedLedger.KEY_LIMIT);
    }

    @Operation
    public void hold(@Param(name = "amount") int amount) {
      ledger.hold(0, amount, CheckedLedger.KEY_LIMIT);
    }

    @Operation
    public void holdUnderALowerLimit(@Param(name = "amount") int amount) {
      ledger.hold(0, amount, CheckedLedger.KEY_LIMIT - 1);
    }

    /**
     * Holds on the next day, on which the key's daily budget begins anew and the account's does
     * not.
     */
    @Operation
    public void holdOnTheNextDay(@Param(name = "amount") int amount) {
      ledger.hold(0, amount, CheckedLedger.KEY_LIMIT, CheckedLedger.NOW.plus(Duration.ofDays(1)));
    }

    @Operation
    public void settle(@Param(name = "bill") int bill) {
      ledger.settle(0, bill);
    }

    @Operation
    public void release() {
      ledger.granted.get(0).release();
    }

    @Validate
    public void balanced() {
      ledger.assertBalanced();
    }
  }

  /** A ledger with all holds that it granted, whose amounts are checked after each step. */
  private static final class CheckedLedger {
    static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    static final long KEY_LIMIT = 6;
    private static final long ACCOUNT_LIMIT = 9;

    private final Queue<Posting> written = new ConcurrentLinkedQueue<>();
    private final BookLedger ledger =
        new BookLedger(
            new RecordingStore(written),
            new FrozenAmbient(),
            new Stripes(1, 1, () -> Thread.currentThread().threadId())); // two stripes
    private final Map<Payer, List<Payer>> payers = new ConcurrentHashMap<>(); // the same instances
    final List<ActiveHold> granted = new CopyOnWriteArrayList<>();
    private volatile String violation = "";

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
              LedgerFixture.FAR_DEADLINE);
      if (ledger.hold(claim) instanceof Outcome.Granted yes) {
        granted.add((ActiveHold) yes.reservation());
      }
      check(key(key, KEY_LIMIT), Period.DAILY, KEY_LIMIT);
      check(account(), Period.LIFETIME, ACCOUNT_LIMIT);
    }

    /**
     * Records a violation when grants exceed the limit. Overruns are subtracted, since the ledger
     * cannot prevent upstreams from billing more than was held.
     */
    private void check(Payer payer, Period period, long limit) {
      Balance now = ledger.balance(payer, period, NOW);
      long granted = now.settled().plus(now.held()).credits().nanos() - now.overrun().nanos();
      if (granted > limit || now.held().credits().nanos() < 0) {
        violation = payer + " has the amounts " + now;
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

    /**
     * Asserts that the books agree with the lines and with each other when no operation is running.
     */
    void assertBalanced() {
      Balance accountBalance = ledger.balance(account(), Period.LIFETIME, NOW);
      Balance firstKey = ledger.balance(key(0, KEY_LIMIT), Period.LIFETIME, NOW);
      Balance secondKey = ledger.balance(key(1, KEY_LIMIT), Period.LIFETIME, NOW);
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
      boolean noDuplicates = generations.size() == written.size();
      if (!violation.isEmpty()
          || !noDuplicates
          || accountBalance.settled().credits().nanos() != lines
          || accountBalance.held().credits().nanos() != open
          || !firstKey.settled().plus(secondKey.settled()).equals(accountBalance.settled())
          || !firstKey.held().plus(secondKey.held()).equals(accountBalance.held())) {
        throw new IllegalStateException(
            violation + "; " + accountBalance + " with lines of " + lines);
      }
    }
  }

  /** A store that grants whole limits and keeps the lines in memory. */
  private record RecordingStore(Queue<Posting> lines) implements LedgerStore {
    @Override
    public Slice requestSlice(SliceRequest ask) {
      return new Slice(ask.limit(), Usd.ZERO);
    }

    @Override
    public void returnUnused(Posting.Account account, boolean includeByok, Usd retained) {
      // there is no other node that could use it
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

  /** An ambient whose time stands still and which starts no threads. */
  private static final class FrozenAmbient implements Ambient {
    @Override
    public Instant now() {
      return CheckedLedger.NOW;
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
      throw new UnsupportedOperationException("the test must not sleep");
    }

    /**
     * Runs requests to the ledger's store on the calling thread, since only the order of the two
     * threads is tested.
     */
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
