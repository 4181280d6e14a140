package io.strowger.stores.ledger;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Posting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** What is true of the money of several tills, whatever their books say. */
final class Truth {
  /** What is limited. */
  record Limited(Posting.Account account, boolean withByok) {}

  private final List<Paid> all = new ArrayList<>();
  private final List<Paid> lost = new ArrayList<>(); // with the journals of those that are gone
  private final Map<Limited, Long> limits = new LinkedHashMap<>(); // the highest of each so far

  void add(Paid paid) {
    all.add(paid);
  }

  /** Somebody may be granted so much from now on. */
  void limit(Limited budget, long limit) {
    limits.merge(budget, limit, Math::max);
  }

  Set<Limited> limited() {
    return limits.keySet();
  }

  /** The highest limit there was. */
  long limit(Limited budget) {
    return limits.getOrDefault(budget, 0L);
  }

  List<Paid> of(Till till) {
    return all.stream().filter(paid -> paid.by() == till).toList();
  }

  /** Those that a bill may come of. */
  List<Paid> open() {
    return all.stream().filter(paid -> !paid.isOver()).toList();
  }

  /** What a till wrote down is in the database. */
  void arrived(Till till) {
    of(till).stream().filter(Paid::isUnderWay).forEach(Paid::arrived);
  }

  /** A till is no more, and what it set aside for acts is free. */
  void ended(Till till) {
    of(till).forEach(Paid::ended);
  }

  /** The journal of a till is no more. */
  void lost(Till till) {
    of(till).stream().filter(Paid::isUnderWay).forEach(lost::add);
  }

  /** An operator says that what a till did not write down was not spent. */
  void forget(Till till) {
    all.removeIf(paid -> paid.by() == till && lost.contains(paid));
  }

  Charge settled(Posting.Account account) {
    return sum(account, paid -> true, Paid::bill);
  }

  /** Of that, what is in the books in the end. */
  Charge known(Posting.Account account) {
    return sum(account, paid -> !lost.contains(paid), Paid::bill);
  }

  Charge held(Posting.Account account, Till by) {
    return sum(account, paid -> paid.by() == by, Paid::held);
  }

  /** What is in the journals of others only, or was. */
  Charge underWay(Posting.Account account, Till but) {
    return sum(account, paid -> paid.by() != but && paid.isUnderWay(), Paid::bill);
  }

  /** What counts against a limit: what was billed beyond a hold does not. */
  long spent(Limited budget) {
    return spent(budget, paid -> true) - overrun(budget);
  }

  /** What one till spent and holds, overruns included. */
  long spent(Limited budget, Till by) {
    return spent(budget, paid -> paid.by() == by);
  }

  private long spent(Limited budget, Predicate<Paid> which) {
    Charge spent = sum(budget.account(), which, paid -> paid.bill().plus(paid.held()));
    return spent.counted(budget.withByok()).nanos();
  }

  private long overrun(Limited budget) {
    return all.stream()
        .filter(paid -> paid.countsIn(budget.account()))
        .mapToLong(paid -> paid.overrun(budget.withByok()))
        .sum();
  }

  private Charge sum(
      Posting.Account account, Predicate<Paid> which, Function<Paid, Charge> amount) {
    return all.stream()
        .filter(paid -> paid.countsIn(account) && which.test(paid))
        .map(amount)
        .reduce(Charge.ZERO, Charge::plus);
  }
}
