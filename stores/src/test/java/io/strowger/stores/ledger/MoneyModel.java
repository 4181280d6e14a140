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

  private final List<GrantedHold> all = new ArrayList<>();
  private final List<GrantedHold> lost = new ArrayList<>(); // with a lost journal

  /** The highest limits so far. */
  private final Map<LimitedAccount, Long> limits = new LinkedHashMap<>();

  void add(GrantedHold hold) {
    all.add(hold);
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

  List<GrantedHold> holdsOf(LedgerNode node) {
    return all.stream().filter(hold -> hold.node() == node).toList();
  }

  /** Returns the holds that may still be billed. */
  List<GrantedHold> openHolds() {
    return all.stream().filter(hold -> !hold.isOver()).toList();
  }

  /** Marks what a node appended as written to the database. */
  void markArrived(LedgerNode node) {
    holdsOf(node).stream().filter(GrantedHold::isInJournalOnly).forEach(GrantedHold::setInDatabase);
  }

  /** Ends the holds of a node that has ended, which frees their money. */
  void endHolds(LedgerNode node) {
    holdsOf(node).forEach(GrantedHold::end);
  }

  /** Marks what is only in the journal of a node as lost. */
  void markLost(LedgerNode node) {
    holdsOf(node).stream().filter(GrantedHold::isInJournalOnly).forEach(lost::add);
  }

  /** Removes what is lost of a node, which an operator has released. */
  void removeLost(LedgerNode node) {
    all.removeIf(hold -> hold.node() == node && lost.contains(hold));
  }

  Charge settled(Posting.Account account) {
    return sum(account, hold -> true, GrantedHold::bill);
  }

  /** Returns the part of the settled amount that is in the books in the end. */
  Charge known(Posting.Account account) {
    return sum(account, hold -> !lost.contains(hold), GrantedHold::bill);
  }

  Charge held(Posting.Account account, LedgerNode node) {
    return sum(account, hold -> hold.node() == node, GrantedHold::held);
  }

  /** Returns what is, or was, only in the journals of other nodes. */
  Charge inJournalsOfOthers(Posting.Account account, LedgerNode exceptNode) {
    return sum(
        account, hold -> hold.node() != exceptNode && hold.isInJournalOnly(), GrantedHold::bill);
  }

  /** Returns what counts against a limit, which is not what was billed beyond a hold. */
  long spent(LimitedAccount budget) {
    return spent(budget, hold -> true) - overrun(budget);
  }

  /** Returns what one node spent and holds, including overruns. */
  long spent(LimitedAccount budget, LedgerNode node) {
    return spent(budget, hold -> hold.node() == node);
  }

  private long spent(LimitedAccount budget, Predicate<GrantedHold> predicate) {
    Charge spent = sum(budget.account(), predicate, hold -> hold.bill().plus(hold.held()));
    return spent.budgetAmount(budget.withByok()).nanos();
  }

  private long overrun(LimitedAccount budget) {
    return all.stream()
        .filter(hold -> hold.countsIn(budget.account()))
        .mapToLong(hold -> hold.overrun(budget.withByok()))
        .sum();
  }

  private Charge sum(
      Posting.Account account,
      Predicate<GrantedHold> predicate,
      Function<GrantedHold, Charge> amount) {
    return all.stream()
        .filter(hold -> hold.countsIn(account) && predicate.test(hold))
        .map(amount)
        .reduce(Charge.ZERO, Charge::plus);
  }
}
