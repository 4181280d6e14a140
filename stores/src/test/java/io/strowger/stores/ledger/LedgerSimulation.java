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
 * Two or three ledgers on one database, two keys and the account they pay from: what happens to
 * them, and what has to be true then.
 */
final class LedgerSimulation implements AutoCloseable {
  private static final Instant[] MOMENTS = {
    Instant.parse("2026-11-22T23:59:59Z"), // a Sunday
    Instant.parse("2026-11-23T00:00:00Z"),
    Instant.parse("2026-11-30T23:59:59Z"),
    Instant.parse("2026-12-01T00:00:00Z"),
  };
  private static final long HOLDS_LAST = Duration.ofSeconds(25).toNanos();
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
    QUESTIONS_LOST,
    ANSWERS_LOST,
    KILL,
    POWER_LOSS,
    DIRECTORY_LOST,
    CLOSE,
    OPERATOR
  }

  /** What happens to a node; which of the numbers matter depends on the action. */
  record Step(Action action, int node, long amount, boolean byokKey, int which) {}

  private final Cluster cluster;
  private final CallerThreads callers;
  private final String run = UUID.randomUUID().toString();
  private final MoneyModel model = new MoneyModel();
  private final Map<Integer, LedgerNode> nodes = new TreeMap<>();
  private final Map<Integer, List<LedgerNode>> past = new HashMap<>(); // of each directory there is
  private final Map<Integer, Integer> boots = new HashMap<>();
  private final Map<String, LedgerNode> gone = new HashMap<>(); // by the ids of their nodes
  private final long[] limits = {200, 240, 600, 260};
  private final Map<List<Payer>, List<Payer>> known = new HashMap<>();
  private Instant at = MOMENTS[0];
  private int acts;
  private int granted;

  LedgerSimulation(Cluster cluster, CallerThreads callers) {
    this.cluster = cluster;
    this.callers = callers;
    jump(0);
  }

  /** How many holds were granted. */
  int granted() {
    return granted;
  }

  void take(Step step) {
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
      case FLUSH_FAILS -> node(number).flushInVain();
      case FLUSH_UNANSWERED -> flushUnanswered(node(number));
      case QUESTIONS_LOST -> node(number).store().loseQuestions(1 + step.which() % 3);
      case ANSWERS_LOST -> node(number).store().loseAnswers(1 + step.which() % 3);
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

  /** One that is open; it is opened when it is not, and reads what was left in its directory. */
  private LedgerNode node(int number) {
    return nodes.computeIfAbsent(number, this::open);
  }

  private LedgerNode open(int number) {
    var node = new LedgerNode(cluster.node(number, "boot-" + boots.getOrDefault(number, 0)));
    List<LedgerNode> before = past.computeIfAbsent(number, none -> new ArrayList<>());
    before.forEach(model::arrived);
    before.add(node);
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

  /** Takes all there is to be had, so that whatever else is granted is too much. */
  private void holdAll(Step step) {
    for (long amount = 64; amount > 0; amount /= 2) {
      hold(step, amount, step.which() / 2);
    }
  }

  /** Several times, each out of what another stripe was dealt. */
  private void holdLittle(Step step) {
    for (int caller = 0; caller < CallerThreads.MANY; caller++) {
      hold(step, step.amount() / 12, caller);
    }
  }

  private void hold(Step step, long amount, int caller) {
    LedgerNode node = node(step.node());
    node.catchUp();
    node.store().hasFailed();
    List<Payer> payers =
        known.computeIfAbsent(List.of(key(step.which() & 1), account()), first -> first);
    limited(payers).forEach(model::limit);
    long deadline = node.nanoTime() + HOLDS_LAST;
    var claim = new Claim(payers, charge(step, amount), at, deadline);
    switch (callers.ask(caller, () -> node.ledger().hold(claim))) {
      case Outcome.Granted(var reservation) -> {
        granted++;
        model.add(new GrantedAct(node, reservation, accounts(payers), deadline));
        limited(payers).forEach((budget, limit) -> checkGrant(node, budget, limit));
      }
      case Outcome.Refused refused -> {
        // what others were granted is not to be had
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

  private Map<MoneyModel.Limited, Long> limited(List<Payer> payers) {
    var limited = new HashMap<MoneyModel.Limited, Long>();
    for (Payer payer : payers) {
      for (Budget budget : payer.budgets()) {
        var account = account(payer, budget.period());
        limited.put(new MoneyModel.Limited(account, budget.withByok()), budget.limit().nanos());
      }
    }
    return limited;
  }

  private Posting.Account account(Payer payer, Period period) {
    return new Posting.Account(payer.toString(), period.window(at));
  }

  private List<Posting.Account> accounts(List<Payer> payers) {
    return payers.stream()
        .flatMap(payer -> Stream.of(Period.values()).map(period -> account(payer, period)))
        .toList();
  }

  /** All together fit what was ever allowed; the one that grants fits what is allowed now. */
  private void checkGrant(LedgerNode node, MoneyModel.Limited budget, long limit) {
    assertThat(model.spent(budget))
        .as("what all spent and hold of %s", budget)
        .isLessThanOrEqualTo(model.limit(budget));
    assertThat(model.spent(budget, node))
        .as("what the one spent and holds of %s", budget)
        .isLessThanOrEqualTo(limit);
  }

  /** A bill of all that was held, of less, of nothing, or now and then of more. */
  private void end(Step step) {
    List<GrantedAct> open = model.open();
    if (open.isEmpty()) {
      return;
    }
    GrantedAct act = open.get(step.which() % open.size());
    if (step.action() == Action.RELEASE) {
      act.hold().release();
      act.ended();
      return;
    }
    Charge held = act.hold().maxCharge();
    Charge bill =
        switch (step.which() % 8) {
          case 0 -> held.plus(charge(step, step.amount() / 4));
          case 1, 2 -> part(held, step.amount(), 150);
          default -> held;
        };
    act.hold().settle(List.of(line(bill)));
    act.billed(bill);
  }

  private static Charge part(Charge of, long times, long all) {
    return new Charge(
        new Usd(of.credits().nanos() * times / all), new Usd(of.byokCost().nanos() * times / all));
  }

  private LedgerEntry line(Charge charge) {
    return new LedgerEntry(
        run, acts++, at, "acme", "", CallRecord.Outcome.COMPLETE, Usage.NONE, charge);
  }

  private void idle(LedgerNode node) {
    node.idle();
    long second = Duration.ofNanos(node.nanoTime()).toSeconds();
    model.of(node).forEach(act -> act.passed(second));
  }

  private void jump(int which) {
    at = MOMENTS[which % MOMENTS.length];
    var clock = cluster.ambient();
    clock.stepTimeOfDay(Duration.between(clock.now(), at));
  }

  private void flush(LedgerNode node) {
    node.flush();
    model.arrived(node);
  }

  private void flushUnanswered(LedgerNode node) {
    node.flushUnanswered();
    model.arrived(node);
  }

  private void kill(Step step) {
    LedgerNode node = node(step.node());
    if (step.which() % 2 == 0) {
      node.catchUp(); // it is granted more and gone
    }
    gone.put(node.node().id(), node);
    node.kill();
    model.ended(node);
    nodes.remove(step.node());
  }

  private void loseDirectory(Step step) {
    LedgerNode node = node(step.node());
    kill(step);
    past.getOrDefault(step.node(), List.of()).forEach(model::lost);
    past.remove(step.node());
    ClusterModel.erase(cluster.path(step.node()));
    letTimePass(node.node().id());
  }

  /** It was not seen for a while. */
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
    model.arrived(node);
    model.ended(node);
    nodes.remove(number);
  }

  private void releaseStranded(LedgerNode operator) {
    LedgerStore store = operator.node().ledger();
    for (LedgerStore.LostNode stranded : store.lostNodes()) {
      LedgerNode node = gone.get(stranded.id());
      if (node != null) { // otherwise it is of another history
        assertThat(store.release(stranded.id())).isTrue();
        model.forget(node);
      }
    }
  }

  /** What a node says it set aside, and what it says all spent, is true. */
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
      assertThat(balances.get(i).settled().plus(model.underWay(account, node)))
          .as("settled in %s, and in the journals of others", account)
          .isEqualTo(model.settled(account));
    }
  }

  /** The books have all that was spent and not lost, and nothing else is kept from anybody. */
  void checkInTheEnd() {
    for (int number : List.copyOf(past.keySet())) {
      close(number); // one that was killed is opened first, and reads what was left
    }
    Cluster.Node witness = cluster.node(9);
    gone.keySet().forEach(witness.ledger()::release);
    model.limited().forEach(budget -> checkInTheEnd(witness.ledger(), budget));
    var all = new Posting.Account("account:" + run, "all");
    assertThat(lines()).as("what the lines say").isEqualTo(model.known(all));
  }

  private void checkInTheEnd(LedgerStore witness, MoneyModel.Limited budget) {
    Posting.Account account = budget.account();
    Charge known = model.known(account);
    assertThat(witness.spendingElsewhere(List.of(account)).get(account))
        .as("what the books say of %s", account)
        .extracting(LedgerStore.SpendingElsewhere::charge)
        .isEqualTo(known);
    var most = new Usd(PLENTY);
    var ask = new LedgerStore.SliceRequest(account, budget.withByok(), most, Usd.ZERO, most);
    assertThat(witness.requestSlice(ask).granted())
        .as("what can be had of %s", budget)
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
