package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.LedgerStore.Slice;
import io.strowger.spi.store.LedgerStore.SliceRequest;
import io.strowger.spi.store.Posting;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link LedgerStore}: in whatever order nodes request slices, no grant makes
 * the total exceed the budget, and every entry is counted once. The author of a store extends this
 * class and returns the ledgers of three nodes. All tests may share them, since each test uses
 * accounts of its own.
 *
 * <pre>{@code
 * class OurBooksTest extends LedgerStoreContract {
 *   @Override protected LedgerStore node(int number) { return stores.get(number).ledger(); }
 *   @Override protected void awaitVisible(LedgerStore node) { ... }
 *   @Override protected GenerationStore generations(int number) { return stores.get(number).generations(); }
 * }
 * }</pre>
 */
public abstract class LedgerStoreContract {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00.123456Z");
  private static final int NODES = 3;
  private static final long PATIENCE_SECONDS = 30;
  private static final Slice NOTHING = new Slice(Usd.ZERO, Usd.ZERO);

  private final Posting.Account account = account("all");

  private static Posting.Account account(String window) {
    return new Posting.Account("key:" + UUID.randomUUID(), window);
  }

  /**
   * Returns the ledger of a node; opened on the first call. All nodes share one ledger if {@link
   * #isShared}.
   *
   * @param number the number of the node, 0 to 2
   */
  protected abstract LedgerStore node(int number);

  /** Waits until the other nodes see what this node has written. */
  protected abstract void awaitVisible(LedgerStore node);

  /**
   * Returns the generation store of the same node.
   *
   * @param number the number of the node, 0 to 2
   */
  protected abstract GenerationStore generations(int number);

  /**
   * Returns whether nodes share a ledger; true unless overridden. If false, the tests of several
   * nodes are skipped, and a limit that is lowered may lower what is granted, since no other node
   * could be granted the difference.
   */
  protected boolean isShared() {
    return true;
  }

  private static Usd usd(long nanos) {
    return new Usd(nanos);
  }

  private Slice requestSlice(int node, long limit, long minGrant, long desiredGrant) {
    return node(node)
        .requestSlice(
            new SliceRequest(account, false, usd(limit), usd(minGrant), usd(desiredGrant)));
  }

  /** Lets a node retain this much of its grant and return the rest to the store. */
  private void shrinkGrantTo(int node, long retained) {
    node(node).returnUnused(account, false, usd(retained));
  }

  private static Posting posting(String generation, Charge charge, Posting.Account... accounts) {
    var entry =
        new LedgerEntry(
            generation,
            0,
            NOON,
            "acme/large",
            "",
            CallRecord.Outcome.COMPLETE,
            Given.usage(10, 5),
            charge);
    return new Posting(List.of(entry), List.of(accounts));
  }

  private void spend(int node, long credits) {
    node(node).append(posting("gen-" + UUID.randomUUID(), Charge.credits(usd(credits)), account));
  }

  private LedgerStore.SpendingElsewhere spendingElsewhere(int node, Posting.Account asked) {
    return Objects.requireNonNull(node(node).spendingElsewhere(List.of(asked)).get(asked));
  }

  @Test
  @DisplayName("grants at least what is needed and at most the limit")
  void grants() {
    Slice slice = requestSlice(0, 1000, 10, 100);
    assertThat(slice.granted().nanos()).isBetween(10L, 1000L);
    assertThat(slice.granted().plus(slice.unallocated())).isEqualTo(usd(1000));
  }

  @Test
  @DisplayName("a repeated request gets the same answer")
  void repeated() {
    Slice first = requestSlice(0, 1000, 10, 100);
    assertThat(requestSlice(0, 1000, 10, 100)).isEqualTo(first);
    assertThat(requestSlice(0, 1000, 5, 7)).as("a request for less").isEqualTo(first);
  }

  @Test
  @DisplayName("grants at most the limit, whatever is requested")
  void all() {
    assertThat(requestSlice(0, 1000, 1000, 5000)).isEqualTo(new Slice(usd(1000), Usd.ZERO));
    assertThat(requestSlice(0, 1000, 1001, 5000)).isEqualTo(new Slice(usd(1000), Usd.ZERO));
  }

  @Test
  @DisplayName("grants nothing under a limit of zero to a node that was granted nothing before")
  void zeroLimit() {
    assertThat(requestSlice(0, 0, 0, 5000)).isEqualTo(NOTHING);
    assertThat(requestSlice(0, 0, 10, 5000)).isEqualTo(NOTHING);
  }

  @Test
  @DisplayName("grants nothing under a limit of zero to a node that returned its slice")
  void zeroLimitAfterReturn() {
    requestSlice(0, 1000, 1000, 1000);
    shrinkGrantTo(0, 0);
    assertThat(requestSlice(0, 0, 0, 5000)).isEqualTo(NOTHING);
  }

  @Test
  @DisplayName("grants nothing more to a node after the limit was lowered to zero")
  void nothingMoreUnderZero() {
    requestSlice(0, 1000, 1000, 1000);
    var unchanged = new Slice(usd(1000), usd(-1000));
    // a store of a single node may also take the grant back: see isShared
    assertThat(requestSlice(0, 0, 0, 5000)).isIn(unchanged, NOTHING);
    assertThat(requestSlice(0, 0, 1001, 5000)).isIn(unchanged, NOTHING);
  }

  @Test
  @DisplayName("takes nothing back from a node after the limit was lowered to zero")
  void nothingTakenBackUnderZero() {
    assumeTrue(isShared());
    requestSlice(0, 1000, 10, 800);
    var unchanged = new Slice(usd(800), usd(-800));
    assertThat(requestSlice(0, 0, 0, 5000)).isEqualTo(unchanged);
    assertThat(requestSlice(0, 0, 801, 5000)).isEqualTo(unchanged);
    assertThat(requestSlice(1, 0, 0, 5000)).isEqualTo(new Slice(Usd.ZERO, usd(-800)));
  }

  @Test
  @DisplayName("grants more after a limit was raised")
  void raised() {
    requestSlice(0, 1000, 1000, 1000);
    assertThat(requestSlice(0, 3000, 2500, 2500).granted().nanos()).isBetween(2500L, 3000L);
  }

  @Test
  @DisplayName("keeps accounts, windows, and budgets with and without BYOK keys apart")
  void apart() {
    requestSlice(0, 1000, 1000, 1000);
    for (Posting.Account other :
        List.of(account("all"), new Posting.Account(account.payer(), "2026-11-21"))) {
      Slice slice =
          node(0).requestSlice(new SliceRequest(other, false, usd(1000), usd(1000), usd(1000)));
      assertThat(slice.granted()).isEqualTo(usd(1000));
    }
    Slice both =
        node(0).requestSlice(new SliceRequest(account, true, usd(1000), usd(1000), usd(1000)));
    assertThat(both.granted()).isEqualTo(usd(1000));
  }

  @Test
  @DisplayName("reports and releases no lost node while all nodes are alive")
  void nobodyGone() {
    requestSlice(0, 1000, 10, 100);
    assertThat(node(0).lostNodes()).isEmpty();
    assertThat(node(0).release("nobody")).isFalse();
    assertThat(node(0).release("")).isFalse();
  }

  @Test
  @DisplayName("does not count a node's own spending as spent by other nodes")
  void ownSpending() {
    spend(0, 5);
    awaitVisible(node(0));
    assertThat(spendingElsewhere(0, account)).isEqualTo(LedgerStore.SpendingElsewhere.NOTHING);
  }

  @Test
  @DisplayName(
      "a record appended with entries is found at once, and by other nodes once it is visible")
  void records() {
    String prefix = "gen-" + UUID.randomUUID() + "-";
    var kept = new ArrayList<Generation>();
    for (int i = 0; i < 20; i++) {
      byte[] content = i % 5 == 0 ? "{\"said\":1}".getBytes(StandardCharsets.UTF_8) : null;
      var record = new Generation(prefix + i, "owner", NOON, new byte[] {1, 0, (byte) i}, content);
      Posting posting = posting(record.id(), Charge.credits(usd(i)), account);
      node(0).append(new Posting(posting.entries(), posting.accounts(), record));
      assertThat(generations(0).find(record.id())).isEqualTo(record);
      kept.add(record);
    }
    awaitVisible(node(0));
    for (Generation record : kept) {
      assertThat(generations(0).find(record.id())).isEqualTo(record);
      if (isShared()) {
        assertThat(generations(1).find(record.id())).isEqualTo(record);
      }
    }
    assertThat(generations(0).find(prefix + "20")).isNull();
    if (isShared()) {
      assertThat(spendingElsewhere(1, account).charge()).isEqualTo(Charge.credits(usd(190)));
    }
  }

  @Test
  @DisplayName("keeps the last record of an id, whether it was appended or saved")
  void recordsInPlaceOfOthers() {
    String id = "gen-" + UUID.randomUUID();
    for (int i = 0; i < 20; i++) {
      var record = new Generation(id, "owner", NOON, new byte[] {(byte) i}, null);
      if (i % 3 == 1) {
        generations(0).save(record);
      } else {
        Posting posting = posting(id, Charge.ZERO, account);
        node(0).append(new Posting(posting.entries(), posting.accounts(), record));
      }
      assertThat(generations(0).find(id)).isEqualTo(record);
      if (i == 9) {
        awaitVisible(node(0));
      }
    }
    awaitVisible(node(0));
    var last = new Generation(id, "owner", NOON, new byte[] {19}, null);
    assertThat(generations(0).find(id)).isEqualTo(last);
    assertThat(generations(isShared() ? 1 : 0).find(id)).isEqualTo(last);
  }

  @Test
  @DisplayName("other nodes see what a node spent, every entry once")
  void seenByOthers() {
    assumeTrue(isShared());
    for (int i = 1; i <= 20; i++) {
      spend(i % 2, i);
    }
    for (int again = 0; again < 3; again++) {
      awaitVisible(node(0));
      awaitVisible(node(1));
    }
    var charge = Charge.credits(usd(210));
    assertThat(spendingElsewhere(2, account))
        .isEqualTo(new LedgerStore.SpendingElsewhere(charge, NOON));
    assertThat(spendingElsewhere(0, account).charge()).isEqualTo(Charge.credits(usd(100)));
  }

  @Test
  @DisplayName("counts an entry in every account of its posting, credits and BYOK keys apart")
  void accounts() {
    assumeTrue(isShared());
    Posting.Account other = account("2026-W47");
    node(0).append(posting("gen-1", new Charge(usd(3), usd(70)), account, other));
    awaitVisible(node(0));
    for (Posting.Account each : List.of(account, other)) {
      assertThat(spendingElsewhere(1, each).charge()).isEqualTo(new Charge(usd(3), usd(70)));
    }
  }

  @Test
  @DisplayName("returns the spending of many accounts at once, and of no others")
  void manyAccounts() {
    Posting.Account day = new Posting.Account(account.payer(), "2026-11-21");
    Posting.Account other = account("all");
    Posting.Account unused = new Posting.Account(other.payer(), "2026-11-21");
    node(0).append(posting("gen-1", Charge.credits(usd(3)), account, day));
    node(0).append(posting("gen-2", Charge.credits(usd(40)), account, other));
    awaitVisible(node(0));
    Map<Posting.Account, LedgerStore.SpendingElsewhere> found =
        node(1).spendingElsewhere(List.of(account, other, unused, account));
    assertThat(found).containsOnlyKeys(account, other, unused);
    assertThat(found.get(unused)).isEqualTo(LedgerStore.SpendingElsewhere.NOTHING);
    if (isShared()) {
      assertThat(found.get(account))
          .extracting(LedgerStore.SpendingElsewhere::charge)
          .isEqualTo(Charge.credits(usd(43)));
      assertThat(found.get(other))
          .extracting(LedgerStore.SpendingElsewhere::charge)
          .isEqualTo(Charge.credits(usd(40)));
    }
    assertThat(node(1).spendingElsewhere(List.of())).isEmpty();
  }

  @Test
  @DisplayName("grants a node only what other nodes were not granted, and says what is left")
  void shares() {
    assumeTrue(isShared());
    assertThat(requestSlice(0, 1000, 10, 600)).isEqualTo(new Slice(usd(600), usd(400)));
    assertThat(requestSlice(1, 1000, 10, 600)).isEqualTo(new Slice(usd(400), Usd.ZERO));
    assertThat(requestSlice(2, 1000, 1, 1)).isEqualTo(NOTHING);
    assertThat(requestSlice(0, 1000, 10, 900)).isEqualTo(new Slice(usd(600), Usd.ZERO));
  }

  @Test
  @DisplayName("grants nothing to a node that needs more than is left, and leaves it for others")
  void notEnough() {
    assumeTrue(isShared());
    requestSlice(0, 1000, 10, 900);
    assertThat(requestSlice(1, 1000, 200, 300)).isEqualTo(new Slice(Usd.ZERO, usd(100)));
    assertThat(requestSlice(2, 1000, 100, 300)).isEqualTo(new Slice(usd(100), Usd.ZERO));
  }

  @Test
  @DisplayName("grants to other nodes what a node returned; a repeated return has no effect")
  void returned() {
    assumeTrue(isShared());
    requestSlice(0, 1000, 10, 1000);
    shrinkGrantTo(0, 300);
    shrinkGrantTo(0, 300);
    shrinkGrantTo(0, 800); // no effect: the node has only 300
    assertThat(requestSlice(1, 1000, 700, 1000).granted()).isEqualTo(usd(700));
    assertThat(requestSlice(0, 1000, 0, 0)).isEqualTo(new Slice(usd(300), Usd.ZERO));
    shrinkGrantTo(1, 0);
    assertThat(requestSlice(0, 1000, 1000, 1000).granted()).isEqualTo(usd(1000));
  }

  @Test
  @DisplayName("does not grant the amount that a node spent beyond its grant")
  void overrun() {
    assumeTrue(isShared());
    requestSlice(0, 1000, 100, 100);
    spend(0, 450);
    awaitVisible(node(0));
    assertThat(requestSlice(1, 1000, 10, 1000).granted()).isEqualTo(usd(550));
    assertThat(requestSlice(0, 1000, 10, 10).unallocated()).isEqualTo(Usd.ZERO);
  }

  @Test
  @DisplayName("counts spending with BYOK keys only for budgets that include it")
  void byok() {
    assumeTrue(isShared());
    node(0).append(posting("gen-1", new Charge(usd(10), usd(200)), account));
    awaitVisible(node(0));
    assertThat(requestSlice(1, 1000, 0, 1000).granted()).isEqualTo(usd(990));
    Slice both =
        node(1).requestSlice(new SliceRequest(account, true, usd(1000), Usd.ZERO, usd(1000)));
    assertThat(both.granted()).isEqualTo(usd(790));
  }

  @Test
  @DisplayName(
      "after a limit was lowered: says by how much it is exceeded, and grants nothing more")
  void lowered() {
    assumeTrue(isShared());
    requestSlice(0, 1000, 10, 800);
    assertThat(requestSlice(0, 500, 10, 800)).isEqualTo(new Slice(usd(800), usd(-300)));
    assertThat(requestSlice(1, 500, 1, 100)).isEqualTo(new Slice(Usd.ZERO, usd(-300)));
  }

  @Test
  @DisplayName("grants at most the limit, and nearly all of it, to nodes that ask concurrently")
  void concurrently() throws Exception {
    assumeTrue(isShared());
    for (int node = 0; node < NODES; node++) {
      node(node); // opens it before the threads start
    }
    long step = 10;
    var tasks = new ArrayList<FutureTask<Long>>();
    for (int node = 0; node < NODES; node++) {
      int asking = node;
      Callable<Long> ask =
          () -> {
            long granted = 0;
            for (int i = 1; i <= 40; i++) {
              granted = requestSlice(asking, 1000, i * step, i * step + 7).granted().nanos();
            }
            return granted;
          };
      var task = new FutureTask<>(ask);
      tasks.add(task);
      Thread.ofVirtual().start(task);
    }
    long sum = 0;
    for (FutureTask<Long> task : tasks) {
      sum += task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
    // a request needs at most one step more than its node has, so it fails only if less is left
    assertThat(sum).isLessThanOrEqualTo(1000).isGreaterThan(1000 - step);
  }
}
