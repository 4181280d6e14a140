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

/** What is true of the money of several nodes, whatever their books say. */
final class MoneyModel {
  /** What is limited. */
  record Limited(Posting.Account account, boolean withByok) {}

  private final List<GrantedAct> all = new ArrayList<>();
  private final List<GrantedAct> lost =
      new ArrayList<>(); // with the journals of those that are gone
  private final Map<Limited, Long> limits = new LinkedHashMap<>(); // the highest of each so far

  void add(GrantedAct act) {
    all.add(act);
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

  List<GrantedAct> of(LedgerNode node) {
    return all.stream().filter(act -> act.by() == node).toList();
  }

  /** Those that a bill may come of. */
  List<GrantedAct> open() {
    return all.stream().filter(act -> !act.isOver()).toList();
  }

  /** What a node wrote down is in the database. */
  void arrived(LedgerNode node) {
    of(node).stream().filter(GrantedAct::isUnderWay).forEach(GrantedAct::arrived);
  }

  /** A node is no more, and what it set aside for acts is free. */
  void ended(LedgerNode node) {
    of(node).forEach(GrantedAct::ended);
  }

  /** The journal of a node is no more. */
  void lost(LedgerNode node) {
    of(node).stream().filter(GrantedAct::isUnderWay).forEach(lost::add);
  }

  /** An operator says that what a node did not write down was not spent. */
  void forget(LedgerNode node) {
    all.removeIf(act -> act.by() == node && lost.contains(act));
  }

  Charge settled(Posting.Account account) {
    return sum(account, act -> true, GrantedAct::bill);
  }

  /** Of that, what is in the books in the end. */
  Charge known(Posting.Account account) {
    return sum(account, act -> !lost.contains(act), GrantedAct::bill);
  }

  Charge held(Posting.Account account, LedgerNode by) {
    return sum(account, act -> act.by() == by, GrantedAct::held);
  }

  /** What is in the journals of others only, or was. */
  Charge underWay(Posting.Account account, LedgerNode but) {
    return sum(account, act -> act.by() != but && act.isUnderWay(), GrantedAct::bill);
  }

  /** What counts against a limit: what was billed beyond a hold does not. */
  long spent(Limited budget) {
    return spent(budget, act -> true) - overrun(budget);
  }

  /** What one node spent and holds, overruns included. */
  long spent(Limited budget, LedgerNode by) {
    return spent(budget, act -> act.by() == by);
  }

  private long spent(Limited budget, Predicate<GrantedAct> which) {
    Charge spent = sum(budget.account(), which, act -> act.bill().plus(act.held()));
    return spent.budgetAmount(budget.withByok()).nanos();
  }

  private long overrun(Limited budget) {
    return all.stream()
        .filter(act -> act.countsIn(budget.account()))
        .mapToLong(act -> act.overrun(budget.withByok()))
        .sum();
  }

  private Charge sum(
      Posting.Account account, Predicate<GrantedAct> which, Function<GrantedAct, Charge> amount) {
    return all.stream()
        .filter(act -> act.countsIn(account) && which.test(act))
        .map(amount)
        .reduce(Charge.ZERO, Charge::plus);
  }
}
