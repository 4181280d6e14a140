package io.strowger.core.pipeline;

import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.attempt.CheckedStream;
import io.strowger.core.attempt.ObservedAttempt;
import io.strowger.core.attempt.Opener;
import io.strowger.core.attempt.OutputBudget;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.health.Statistics;
import io.strowger.core.inference.BudgetCap;
import io.strowger.core.inference.Reply;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.meter.Bill;
import io.strowger.core.meter.DeliveredOutput;
import io.strowger.core.meter.EndCause;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.meter.SearchAllowance;
import io.strowger.core.money.Funds;
import io.strowger.core.money.RequestBudget;
import io.strowger.core.plan.HoldSize;
import io.strowger.core.plan.Planner;
import io.strowger.core.record.AnswerTranscript;
import io.strowger.core.record.CallObservation;
import io.strowger.core.record.FinishedRequest;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One decision with its attempts and its answer: one pass through steps 7 to 15 of the pipeline. A
 * turn {@linkplain #decide decides} and holds money, makes its {@linkplain #attempt attempts}, and
 * is then itself the answer, which is metered while it is delivered. A plain request has one turn.
 * A plugin that proceeds several times makes several; each is decided anew, and the later ones
 * prefer the endpoint of the first.
 *
 * <p>The answer ends once, in one of three ways: complete, failed, or given up; then the delivered
 * output is priced and settled. The upstream's own count is used; without one, the usage is
 * estimated and marked as an estimate. The hold ends once: with the answer, or with the turn when
 * that is refused or closed before an answer begins. An answer that arrives later is dropped.
 *
 * <p>Written by the thread that serves it until its answer begins; read by one thread from there
 * on, and ended by any.
 */
final class RoutedTurn implements FinishedRequest.Turn, Reply.Begun {
  /** The prefix of the note that an answer exceeded its hold and was cut there. */
  static final String CUT = "output_cut_at_hold: ";

  private static final int PLANNING_TRIES = 3;

  private final CallExchange exchange;
  private final InferenceRequest request;
  private final Part part;
  private final @Nullable String innerCall;
  private final PromptSize size;
  private final AnswerTranscript transcript;
  private Statistics statistics = Statistics.NONE;
  private volatile @Nullable RoutingQuery query;
  private volatile @Nullable RoutePlan plan;
  private volatile @Nullable Funds funds;
  private volatile List<TraceEntry> attempts = List.of();
  private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.Bare.OPEN);
  private volatile @Nullable GatewayError error;
  private volatile boolean cancelled;
  private volatile @Nullable String cut;
  private volatile @Nullable ObservedAttempt observed; // of the last attempt; null if none

  // of the answer
  private final AtomicBoolean ended = new AtomicBoolean();
  private final DeliveredOutput delivered = new DeliveredOutput();
  private Runnable whenEnded = () -> {};
  private volatile @Nullable Usage reported;
  private volatile @Nullable Bill bill;
  private volatile long endedAt;
  private Event.@Nullable UsageReport report;
  private @Nullable Event after; // the ending event, while the usage report before it is handed out

  /** The progress of a turn. */
  private sealed interface Progress {
    /** No candidate delivers: not yet, or not any more. */
    enum Bare implements Progress {
      OPEN,
      OVER
    }

    /** A candidate delivers. */
    record Answering(AttemptLoop.Outcome.Delivers by) implements Progress {}
  }

  /** The part of a turn in its exchange. */
  enum Part {
    /** The only turn: the exchange ends with it. */
    ALONE,
    /** A turn behind plugins, on the way to the answer. */
    CHAINED,
    /** A turn of an inner call of a plugin or a tool. */
    INNER,
    /** Holds the money of a later turn; makes no attempts itself. */
    RESERVED
  }

  RoutedTurn(CallExchange exchange, InferenceRequest request, Part part) {
    this(exchange, request, part, null);
  }

  /** Creates a turn of the inner call with this name. */
  static RoutedTurn ofCall(CallExchange exchange, InferenceRequest request, String call) {
    return new RoutedTurn(exchange, request, Part.INNER, call);
  }

  /** Creates a turn that only holds money for a later turn of an inner call. */
  static RoutedTurn reserving(CallExchange exchange, InferenceRequest request, String call) {
    return new RoutedTurn(exchange, request, Part.RESERVED, call);
  }

  private RoutedTurn(
      CallExchange exchange, InferenceRequest request, Part part, @Nullable String innerCall) {
    this.exchange = exchange;
    this.request = request;
    this.part = part;
    this.innerCall = innerCall;
    this.size = PromptSize.of(request);
    this.transcript = exchange.newTranscript();
  }

  InferenceRequest request() {
    return request;
  }

  /** Returns whether this is a turn of an inner call, or a reservation. */
  boolean isInner() {
    return part == Part.INNER || isReservation();
  }

  /** Returns whether the turn only holds money for a later turn. */
  boolean isReservation() {
    return part == Part.RESERVED;
  }

  /** Returns the name of the inner call; null for the caller's own request. */
  @Override
  public @Nullable String innerCall() {
    return innerCall;
  }

  /** Returns the transcript of the answer. */
  @Override
  public AnswerTranscript transcript() {
    return transcript;
  }

  @Nullable RoutingQuery query() {
    return query;
  }

  Statistics statistics() {
    return statistics;
  }

  /** Returns the decision; null before there is one. */
  @Nullable RoutePlan plan() {
    return plan;
  }

  /**
   * Decides and holds money. A turn that cannot be made has an {@linkplain #error error}. The first
   * decision assumes that nothing has been spent of the budgets. When its hold is granted, each
   * candidate of the plan can be paid, and the books of the payers need not be read. Otherwise the
   * turn is decided again within the amounts that the budgets actually leave.
   *
   * @param reserved a reservation whose money this turn takes over if it is enough; otherwise it is
   *     released. Null when nothing was reserved
   * @throws io.strowger.core.plan.PluginFailureException when a router breaks its contract
   */
  void decide(@Nullable RoutedTurn reserved) {
    exchange.turn(this);
    try {
      fund(reserved);
    } finally {
      if (reserved != null) {
        reserved.close();
      }
    }
    CallObservation log = exchange.log();
    if (log != null) {
      logDecision(log, reserved);
    }
  }

  private void logDecision(CallObservation log, @Nullable RoutedTurn reserved) {
    long now = exchange.engine().ambient().nanoTime();
    GatewayError refusal = error;
    int candidates = plan instanceof RoutePlan.Attempts planned ? planned.inOrder().size() : 0;
    log.planned(innerCall, candidates, refusal == null ? null : refusal.code(), now);
    boolean isNew = reserved == null || funds != reserved.funds;
    if (refusal == null && isNew && funds instanceof Funds granted) {
      log.held(innerCall, CallRecord.Step.Held.ATTEMPTS, granted.atMost().credits(), now);
    }
  }

  private ObservedAttempt observe(CallObservation log, Endpoint endpoint, long nanos) {
    ObservedAttempt begun = log.begin(innerCall, endpoint, nanos);
    observed = begun;
    return begun;
  }

  private RoutingQuery.Builder queryBuilder() {
    Snapshot snapshot = exchange.snapshot();
    List<ModelRef> models =
        request == exchange.request()
            ? exchange.models()
            : RoutingQueryFactory.models(request, snapshot.accountPolicy(), exchange.caller());
    return RoutingQueryFactory.of(request, models, size, snapshot, exchange.caller())
        .sticky(exchange.preferred(models))
        .batch(exchange.isOfBatch())
        .at(exchange.arrivedAt())
        .seed(exchange.seed());
  }

  /**
   * Returns the smallest amount that pays for this turn, whatever the budgets leave; holds nothing.
   *
   * @throws io.strowger.spi.error.GatewayException when no endpoint can serve it at any price
   */
  Usd price() {
    RoutingQuery.Builder question = queryBuilder();
    decide(question, Usd.ZERO, Usd.ZERO); // with empty budgets, the missing amount is the price
    if (plan instanceof RoutePlan.NoRoute none && none.needed() instanceof Usd needed) {
      return needed;
    }
    decide(question, null, null);
    return switch (Objects.requireNonNull(plan)) {
      case RoutePlan.NoRoute none -> throw none.error().toException();
      case RoutePlan.Attempts planned -> cheapest(planned.inOrder()).credits();
    };
  }

  private void fund(@Nullable RoutedTurn reserved) {
    RoutingQuery.Builder question = queryBuilder();
    Ledger.Room room = exchange.budget().limits();
    boolean limited = room != Ledger.Room.UNLIMITED;
    for (int attempt = limited ? 0 : 1; ; attempt++) { // attempt 0 does not read the books
      decide(question, room);
      boolean last = attempt == PLANNING_TRIES;
      switch (Objects.requireNonNull(plan)) {
        case RoutePlan.NoRoute none -> {
          GatewayError why = attempt == 0 ? null : refusal(none);
          if (why != null || last) {
            refused(why == null ? none.error() : why, false, List.of());
            return;
          }
        }
        case RoutePlan.Attempts planned -> {
          Charge most = needed(planned.inOrder());
          if (takesOver(reserved, most) || holdOrRefuse(most, attempt)) {
            return;
          }
        }
      }
      if (takesOver(reserved, question)) {
        return;
      }
      if (reserved != null) {
        reserved.close(); // not enough: releases its money
      }
      room = exchange.budget().remainingBudget();
    }
  }

  /** Decides within the reserved money alone, and takes it over if that is enough. */
  private boolean takesOver(@Nullable RoutedTurn reserved, RoutingQuery.Builder question) {
    if (reserved == null || reserved.isOver() || !(reserved.funds instanceof Funds there)) {
      return false;
    }
    Charge most = there.atMost();
    decide(question, most.credits(), most.credits().plus(most.byokCost()));
    return plan instanceof RoutePlan.Attempts planned
        && takesOver(reserved, needed(planned.inOrder()));
  }

  /**
   * Takes over the reserved hold without a change in the ledger, so that no other request can get
   * the money in between.
   */
  private boolean takesOver(@Nullable RoutedTurn reserved, Charge atMost) {
    if (reserved == null || !(reserved.funds instanceof Funds there)) {
      return false;
    }
    Charge most = there.atMost();
    if (atMost.credits().isMoreThan(most.credits())
        || atMost.byokCost().isMoreThan(most.byokCost())
        || !reserved.progress.compareAndSet(Progress.Bare.OPEN, Progress.Bare.OVER)) {
      return false;
    }
    funds = there;
    if (isOver()) {
      there.release(); // closed meanwhile
    }
    return true;
  }

  private void decide(RoutingQuery.Builder question, Ledger.Room room) {
    decide(question, left(room.credits()), left(room.withByok()));
  }

  private void decide(
      RoutingQuery.Builder question, @Nullable Usd credits, @Nullable Usd withByok) {
    Snapshot snapshot = exchange.snapshot();
    Statistics published = snapshot.health().published();
    RoutingQuery asked =
        question.statistics(published.sequence()).budget(credits).budgetWithByok(withByok).build();
    statistics = published;
    query = asked;
    plan = snapshot.planner().plan(asked, published);
  }

  private static @Nullable Usd left(Ledger.@Nullable Least least) {
    return least == null ? null : least.left();
  }

  /**
   * Returns the error of a refused plan; when money is missing, the error names the payer.
   *
   * @return null when there is enough money by now and the turn must be decided again
   */
  private @Nullable GatewayError refusal(RoutePlan.NoRoute none) {
    GatewayError planned = none.error();
    return planned.code() == ErrorCode.PAYMENT_REQUIRED
        ? exchange.budget().shortfall(planned, none.needed())
        : planned;
  }

  /**
   * Holds money, or refuses the turn after the last try.
   *
   * @return false when there is less money than the decision assumed and the turn must be decided
   *     again
   */
  private boolean holdOrRefuse(Charge atMost, int attempt) {
    return switch (exchange.budget().hold(atMost)) {
      case RequestBudget.Answer.Funded(Funds granted) -> {
        funds = granted;
        if (isOver()) {
          granted.release(); // closed meanwhile
        }
        yield true;
      }
      case RequestBudget.Answer.Short(GatewayError why) ->
          isRefused(why, attempt == PLANNING_TRIES);
      // the store is down, but a smaller hold may not need it
      case RequestBudget.Answer.Down(GatewayError why) ->
          isRefused(why, attempt == PLANNING_TRIES || !isLess(atMost));
    };
  }

  private boolean isRefused(GatewayError why, boolean last) {
    if (last) {
      refused(why, false, List.of());
    }
    return last;
  }

  /** Returns whether the budgets are known to leave less than this charge. */
  private boolean isLess(Charge atMost) {
    Ledger.Room room = exchange.budget().remainingBudget();
    Ledger.Least credits = room.credits();
    Ledger.Least both = room.withByok();
    return credits != null && atMost.credits().isMoreThan(credits.left())
        || both != null && atMost.credits().plus(atMost.byokCost()).isMoreThan(both.left());
  }

  /**
   * Returns the amount to hold: the cost of the dearest candidate, or, for a reservation, that of
   * the cheapest one.
   */
  private Charge needed(List<PlannedAttempt> candidates) {
    return isReservation() ? cheapest(candidates) : dearest(candidates);
  }

  private Charge cheapest(List<PlannedAttempt> candidates) {
    RoutingQuery asked = asked();
    Charge cheapest = HoldSize.of(candidates.getFirst(), asked);
    for (PlannedAttempt candidate : candidates) {
      Charge one = HoldSize.of(candidate, asked);
      cheapest = total(cheapest).isMoreThan(total(one)) ? one : cheapest;
    }
    return cheapest;
  }

  private static Usd total(Charge charge) {
    return charge.credits().plus(charge.byokCost());
  }

  private Charge dearest(List<PlannedAttempt> candidates) {
    RoutingQuery asked = asked();
    Charge dearest = Charge.ZERO;
    for (PlannedAttempt candidate : candidates) {
      dearest = dearest.max(HoldSize.of(candidate, asked));
    }
    return dearest;
  }

  /** Returns whether the prompt must be compressed to fit one of the candidates. */
  boolean compresses() {
    return plan instanceof RoutePlan.Attempts planned
        && Planner.compresses(planned.inOrder(), asked());
  }

  private RoutingQuery asked() {
    return Objects.requireNonNull(query, "nothing was decided");
  }

  /**
   * How the attempts of a turn are made and watched.
   *
   * @param collected the budget for an answer that is collected; null when it is only passed on
   */
  record Dispatch(
      Watchdog.Watch watch,
      Cancellation cancellation,
      Opener opener,
      OutputBudget.@Nullable Share collected) {}

  /**
   * Makes the attempts that {@link #decide} planned. Afterwards the turn has an answer or an error.
   *
   * @param whenEnded run when the answer has ended and is settled, on the thread that ends it
   */
  void attempt(Dispatch dispatch, Runnable whenEnded) {
    if (isOver()) {
      refused(GatewayError.of(ErrorCode.UNAVAILABLE), true, List.of());
      return;
    }
    if (!(plan instanceof RoutePlan.Attempts planned) || !(funds instanceof Funds granted)) {
      throw new IllegalStateException("no money is held for the turn");
    }
    this.whenEnded = whenEnded;
    Engine engine = exchange.engine();
    Snapshot snapshot = exchange.snapshot();
    InferenceRequest dispatched = dispatched(planned.inOrder());
    CallObservation log = exchange.log();
    var attemptParameters =
        new AttemptLoop.AttemptParameters(
            dispatched,
            EndUser.hash(dispatched, exchange.caller()),
            echoes(dispatched),
            CheckedStream.opener(dispatch.opener(), this::cutAt, dispatch.collected()),
            granted,
            dispatch.cancellation(),
            exchange.isOfBatch(),
            log == null ? null : (endpoint, nanos) -> observe(log, endpoint, nanos));
    var loop =
        new AttemptLoop(
            engine.ambient(),
            snapshot.catalog(),
            snapshot.upstreams(),
            snapshot.deadlines(),
            snapshot.health(),
            engine.codec(),
            engine.endpoints());
    switch (loop.run(planned.inOrder(), attemptParameters, this::outputBounds, dispatch.watch())) {
      case AttemptLoop.Outcome.Exhausted exhausted ->
          refused(exhausted.error(), exhausted.cancelled(), exhausted.attempts());
      case AttemptLoop.Outcome.Delivers delivers -> answered(delivers);
    }
  }

  /** Records that the answer of this endpoint exceeded its hold and is cut. */
  private void cutAt(String endpoint) {
    cut = endpoint;
    exchange.note(new TraceEntry.Note("engine", CUT + endpoint));
  }

  /**
   * Returns the request to send, in which searches that have a price are bounded to those that the
   * hold covers.
   */
  private InferenceRequest dispatched(List<PlannedAttempt> candidates) {
    RoutingQuery asked = asked();
    for (PlannedAttempt one : candidates) {
      if (HoldSize.chargesForSearches(one, asked)) {
        return SearchAllowance.bounded(request);
      }
    }
    return request;
  }

  private static boolean echoes(InferenceRequest request) {
    return request.streaming()
        && request.kind() == Endpoint.Kind.CHAT
        && request.member("debug") instanceof Json.Obj debug
        && Json.TRUE.equals(debug.get("echo_upstream_body"));
  }

  /**
   * Returns the output bounds; a limit set by the gateway is sent only when a budget requires it.
   */
  private AttemptLoop.OutputBounds outputBounds(PlannedAttempt candidate) {
    RoutingQuery asked = asked();
    HoldSize.OutputCap cap = HoldSize.outputCap(candidate, asked);
    if (cap.byBudget()) {
      exchange.note(BudgetCap.note(candidate.endpoint(), cap.tokens()));
    }
    return new AttemptLoop.OutputBounds(cap.limitToSend(candidate.endpoint(), asked), cap.tokens());
  }

  /** Ends the turn without an answer: settles the hold and records the attempts. */
  private void refused(GatewayError why, boolean gone, List<TraceEntry> made) {
    attempts = made;
    error = why;
    cancelled = gone;
    if (progress.compareAndSet(Progress.Bare.OPEN, Progress.Bare.OVER)) {
      Funds held = funds;
      if (held != null) {
        var outcome = gone ? CallRecord.Outcome.CANCELLED : CallRecord.Outcome.ERROR;
        settle(
            held, entries(null), part == Part.ALONE ? exchange.refusal(outcome, why.code()) : null);
      }
    } else {
      close();
    }
  }

  private void answered(AttemptLoop.Outcome.Delivers by) {
    attempts = by.attempts();
    exchange.servedFirst(by.candidate().endpoint());
    if (!progress.compareAndSet(Progress.Bare.OPEN, new Progress.Answering(by))) {
      by.stream().close(); // closed meanwhile: the answer is not read or paid
      endedAt = exchange.engine().ambient().nanoTime();
      endObserved(CallRecord.Outcome.CANCELLED, null, null);
      refused(GatewayError.of(ErrorCode.UNAVAILABLE), true, by.attempts());
    }
  }

  /**
   * Returns whether the turn was refused, or closed before a candidate delivered; then it holds no
   * money.
   */
  boolean isOver() {
    return progress.get() == Progress.Bare.OVER;
  }

  /** Returns the attempt that delivers; null when none does. */
  @Override
  public AttemptLoop.Outcome.@Nullable Delivers delivers() {
    return progress.get() instanceof Progress.Answering now ? now.by() : null;
  }

  /** Returns the error when no candidate delivers; null otherwise. */
  @Nullable GatewayError error() {
    return error;
  }

  /** Returns whether the turn was refused because it was cancelled or closed. */
  boolean cancelled() {
    return cancelled;
  }

  /** Returns the bill; null before the answer has ended, and when there is none. */
  @Override
  public @Nullable Bill bill() {
    return bill;
  }

  /** Returns the settled amount, or the held amount while the turn is under way. */
  Usd spent() {
    Bill settled = bill;
    Funds held = funds;
    if (settled != null) {
      return settled.total();
    }
    return held != null && !isOver() ? held.atMost().credits() : Usd.ZERO;
  }

  /** Returns the endpoint of the plan with this id; null when there is none. */
  @Nullable Endpoint endpoint(String id) {
    if (plan instanceof RoutePlan.Attempts planned) {
      for (PlannedAttempt candidate : planned.inOrder()) {
        if (candidate.endpoint().id().equals(id)) {
          return candidate.endpoint();
        }
      }
    }
    return null;
  }

  /**
   * Returns the trace of the attempts, with the parts of the answer that were lost in translation.
   */
  List<TraceEntry> attempts() {
    AttemptLoop.Outcome.Delivers by = delivers();
    if (by == null || by.losses().all().isEmpty()) {
      return attempts;
    }
    var all = new ArrayList<>(attempts);
    all.add(new TraceEntry.Translated(by.candidate().endpoint().id(), by.losses().all()));
    return all;
  }

  private AttemptLoop.Outcome.Delivers by() {
    return Objects.requireNonNull(delivers(), "nobody delivers");
  }

  @Override
  public @Nullable Event next() {
    Event pending = after;
    if (pending != null) {
      after = null;
      return pending;
    }
    EventStream upstream = by().stream();
    while (!ended.get()) {
      Event event = upstream.next();
      if (event == null) {
        return null;
      }
      transcript.accept(event);
      switch (event) {
        case Event.UsageReport usage -> {
          delivered.add(usage);
          report = usage; // the last report is returned before the end, when it is billed
          reported = usage.usage();
        }
        case Event.Finished finished -> {
          return finish(finished);
        }
        case Event.CompleteAnswer whole -> {
          return complete(whole);
        }
        case Event.Failed failed -> {
          fail(failed);
          return failed;
        }
        default -> {
          delivered.add(event);
          return event;
        }
      }
    }
    return null;
  }

  private Event finish(Event.Finished finished) {
    end(CallRecord.Outcome.COMPLETE, finished.reason(), null, EndCause.of(finished.reason()));
    Bill settled = bill;
    Event.UsageReport usage = report;
    if (settled != null && (usage == null || !settled.usage().equals(usage.usage()))) {
      usage = new Event.UsageReport(settled.usage(), null); // reports what is charged
    }
    if (usage == null) {
      return finished;
    }
    after = finished;
    return usage;
  }

  private Event complete(Event.CompleteAnswer completeAnswer) {
    Answer answer = completeAnswer.answer();
    reported = answer.usage();
    delivered.add(completeAnswer);
    end(CallRecord.Outcome.COMPLETE, answer.stopReason(), null, EndCause.of(answer.stopReason()));
    return completeAnswer;
  }

  private void fail(Event.Failed failed) {
    EndCause cause = EndCause.of(failed);
    if (cause == EndCause.CALLER) {
      end(CallRecord.Outcome.CANCELLED, null, failed.code(), cause);
    } else {
      // not insured: the connection may be lost because the caller did not read
      boolean unread = cause == EndCause.PROVIDER && by().brokeUnread().getAsBoolean();
      EndCause pays = unread ? EndCause.CALLER : cause;
      end(CallRecord.Outcome.ERROR, StopReason.ERROR, failed.code(), pays);
    }
  }

  /** Ends the answer: prices, settles and records it, once. */
  private void end(
      CallRecord.Outcome outcome,
      @Nullable StopReason reason,
      @Nullable ErrorCode why,
      EndCause cause) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    endedAt = exchange.engine().ambient().nanoTime();
    try {
      pay(outcome, reason, why, cause);
    } finally { // also when a host's own ledger throws
      try {
        endObserved(outcome, reason, why);
        whenEnded.run();
      } finally {
        if (part == Part.ALONE) {
          exchange.ended(outcome, reason, why);
        }
      }
    }
  }

  private void endObserved(
      CallRecord.Outcome outcome, @Nullable StopReason reason, @Nullable ErrorCode why) {
    ObservedAttempt attempt = observed;
    if (attempt != null) {
      attempt.ended(outcome, why, reason, bill, endedAt);
    }
  }

  private void pay(
      CallRecord.Outcome outcome,
      @Nullable StopReason reason,
      @Nullable ErrorCode why,
      EndCause cause) {
    PlannedAttempt by = by().candidate();
    Bill total = charged(price(by).of(reported, delivered, cause));
    bill = total;
    if (funds instanceof Funds held) {
      settle(
          held,
          entries(outcome),
          part == Part.ALONE ? exchange.record(outcome, reason, why) : null);
    }
    if (outcome == CallRecord.Outcome.COMPLETE) {
      ModelRef asked = asked().models().get(by.model());
      exchange.served(asked, by.endpoint(), total.usage());
    }
  }

  private Bill charged(Bill priced) {
    Usd held = funds instanceof Funds there ? there.atMost().credits() : Usd.ZERO;
    return exchange.mayBill(priced.total(), held, part == Part.ALONE) ? priced : priced.waived();
  }

  private void settle(Funds held, List<LedgerEntry> entries, @Nullable Generation record) {
    boolean settled = false;
    try {
      held.settle(entries, record);
      settled = true;
    } finally {
      if (!settled && record != null) {
        exchange.recordLost();
      }
    }
  }

  private AnswerPrice price(PlannedAttempt by) {
    int cap = HoldSize.outputCap(by, asked()).tokens();
    String endpoint = by.endpoint().id();
    return new AnswerPrice(
        by, size, cap, exchange.arrivedAt(), () -> endpoint.equals(cut), exchange.isOfBatch());
  }

  /**
   * Returns the ledger entries: one for each attempt, including those that failed or were given up.
   *
   * @param answered how the answer ended; null when no candidate delivered
   */
  private List<LedgerEntry> entries(CallRecord.@Nullable Outcome answered) {
    Instant now = exchange.engine().ambient().now();
    var entries = new ArrayList<LedgerEntry>(1);
    for (TraceEntry entry : attempts) {
      if (entry instanceof TraceEntry.Attempted attempted) {
        entries.add(entry(attempted, answered, now));
      }
    }
    return entries;
  }

  private LedgerEntry entry(
      TraceEntry.Attempted attempted, CallRecord.@Nullable Outcome answered, Instant now) {
    Bill paid = attempted.failure() == null ? bill : null;
    return new LedgerEntry(
        exchange.id(),
        exchange.nextEntryNumber(),
        now,
        attempted.endpoint(),
        Objects.requireNonNullElse(attempted.byokKey(), ""),
        paid == null || answered == null ? outcome(attempted.failure()) : answered,
        paid == null ? Usage.NONE : paid.usage(),
        paid == null ? Charge.ZERO : paid.charge());
  }

  private static CallRecord.Outcome outcome(@Nullable FailureKind failure) {
    return failure == null || failure == FailureKind.CANCELLED
        ? CallRecord.Outcome.CANCELLED
        : CallRecord.Outcome.ERROR;
  }

  /**
   * Returns the {@link Ambient#nanoTime()} when the answer ended; the current time while it has
   * not.
   */
  @Override
  public long endedNanos() {
    return ended.get() ? endedAt : exchange.engine().ambient().nanoTime();
  }

  @Override
  public boolean ready() {
    return after != null || ended.get() || by().stream().ready();
  }

  /** Ends the turn if it is under way. Settled money stays settled. */
  @Override
  public void close() {
    close(EndCause.CALLER);
  }

  /** Closes the turn; the cause decides who pays for the delivered output. */
  void close(EndCause cause) {
    if (progress.get() instanceof Progress.Answering now) {
      try {
        now.by().stream().close();
      } finally {
        end(CallRecord.Outcome.CANCELLED, null, null, cause);
      }
    } else if (progress.compareAndSet(Progress.Bare.OPEN, Progress.Bare.OVER)) {
      Funds held = funds;
      if (held != null) {
        held.release();
      }
    } else if (!isOver()) {
      close(cause); // a candidate began to deliver in between
    }
  }
}
