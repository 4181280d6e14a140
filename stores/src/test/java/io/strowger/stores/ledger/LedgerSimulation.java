package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Ledger.Balance;
import io.strowger.core.ledger.Ledger.Claim;
import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.core.ledger.Ledger.Spender;
import io.strowger.core.ledger.Payer;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Simulates two or three ledgers on one database, with two keys and the account they pay from, and
 * checks them against a model.
 */
final class LedgerSimulation implements AutoCloseable {
  private static final Instant[] MOMENTS = {
    Instant.parse("2026-11-22T23:59:59Z"), // a Sunday
    Instant.parse("2026-11-23T00:00:00Z"),
    Instant.parse("2026-11-30T23:59:59Z"),
    Instant.parse("2026-12-01T00:00:00Z"),
  };
  private static final long HOLD_NANOS = Duration.ofSeconds(25).toNanos();
  private static final long PLENTY = 1_000_000;

  enum Action {
    HOLD,
    HOLD_LITTLE,
    HOLD_ALL,
    SETTLE,
    RELEASE,
    IDLE,
    JUMP,
    LIMIT,
    FLUSH,
    FLUSH_FAILS,
    FLUSH_UNANSWERED,
    REQUESTS_LOST,
    RESPONSES_LOST,
    KILL,
    POWER_LOSS,
    DIRECTORY_LOST,
    CLOSE,
    OPERATOR
  }

  /** An action on a node; which of the numbers it uses depends on the action. */
  record Step(Action action, int node, long amount, boolean byokKey, int which) {}

  private final Cluster cluster;
  private final StripeThreads threads;
  private final String run = UUID.randomUUID().toString();
  private final MoneyModel model = new MoneyModel();
  private final Map<Integer, LedgerNode> nodes = new TreeMap<>();
  private final Map<Integer, List<LedgerNode>> past = new HashMap<>(); // by directory
  private final Map<Integer, Integer> boots = new HashMap<>();
  private final Map<String, LedgerNode> killed = new HashMap<>(); // by id
  private final long[] limits = {200, 240, 600, 260};
  private final Map<List<Payer>, List<Payer>> known = new HashMap<>();
  private Instant at = MOMENTS[0];
  private int entries; // written so far
  private int granted;

  LedgerSimulation(Cluster cluster, StripeThreads threads) {
    this.cluster = cluster;
    this.threads = threads;
    jump(0);
  }

  /** Returns how many holds were granted. */
  int granted() {
    return granted;
  }

  void apply(Step step) {
    int number = step.node();
    switch (step.action()) {
      case HOLD -> hold(step, step.amount() / 2, step.which() / 2);
      case HOLD_LITTLE -> holdLittle(step);
      case HOLD_ALL -> holdAll(step);
      case SETTLE, RELEASE -> end(step);
      case IDLE -> idle(node(number));
      case JUMP -> jump(step.which());
      case LIMIT -> limits[step.which() % limits.length] = 100 + 2 * step.amount();
      case FLUSH -> flush(node(number));
      case FLUSH_FAILS -> node(number).flushFailing();
      case FLUSH_UNANSWERED -> flushUnanswered(node(number));
      case REQUESTS_LOST -> node(number).store().loseRequests(1 + step.which() % 3);
      case RESPONSES_LOST -> node(number).store().loseResponses(1 + step.which() % 3);
      case KILL -> kill(step);
      case POWER_LOSS -> {
        kill(step);
        boots.merge(number, 1, Integer::sum);
      }
      case DIRECTORY_LOST -> loseDirectory(step);
      case CLOSE -> close(number);
      case OPERATOR -> releaseStranded(node(number));
    }
    LedgerNode node = nodes.get(number);
    if (node != null) {
      check(node);
    }
  }

  /** Returns an open node; opening it reads the journals that are left in its directory. */
  private LedgerNode node(int number) {
    return nodes.computeIfAbsent(number, this::open);
  }

  private LedgerNode open(int number) {
    var node = new LedgerNode(cluster.node(number, "boot-" + boots.getOrDefault(number, 0)));
    List<LedgerNode> earlier = past.computeIfAbsent(number, none -> new ArrayList<>());
    earlier.forEach(model::markArrived);
    earlier.add(node);
    return node;
  }

  private Payer key(int number) {
    return new Payer(
        Payer.Kind.KEY,
        run + "-" + number,
        List.of(
            new Budget(Period.DAILY, new Usd(limits[0]), false),
            new Budget(Period.WEEKLY, new Usd(limits[1]), true)));
  }

  private Payer account() {
    return new Payer(
        Payer.Kind.ACCOUNT,
        run,
        List.of(
            new Budget(Period.LIFETIME, new Usd(limits[2]), false),
            new Budget(Period.MONTHLY, new Usd(limits[3]), false)));
  }

  /** Holds everything that is left, so that any further grant would be too much. */
  private void holdAll(Step step) {
    for (long amount = 64; amount > 0; amount /= 2) {
      hold(step, amount, step.which() / 2);
    }
  }

  /** Holds several times, each from what another stripe was given. */
  private void holdLittle(Step step) {
    for (int thread = 0; thread < StripeThreads.COUNT; thread++) {
      hold(step, step.amount() / 12, thread);
    }
  }

  private void hold(Step step, long amount, int thread) {
    LedgerNode node = node(step.node());
    node.catchUp();
    node.store().hasFailed();
    List<Payer> payers =
        known.computeIfAbsent(List.of(key(step.which() & 1), account()), first -> first);
    limitsOf(payers).forEach(model::setLimit);
    long deadline = node.nanoTime() + HOLD_NANOS;
    var claim = new Claim(payers, charge(step, amount), at, deadline);
    switch (threads.run(thread, () -> node.ledger().hold(claim))) {
      case Outcome.Granted(var reservation) -> {
        granted++;
        model.add(new GrantedHold(node, reservation, accounts(payers), deadline));
        limitsOf(payers).forEach((budget, limit) -> checkGrant(node, budget, limit));
      }
      case Outcome.Refused refused -> {
        // other nodes were granted the rest
      }
      case Outcome.Unavailable down ->
          assertThat(node.store().hasFailed()).as(down.reason()).isTrue();
    }
  }

  private static Charge charge(Step step, long amount) {
    return step.byokKey()
        ? new Charge(new Usd(amount / 20), new Usd(amount))
        : Charge.credits(new Usd(amount));
  }

  private Map<MoneyModel.LimitedAccount, Long> limitsOf(List<Payer> payers) {
    var limits = new HashMap<MoneyModel.LimitedAccount, Long>();
    for (Payer payer : payers) {
      for (Budget budget : payer.budgets()) {
        var account = account(payer, budget.period());
        limits.put(
            new MoneyModel.LimitedAccount(account, budget.withByok()), budget.limit().nanos());
      }
    }
    return limits;
  }

  private Posting.Account account(Payer payer, Period period) {
    return new Posting.Account(payer.toString(), period.window(at));
  }

  private List<Posting.Account> accounts(List<Payer> payers) {
    return payers.stream()
        .flatMap(payer -> Stream.of(Period.values()).map(period -> account(payer, period)))
        .toList();
  }

  /** Checks all nodes against the highest limit so far, and the granting one against the limit. */
  private void checkGrant(LedgerNode node, MoneyModel.LimitedAccount budget, long limit) {
    assertThat(model.spent(budget))
        .as("what all nodes spent and hold of %s", budget)
        .isLessThanOrEqualTo(model.highestLimit(budget));
    assertThat(model.spent(budget, node))
        .as("what the granting node spent and holds of %s", budget)
        .isLessThanOrEqualTo(limit);
  }

  /** Releases a hold, or bills it in full, with less, or now and then with more. */
  private void end(Step step) {
    List<GrantedHold> open = model.openHolds();
    if (open.isEmpty()) {
      return;
    }
    GrantedHold hold = open.get(step.which() % open.size());
    if (step.action() == Action.RELEASE) {
      hold.reservation().release();
      hold.end();
      return;
    }
    Charge held = hold.reservation().maxCharge();
    Charge bill =
        switch (step.which() % 8) {
          case 0 -> held.plus(charge(step, step.amount() / 4));
          case 1, 2 -> share(held, step.amount(), 150);
          default -> held;
        };
    hold.reservation().settle(List.of(line(bill)));
    hold.setBill(bill);
  }

  private static Charge share(Charge charge, long numerator, long denominator) {
    return new Charge(
        new Usd(charge.credits().nanos() * numerator / denominator),
        new Usd(charge.byokCost().nanos() * numerator / denominator));
  }

  private LedgerEntry line(Charge charge) {
    return new LedgerEntry(
        run, entries++, at, "acme", "", CallRecord.Outcome.COMPLETE, Usage.NONE, charge);
  }

  private void idle(LedgerNode node) {
    node.idle();
    long second = Duration.ofNanos(node.nanoTime()).toSeconds();
    model.holdsOf(node).forEach(hold -> hold.expireBefore(second));
  }

  private void jump(int which) {
    at = MOMENTS[which % MOMENTS.length];
    var clock = cluster.ambient();
    clock.stepTimeOfDay(Duration.between(clock.now(), at));
  }

  private void flush(LedgerNode node) {
    node.flush();
    model.markArrived(node);
  }

  private void flushUnanswered(LedgerNode node) {
    node.flushUnanswered();
    model.markArrived(node);
  }

  private void kill(Step step) {
    LedgerNode node = node(step.node());
    if (step.which() % 2 == 0) {
      node.catchUp(); // so that it is granted more before it is killed
    }
    killed.put(node.node().id(), node);
    node.kill();
    model.endHolds(node);
    nodes.remove(step.node());
  }

  private void loseDirectory(Step step) {
    LedgerNode node = node(step.node());
    kill(step);
    past.getOrDefault(step.node(), List.of()).forEach(model::markLost);
    past.remove(step.node());
    ClusterModel.erase(cluster.path(step.node()));
    letTimePass(node.node().id());
  }

  /** Lets time pass in which the node was not seen. */
  private void letTimePass(String node) {
    cluster
        .database()
        .inTransaction(
            "let time pass",
            handle ->
                handle.execute(
                    "UPDATE ledger_node SET seen_at = CURRENT_TIMESTAMP - INTERVAL '31' SECOND"
                        + " WHERE id = ?",
                    node));
  }

  private void close(int number) {
    LedgerNode node = node(number);
    node.close();
    model.markArrived(node);
    model.endHolds(node);
    nodes.remove(number);
  }

  private void releaseStranded(LedgerNode operator) {
    LedgerStore store = operator.node().ledger();
    for (LedgerStore.LostNode stranded : store.lostNodes()) {
      LedgerNode node = killed.get(stranded.id());
      if (node != null) { // otherwise it belongs to another history
        assertThat(store.release(stranded.id())).isTrue();
        model.removeLost(node);
      }
    }
  }

  /** Checks what a node reports as its holds and as the spending of all nodes. */
  private void check(LedgerNode node) {
    var spenders = new ArrayList<Spender>();
    for (Payer payer : List.of(key(0), key(1), account())) {
      Stream.of(Period.values()).map(period -> new Spender(payer, period)).forEach(spenders::add);
    }
    List<Balance> balances = node.ledger().balances(spenders, at);
    for (int i = 0; i < balances.size(); i++) {
      var account = account(spenders.get(i).payer(), spenders.get(i).period());
      assertThat(balances.get(i).held())
          .as("held in %s", account)
          .isEqualTo(model.held(account, node));
      assertThat(balances.get(i).settled().plus(model.inJournalsOfOthers(account, node)))
          .as("settled in %s, and in the journals of others", account)
          .isEqualTo(model.settled(account));
    }
  }

  /** Checks that the books have all spending that is not lost, and that all else can be granted. */
  void checkAtEnd() {
    for (int number : List.copyOf(past.keySet())) {
      close(number); // a killed one is opened first, and reads its journals
    }
    Cluster.Node observer = cluster.node(9);
    killed.keySet().forEach(observer.ledger()::release);
    model.limitedAccounts().forEach(budget -> checkAtEnd(observer.ledger(), budget));
    var all = new Posting.Account("account:" + run, "all");
    assertThat(lines()).as("the sum of the lines").isEqualTo(model.known(all));
  }

  private void checkAtEnd(LedgerStore observer, MoneyModel.LimitedAccount budget) {
    Posting.Account account = budget.account();
    Charge known = model.known(account);
    assertThat(observer.spendingElsewhere(List.of(account)).get(account))
        .as("the sum of the books for %s", account)
        .extracting(LedgerStore.SpendingElsewhere::charge)
        .isEqualTo(known);
    var most = new Usd(PLENTY);
    var request = new LedgerStore.SliceRequest(account, budget.withByok(), most, Usd.ZERO, most);
    assertThat(observer.requestSlice(request).granted())
        .as("what can still be granted of %s", budget)
        .isEqualTo(most.minus(known.budgetAmount(budget.withByok())));
  }

  private Charge lines() {
    Charge sum = Charge.ZERO;
    for (LedgerLines.Line line : cluster.lines()) {
      if (line.entry().generation().equals(run)) {
        sum = sum.plus(line.entry().charge());
      }
    }
    return sum;
  }

  @Override
  public void close() {
    nodes.values().forEach(LedgerNode::kill);
    cluster.close();
  }
}
