package io.strowger.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Counter;
import io.strowger.spi.store.Hold;
import io.strowger.spi.store.Ledger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Conservation: at every step of any history, nothing is granted beyond a limit and every nano is
 * accounted for.
 */
class MemoryLedgerProperties {
  private static final long KEY_LIMIT = 500;
  private static final long ACCOUNT_LIMIT = 1200;

  /**
   * A hold of this size by one of three keys, or the settlement of the hold taken that many steps
   * ago.
   */
  record Step(boolean hold, int key, long amount, int which) {}

  @Provide
  Arbitrary<List<Step>> histories() {
    return Combinators.combine(
            Arbitraries.of(true, true, false),
            Arbitraries.integers().between(0, 2),
            Arbitraries.longs().between(0, 300),
            Arbitraries.integers().between(0, 20))
        .as(Step::new)
        .list()
        .ofMaxSize(120);
  }

  @Property
  void settledAndHeldNeverPassTheLimitWhenAHoldIsGranted(@ForAll("histories") List<Step> history) {
    var ledger = new MemoryLedger();
    var open = new ArrayList<Hold>();
    long billed = 0;
    for (Step step : history) {
      if (step.hold()) {
        var counters =
            List.of(
                new Counter("key:" + step.key(), "all", new Usd(KEY_LIMIT)),
                new Counter("account", "all", new Usd(ACCOUNT_LIMIT)));
        if (ledger.hold(counters, new Usd(step.amount()), Instant.MAX)
            instanceof Ledger.Outcome.Granted granted) {
          open.add(granted.hold());
          assertThat(sum(ledger.balance("key:" + step.key(), "all")))
              .isLessThanOrEqualTo(KEY_LIMIT);
          assertThat(sum(ledger.balance("account", "all"))).isLessThanOrEqualTo(ACCOUNT_LIMIT);
        }
      } else if (!open.isEmpty()) {
        open.remove(step.which() % open.size()).settle(new Usd(step.amount()));
        billed += step.amount();
      }
      conserved(ledger, open, billed);
    }
  }

  private static void conserved(MemoryLedger ledger, List<Hold> open, long billed) {
    long held = open.stream().mapToLong(hold -> hold.amount().nanos()).sum();
    Ledger.Balance account = ledger.balance("account", "all");
    assertThat(account.held().nanos()).isEqualTo(held);
    assertThat(account.settled().nanos()).isEqualTo(billed);
    long keys = 0;
    for (int key = 0; key < 3; key++) {
      keys += sum(ledger.balance("key:" + key, "all"));
    }
    assertThat(keys).isEqualTo(held + billed);
  }

  private static long sum(Ledger.Balance balance) {
    return balance.settled().nanos() + balance.held().nanos();
  }
}
