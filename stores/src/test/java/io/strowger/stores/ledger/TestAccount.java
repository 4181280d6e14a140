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

/** An account from which a test spends. */
record TestAccount(Posting.Account account) {
  static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  static TestAccount fresh() {
    return in("all");
  }

  static TestAccount in(String window) {
    return new TestAccount(new Posting.Account("key:" + UUID.randomUUID(), window));
  }

  /** Requests a slice of a budget, and returns the total that this node was granted. */
  long requestSlice(LedgerStore node, long limit, long amount) {
    var request =
        new LedgerStore.SliceRequest(account, false, new Usd(limit), Usd.ZERO, new Usd(amount));
    return node.requestSlice(request).granted().nanos();
  }

  void spend(LedgerStore node, long amount) {
    node.append(posting(amount, null));
  }

  /** Returns a posting of an amount, with the record of the request. */
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

  /** Returns the spending of a node that spent this amount at noon, in this account only. */
  SortedMap<Posting.Account, NodeSpending.Sum> spendingOf(long amount) {
    var sums = NodeSpending.sums();
    sums.put(account, new NodeSpending.Sum(Charge.credits(new Usd(amount)), NOON));
    return sums;
  }

  /** Returns what all other nodes are known to have spent. */
  long spentElsewhere(LedgerStore node) {
    return Objects.requireNonNull(node.spendingElsewhere(List.of(account)).get(account))
        .charge()
        .credits()
        .nanos();
  }
}
