package io.strowger.stores.ledger;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One account, and what a test does with it. */
record TestAccount(Posting.Account account) {
  static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  static TestAccount fresh() {
    return in("all");
  }

  static TestAccount in(String window) {
    return new TestAccount(new Posting.Account("key:" + UUID.randomUUID(), window));
  }

  /** What is granted in all, of a limit, when so much is asked for. */
  long lease(LedgerStore node, long limit, long want) {
    var ask = new LedgerStore.SliceRequest(account, false, new Usd(limit), Usd.ZERO, new Usd(want));
    return node.requestSlice(ask).granted().nanos();
  }

  void spend(LedgerStore node, long amount) {
    node.append(posting(amount, null));
  }

  /** What is spent, with what is known of the request. */
  Posting posting(long amount, @Nullable Generation record) {
    var entry =
        new LedgerEntry(
            "gen-" + UUID.randomUUID(),
            0,
            NOON,
            "acme/large",
            "",
            CallRecord.Outcome.COMPLETE,
            Usage.NONE,
            Charge.credits(new Usd(amount)));
    return new Posting(List.of(entry), List.of(account), record);
  }

  /** So much, spent at noon, in this account. */
  SortedMap<Posting.Account, NodeSpending.Sum> sum(long amount) {
    var sums = NodeSpending.sums();
    sums.put(account, new NodeSpending.Sum(Charge.credits(new Usd(amount)), NOON));
    return sums;
  }

  /** What everybody but this node is known to have spent. */
  long spentElsewhere(LedgerStore node) {
    return Objects.requireNonNull(node.spendingElsewhere(List.of(account)).get(account))
        .charge()
        .credits()
        .nanos();
  }
}
