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

/** A model of the money of several nodes, to which their books are compared. */
final class MoneyModel {
  /** An account with a limit, and whether BYOK costs count against that. */
  record LimitedAccount(Posting.Account account, boolean withByok) {}

  private final List<GrantedAct> all = new ArrayList<>();
  private final List<GrantedAct> lost = new ArrayList<>(); // with a lost journal

  /** The highest limits so far. */
  private final Map<LimitedAccount, Long> limits = new LinkedHashMap<>();

  void add(GrantedAct act) {
    all.add(act);
  }

  /** Applies a limit from now on. */
  void setLimit(LimitedAccount budget, long limit) {
    limits.merge(budget, limit, Math::max);
  }

  Set<LimitedAccount> limitedAccounts() {
    return limits.keySet();
  }

  /** Returns the highest limit so far. */
  long highestLimit(LimitedAccount budget) {
    return limits.getOrDefault(budget, 0L);
  }

  List<GrantedAct> actsOf(LedgerNode node) {
    return all.stream().filter(act -> act.node() == node).toList();
  }

  /** Returns the acts that may still be billed. */
  List<GrantedAct> openActs() {
    return all.stream().filter(act -> !act.isOver()).toList();
  }

  /** Marks what a node appended as written to the database. */
  void markArrived(LedgerNode node) {
    actsOf(node).stream().filter(GrantedAct::isInJournalOnly).forEach(GrantedAct::setInDatabase);
  }

  /** Ends the acts of a node that has ended, and frees their holds. */
  void endActs(LedgerNode node) {
    actsOf(node).forEach(GrantedAct::end);
  }

  /** Marks what is only in the journal of a node as lost. */
  void markLost(LedgerNode node) {
    actsOf(node).stream().filter(GrantedAct::isInJournalOnly).forEach(lost::add);
  }

  /** Removes what is lost of a node, which an operator has released. */
  void removeLost(LedgerNode node) {
    all.removeIf(act -> act.node() == node && lost.contains(act));
  }

  Charge settled(Posting.Account account) {
    return sum(account, act -> true, GrantedAct::bill);
  }

  /** Returns the part of the settled amount that is in the books in the end. */
  Charge known(Posting.Account account) {
    return sum(account, act -> !lost.contains(act), GrantedAct::bill);
  }

  Charge held(Posting.Account account, LedgerNode node) {
    return sum(account, act -> act.node() == node, GrantedAct::held);
  }

  /** Returns what is, or was, only in the journals of other nodes. */
  Charge inJournalsOfOthers(Posting.Account account, LedgerNode exceptNode) {
    return sum(account, act -> act.node() != exceptNode && act.isInJournalOnly(), GrantedAct::bill);
  }

  /** Returns what counts against a limit, which is not what was billed beyond a hold. */
  long spent(LimitedAccount budget) {
    return spent(budget, act -> true) - overrun(budget);
  }

  /** Returns what one node spent and holds, including overruns. */
  long spent(LimitedAccount budget, LedgerNode node) {
    return spent(budget, act -> act.node() == node);
  }

  private long spent(LimitedAccount budget, Predicate<GrantedAct> predicate) {
    Charge spent = sum(budget.account(), predicate, act -> act.bill().plus(act.held()));
    return spent.budgetAmount(budget.withByok()).nanos();
  }

  private long overrun(LimitedAccount budget) {
    return all.stream()
        .filter(act -> act.countsIn(budget.account()))
        .mapToLong(act -> act.overrun(budget.withByok()))
        .sum();
  }

  private Charge sum(
      Posting.Account account,
      Predicate<GrantedAct> predicate,
      Function<GrantedAct, Charge> amount) {
    return all.stream()
        .filter(act -> act.countsIn(account) && predicate.test(act))
        .map(amount)
        .reduce(Charge.ZERO, Charge::plus);
  }
}
