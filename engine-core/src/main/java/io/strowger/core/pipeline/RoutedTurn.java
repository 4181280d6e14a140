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
 * One decision and what came of it: the steps 7 to 15 of the pipeline, once. It {@linkplain #plan
 * decides} and sets money aside, {@linkplain #attempt attempts}, and is then the answer, counted
 * while it is handed out. A plain request has one; a plugin that goes on several times makes
 * several, each decided anew, and a later one prefers who served the first.
 *
 * <p>The answer ends once, in one of three ways: complete, failed, or given up; then what was
 * delivered is priced and settled. The upstream's own count wins; without one, what passed is
 * counted and marked as estimated. What is set aside ends once: with the answer that has begun, or
 * with the turn when it is refused or closed before. An answer that comes after that is nobody's.
 *
 * <p>Written by the thread that serves it until its answer begins; read by one thread from there
 * on, and ended by any.
 */
final class RoutedTurn implements FinishedRequest.Turn, Reply.Begun {
  /** Begins the note that an answer went beyond its hold and was cut there. */
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
  private volatile @Nullable ObservedAttempt observed; // the last one; null where nobody observes

  // of the answer
  private final AtomicBoolean ended = new AtomicBoolean();
  private final DeliveredOutput delivered = new DeliveredOutput();
  private Runnable whenEnded = () -> {};
  private volatile @Nullable Usage reported;
  private volatile @Nullable Bill bill;
  private volatile long endedAt;
  private Event.@Nullable UsageReport report;
  private @Nullable Event after; // the ending event, while the usage report before it is handed out

  /** How far it has come. */
  private sealed interface Progress {
    /** Nobody delivers yet, or nobody ever will. */
    enum Bare implements Progress {
      OPEN,
      OVER
    }

    /** Somebody delivers. */
    record Answering(AttemptLoop.Outcome.Delivers by) implements Progress {}
  }

  /** What a turn is of its exchange. */
  enum Part {
    /** All there is of it: with the turn it ends. */
    ALONE,
    /** A step on the way to its answer. */
    CHAINED,
    /** A call that a plugin or a tool makes beside that. */
    INNER,
    /** The money of a turn that comes later; it is never made itself. */
    RESERVED
  }

  RoutedTurn(CallExchange exchange, InferenceRequest request, Part part) {
    this(exchange, request, part, null);
  }

  /** Makes a turn of an inner call of this name. */
  static RoutedTurn ofCall(CallExchange exchange, InferenceRequest request, String call) {
    return new RoutedTurn(exchange, request, Part.INNER, call);
  }

  /** Makes one that only sets money aside for a later turn of an inner call. */
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

  /** Whether it is of a call that a plugin or a tool makes. */
  boolean isInner() {
    return part == Part.INNER || isReservation();
  }

  /** Whether it only sets money aside for a later one. */
  boolean isReservation() {
    return part == Part.RESERVED;
  }

  /** The name of that call; null when it is the caller's own request. */
  @Override
  public @Nullable String innerCall() {
    return innerCall;
  }

  /** What there is to say of the answer beside its bill. */
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

  /** Null before anything was decided. */
  @Nullable RoutePlan plan() {
    return plan;
  }

  /**
   * Decides and sets money aside. A turn that cannot be made has an {@linkplain #error error}. The
   * first decision takes the budgets for untouched, and where its hold is granted nobody has to
   * look at the books of all payers: everybody in the plan can then be paid. Otherwise what the
   * budgets really leave is asked, and it is decided again.
   *
   * @param reserved a turn that is not made, whose money this one takes over where it is enough;
   *     what this one does not need is free again once it has its own. Null: nothing was reserved
   * @throws io.strowger.core.plan.PluginFailureException when a router breaks its promise
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

  private RoutingQuery.Builder question() {
    Snapshot snapshot = exchange.snapshot();
    List<ModelRef> models =
        request == exchange.request()
            ? exchange.models()
            : RoutingQueryFactory.models(request, snapshot.terms(), exchange.caller());
    return RoutingQueryFactory.of(request, models, size, snapshot, exchange.caller())
        .sticky(exchange.preferred(models))
        .batch(exchange.isOfBatch())
        .at(exchange.arrivedAt())
        .seed(exchange.seed());
  }

  /**
   * Returns the least that pays for this turn, whatever the budgets leave. Sets nothing aside.
   *
   * @throws io.strowger.spi.error.GatewayException when no endpoint can serve it at any price
   */
  Usd price() {
    RoutingQuery.Builder question = question();
    decide(question, Usd.ZERO, Usd.ZERO); // with nothing to spend, what is missing is the price
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
    RoutingQuery.Builder question = question();
    Ledger.Room room = exchange.budget().limits();
    boolean limited = room != Ledger.Room.UNLIMITED;
    for (int attempt = limited ? 0 : 1; ; attempt++) { // the one without a look at the books is 0
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
          if (takesOver(reserved, most) || isSettled(most, attempt)) {
            return;
          }
        }
      }
      if (takesOver(reserved, question)) {
        return;
      }
      if (reserved != null) {
        reserved.close(); // not enough: all there is is to be had again
      }
      room = exchange.budget().remainingBudget();
    }
  }

  /** Decides within what was reserved, as if there were no other money, and takes that over. */
  private boolean takesOver(@Nullable RoutedTurn reserved, RoutingQuery.Builder question) {
    if (reserved == null || reserved.isOver() || !(reserved.funds instanceof Funds there)) {
      return false;
    }
    Charge most = there.atMost();
    decide(question, most.credits(), most.credits().plus(most.byokCost()));
    return plan instanceof RoutePlan.Attempts planned
        && takesOver(reserved, needed(planned.inOrder()));
  }

  /** Takes over what was reserved: the ledger sees nothing of it, so nobody can come in between. */
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
    Statistics published = snapshot.board().published();
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
   * What is too dear for what somebody lets the caller spend is not the caller's to pay.
   *
   * @return null when there is more money by now: look again
   */
  private @Nullable GatewayError refusal(RoutePlan.NoRoute none) {
    GatewayError planned = none.error();
    return planned.code() == ErrorCode.PAYMENT_REQUIRED
        ? exchange.budget().shortfall(planned, none.needed())
        : planned;
  }

  /**
   * Sets money aside.
   *
   * @return false when there is not as much as was taken for granted: look again
   */
  private boolean isSettled(Charge atMost, int attempt) {
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
      // what is in hand may do for a smaller hold, which asks no store
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

  /** Whether the budgets are known to leave less than this. */
  private boolean isLess(Charge atMost) {
    Ledger.Room room = exchange.budget().remainingBudget();
    Ledger.Least credits = room.credits();
    Ledger.Least both = room.withByok();
    return credits != null && atMost.credits().isMoreThan(credits.left())
        || both != null && atMost.credits().plus(atMost.byokCost()).isMoreThan(both.left());
  }

  /** What is set aside pays for the cheapest way; a turn that is made, for all it may try. */
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

  /** Whether the prompt has to be made to fit one of those that may be asked. */
  boolean compresses() {
    return plan instanceof RoutePlan.Attempts planned
        && Planner.compresses(planned.inOrder(), asked());
  }

  private RoutingQuery asked() {
    return Objects.requireNonNull(query, "nothing was decided");
  }

  /**
   * How the attempts of a turn are made, and under whose eye.
   *
   * @param collected memory for what is collected of the answer; null when it is only passed on
   */
  record Dispatch(
      Watchdog.Watch watch,
      Cancellation cancellation,
      Opener opener,
      OutputBudget.@Nullable Share collected) {}

  /**
   * Attempts what {@link #decide} planned: afterwards it has an answer or an error.
   *
   * @param whenEnded run when the answer has ended and is paid, on whichever thread ends it
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
    var template =
        new AttemptLoop.Template(
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
            snapshot.board(),
            engine.codec(),
            engine.endpoints());
    switch (loop.run(planned.inOrder(), template, this::outputBounds, dispatch.watch())) {
      case AttemptLoop.Outcome.Exhausted exhausted ->
          refused(exhausted.error(), exhausted.cancelled(), exhausted.attempts());
      case AttemptLoop.Outcome.Delivers delivers -> answered(delivers);
    }
  }

  /** The answer of this endpoint went beyond what it was asked for, and is cut. */
  private void cutAt(String endpoint) {
    cut = endpoint;
    exchange.note(new TraceEntry.Note("engine", CUT + endpoint));
  }

  /** Searches that cost something get a bound, as the hold covers no more. */
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

  /** The caller's own limit is sent as it came; a limit of ours is sent where a budget needs it. */
  private AttemptLoop.OutputBounds outputBounds(PlannedAttempt candidate) {
    RoutingQuery asked = asked();
    HoldSize.OutputCap cap = HoldSize.outputCap(candidate, asked);
    if (cap.byBudget()) {
      exchange.note(BudgetCap.note(candidate.endpoint(), cap.tokens()));
    }
    return new AttemptLoop.OutputBounds(cap.limitToSend(candidate.endpoint(), asked), cap.tokens());
  }

  /** Nobody delivers. What was set aside is free again, and what was tried is written down. */
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
      by.stream().close(); // closed meanwhile: nobody will read or pay what is delivered
      endedAt = exchange.engine().ambient().nanoTime();
      endObserved(CallRecord.Outcome.CANCELLED, null, null);
      refused(GatewayError.of(ErrorCode.UNAVAILABLE), true, by.attempts());
    }
  }

  /** Refused, or closed before anybody delivered: nothing is set aside any more. */
  boolean isOver() {
    return progress.get() == Progress.Bare.OVER;
  }

  /** Who delivers; null when nobody does. */
  @Override
  public AttemptLoop.Outcome.@Nullable Delivers delivers() {
    return progress.get() instanceof Progress.Answering now ? now.by() : null;
  }

  /** Why nobody delivers; null when somebody does. */
  @Nullable GatewayError error() {
    return error;
  }

  /** Nobody delivers because nobody waits any more. */
  boolean cancelled() {
    return cancelled;
  }

  /** What it costs; null while its answer has not ended, and when there is none. */
  @Override
  public @Nullable Bill bill() {
    return bill;
  }

  /** Money settled, or set aside while it is under way. */
  Usd spent() {
    Bill settled = bill;
    Funds held = funds;
    if (settled != null) {
      return settled.total();
    }
    return held != null && !isOver() ? held.atMost().credits() : Usd.ZERO;
  }

  /** An endpoint of its plan by its id; null when the plan has none of this id. */
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

  /** The facts of its attempts, and what the one that delivers lost in translation. */
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
          report = usage; // a later one replaces it; handed out before the end, when it is billed
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
      usage = new Event.UsageReport(settled.usage(), null); // what is charged is what is told
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
      // a connection that was lost because the caller did not read, maybe, is not insured
      boolean unread = cause == EndCause.PROVIDER && by().brokeUnread().getAsBoolean();
      EndCause pays = unread ? EndCause.CALLER : cause;
      end(CallRecord.Outcome.ERROR, StopReason.ERROR, failed.code(), pays);
    }
  }

  /** The answer has ended: prices, pays and records it, once. */
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
    } finally { // also when a ledger of somebody else's breaks its promise
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
   * The lines of the books: one for each attempt, those that failed or were given up too.
   *
   * @param answered how the answer ended; null when nobody delivered
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
        exchange.nextAct(),
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

  /** When the answer ended on {@link Ambient#nanoTime()}; now, while it has not. */
  @Override
  public long endedNanos() {
    return ended.get() ? endedAt : exchange.engine().ambient().nanoTime();
  }

  @Override
  public boolean ready() {
    return after != null || ended.get() || by().stream().ready();
  }

  /** Ends whatever of it is under way. What was settled stays settled. */
  @Override
  public void close() {
    close(EndCause.CALLER);
  }

  /** As {@link #close()}; what made it necessary decides who pays for what was delivered. */
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
      close(cause); // somebody began to deliver in between
    }
  }
}
