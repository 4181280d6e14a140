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
 * One decision with its attempts and its answer: one pass through the steps from plan to meter. A
 * plain request has one turn. A plugin that proceeds several times makes several turns; each turn
 * is decided anew, and the later ones prefer the endpoint of the first.
 *
 * <p>The steps of a turn are {@link #decide}, which plans and holds money, {@link #attempt}, which
 * tries the candidates of the plan, and {@link #next}, which reads the answer of the candidate that
 * delivers. A turn is open until a candidate delivers, or until the turn is over ({@link #isOver}):
 * refused, or closed before an answer began. An answer that arrives when the turn is over is
 * dropped.
 *
 * <p>The answer ends exactly once: complete, failed or closed. Then the delivered output is priced
 * and settled. The upstream's own count is used; without one, the usage is estimated and marked as
 * an estimate. The hold ends exactly once, too: when the answer ends, or when the turn is over. The
 * hold of a reservation may instead pass to another turn.
 *
 * <p>One thread decides and attempts. From then on one thread, which may be another, calls {@link
 * #next}. Any thread may close the turn at any time. There is no lock: the fields {@code progress}
 * and {@code ended} determine which thread ends the turn or its answer.
 */
final class RoutedTurn implements FinishedRequest.Turn, Reply.MeteredAnswer {
  /** The prefix of the note that an answer exceeded its hold and was cut there. */
  static final String CUT_NOTE_PREFIX = "output_cut_at_hold: ";

  private static final int LAST_PLANNING_ROUND = 3; // the round in which a refusal is final

  private final CallExchange exchange;
  private final InferenceRequest request;
  private final TurnRole role;
  private final @Nullable String innerCall;
  private final PromptSize size;
  private final AnswerTranscript transcript;
  private Statistics statistics = Statistics.NONE;
  private volatile @Nullable RoutingQuery query;
  private volatile @Nullable RoutePlan plan;
  private volatile @Nullable Funds funds;
  private volatile List<TraceEntry> attempts = List.of();
  private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.NoAnswer.OPEN);
  private volatile @Nullable GatewayError error;
  private volatile boolean isCancelled; // refused because it was cancelled or closed
  private volatile @Nullable String cutEndpoint; // its answer was cut at the hold; null if none
  private volatile @Nullable ObservedAttempt observedAttempt; // of the last attempt; null if none

  // of the answer
  private final AtomicBoolean ended = new AtomicBoolean();
  private final DeliveredOutput deliveredOutput = new DeliveredOutput();
  private Runnable onEnd = () -> {};
  private volatile @Nullable Usage reportedUsage;
  private volatile @Nullable Bill bill;
  private volatile long endedAt;
  private Event.@Nullable UsageReport usageReport; // the last one
  // the event that next() returns after the usage report; null otherwise
  private @Nullable Event endingEvent;

  /** The progress of a turn. */
  private sealed interface Progress {
    /** No candidate delivers: not yet, or not any more. */
    enum NoAnswer implements Progress {
      OPEN,
      OVER
    }

    /** A candidate delivers. */
    record Answering(AttemptLoop.Outcome.Delivery delivery) implements Progress {}
  }

  /** What a turn is for in its exchange. */
  enum TurnRole {
    /** The only turn: the exchange ends with it. */
    ONLY_TURN,
    /** A turn that plugins make for the caller's own answer. */
    PLUGIN_TURN,
    /** A turn of an inner call of a plugin or a tool. */
    INNER_CALL,
    /** Holds the money of a later turn; makes no attempts itself. */
    RESERVATION
  }

  RoutedTurn(CallExchange exchange, InferenceRequest request, TurnRole role) {
    this(exchange, request, role, null);
  }

  /** Creates a turn of the inner call with this name. */
  static RoutedTurn ofCall(CallExchange exchange, InferenceRequest request, String call) {
    return new RoutedTurn(exchange, request, TurnRole.INNER_CALL, call);
  }

  /** Creates a turn that only holds money for a later turn of an inner call. */
  static RoutedTurn reservation(CallExchange exchange, InferenceRequest request, String call) {
    return new RoutedTurn(exchange, request, TurnRole.RESERVATION, call);
  }

  private RoutedTurn(
      CallExchange exchange, InferenceRequest request, TurnRole role, @Nullable String innerCall) {
    this.exchange = exchange;
    this.request = request;
    this.role = role;
    this.innerCall = innerCall;
    this.size = PromptSize.of(request);
    this.transcript = exchange.newTranscript();
  }

  InferenceRequest request() {
    return request;
  }

  /** Returns whether this is a turn of an inner call, or a reservation. */
  boolean isInner() {
    return role == TurnRole.INNER_CALL || isReservation();
  }

  /** Returns whether the turn only holds money for a later turn. */
  boolean isReservation() {
    return role == TurnRole.RESERVATION;
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
   * @param reservation a reservation whose money this turn takes over if it is enough; otherwise it
   *     is released. Null when nothing was reserved
   * @throws io.strowger.core.plan.PluginFailureException when a router breaks its contract
   */
  void decide(@Nullable RoutedTurn reservation) {
    exchange.addTurn(this);
    try {
      fund(reservation);
    } finally {
      if (reservation != null) {
        reservation.close();
      }
    }
    CallObservation observation = exchange.observation();
    if (observation != null) {
      observeDecision(observation, reservation);
    }
  }

  private void observeDecision(CallObservation observation, @Nullable RoutedTurn reservation) {
    long now = exchange.engine().ambient().nanoTime();
    GatewayError refusal = error;
    int candidates =
        plan instanceof RoutePlan.Attempts attemptPlan ? attemptPlan.candidates().size() : 0;
    observation.recordPlan(innerCall, candidates, refusal == null ? null : refusal.code(), now);
    boolean isNew = reservation == null || funds != reservation.funds;
    if (refusal == null && isNew && funds instanceof Funds grantedFunds) {
      observation.recordHold(
          innerCall, CallRecord.Step.Held.ATTEMPTS, grantedFunds.maxCharge().credits(), now);
    }
  }

  private ObservedAttempt observe(CallObservation observation, Endpoint endpoint, long nanos) {
    ObservedAttempt newAttempt = observation.begin(innerCall, endpoint, nanos);
    observedAttempt = newAttempt;
    return newAttempt;
  }

  private RoutingQuery.Builder queryBuilder() {
    Snapshot snapshot = exchange.snapshot();
    List<ModelRef> models =
        request == exchange.filteredRequest()
            ? exchange.models()
            : RoutingQueryFactory.models(request, snapshot.accountPolicy(), exchange.caller());
    return RoutingQueryFactory.of(request, models, size, snapshot, exchange.caller())
        .stickyEndpoints(exchange.preferredEndpoints(models))
        .batch(exchange.isOfBatch())
        .at(exchange.arrivedAt())
        .seed(exchange.seed());
  }

  /**
   * Returns the smallest amount that pays for this turn, whatever the budgets leave. Replaces the
   * plan; holds nothing.
   *
   * @throws io.strowger.spi.error.GatewayException when no endpoint can serve it at any price
   */
  Usd price() {
    RoutingQuery.Builder queryBuilder = queryBuilder();
    decide(queryBuilder, Usd.ZERO, Usd.ZERO); // with empty budgets, the missing amount is the price
    if (plan instanceof RoutePlan.NoRoute noRoute && noRoute.neededAmount() instanceof Usd needed) {
      return needed;
    }
    decide(queryBuilder, null, null);
    return switch (Objects.requireNonNull(plan)) {
      case RoutePlan.NoRoute noRoute -> throw noRoute.error().toException();
      case RoutePlan.Attempts attemptPlan -> cheapest(attemptPlan.candidates()).credits();
    };
  }

  /** Plans and holds money in up to four rounds, until the money is held or the turn is refused. */
  private void fund(@Nullable RoutedTurn reservation) {
    RoutingQuery.Builder queryBuilder = queryBuilder();
    Ledger.AvailableAmounts available = exchange.budget().limits();
    boolean hasLimits = available != Ledger.AvailableAmounts.UNLIMITED;
    // round 0 does not read the books
    for (int planningRound = hasLimits ? 0 : 1; ; planningRound++) {
      decide(queryBuilder, available);
      boolean isLast = planningRound == LAST_PLANNING_ROUND;
      switch (Objects.requireNonNull(plan)) {
        case RoutePlan.NoRoute noRoute -> {
          GatewayError refusal = planningRound == 0 ? null : refusal(noRoute);
          if (refusal != null || isLast) {
            refuse(refusal == null ? noRoute.error() : refusal, false, List.of());
            return;
          }
        }
        case RoutePlan.Attempts attemptPlan -> {
          Charge maxCharge = requiredHold(attemptPlan.candidates());
          if (tryTakeOver(reservation, maxCharge) || holdOrRefuse(maxCharge, planningRound)) {
            return;
          }
        }
      }
      if (tryTakeOver(reservation, queryBuilder)) {
        return;
      }
      if (reservation != null) {
        reservation.close(); // not enough: releases its money
      }
      available = exchange.budget().remainingBudget();
    }
  }

  /**
   * Plans within the reserved money alone, and takes the money over if it is enough for that plan.
   */
  private boolean tryTakeOver(@Nullable RoutedTurn reservation, RoutingQuery.Builder queryBuilder) {
    if (reservation == null
        || reservation.isOver()
        || !(reservation.funds instanceof Funds reservedFunds)) {
      return false;
    }
    Charge heldCharge = reservedFunds.maxCharge();
    decide(queryBuilder, heldCharge.credits(), heldCharge.credits().plus(heldCharge.byokCost()));
    return plan instanceof RoutePlan.Attempts attemptPlan
        && tryTakeOver(reservation, requiredHold(attemptPlan.candidates()));
  }

  /**
   * Takes over the reserved hold without a change in the ledger, so that no other request can get
   * the money in between.
   */
  private boolean tryTakeOver(@Nullable RoutedTurn reservation, Charge maxCharge) {
    if (reservation == null || !(reservation.funds instanceof Funds reservedFunds)) {
      return false;
    }
    Charge heldCharge = reservedFunds.maxCharge();
    if (maxCharge.credits().isMoreThan(heldCharge.credits())
        || maxCharge.byokCost().isMoreThan(heldCharge.byokCost())
        || !reservation.progress.compareAndSet(Progress.NoAnswer.OPEN, Progress.NoAnswer.OVER)) {
      return false;
    }
    funds = reservedFunds;
    if (isOver()) {
      reservedFunds.release(); // closed meanwhile
    }
    return true;
  }

  /** Plans within these amounts; holds nothing. */
  private void decide(RoutingQuery.Builder queryBuilder, Ledger.AvailableAmounts available) {
    decide(queryBuilder, remaining(available.credits()), remaining(available.withByok()));
  }

  /** Plans within these amounts, null for no limit; holds nothing. */
  private void decide(
      RoutingQuery.Builder queryBuilder, @Nullable Usd credits, @Nullable Usd withByok) {
    Snapshot snapshot = exchange.snapshot();
    Statistics published = snapshot.health().published();
    RoutingQuery newQuery =
        queryBuilder
            .statisticsSequence(published.sequence())
            .budget(credits)
            .budgetWithByok(withByok)
            .build();
    statistics = published;
    query = newQuery;
    plan = snapshot.planner().plan(newQuery, published);
  }

  private static @Nullable Usd remaining(Ledger.@Nullable TightestBudget budget) {
    return budget == null ? null : budget.remaining();
  }

  /**
   * Returns the error of a refused plan; when money is missing, the error names the payer.
   *
   * @return null when there is enough money by now and the turn must be decided again
   */
  private @Nullable GatewayError refusal(RoutePlan.NoRoute noRoute) {
    GatewayError planError = noRoute.error();
    return planError.code() == ErrorCode.PAYMENT_REQUIRED
        ? exchange.budget().shortfall(planError, noRoute.neededAmount())
        : planError;
  }

  /**
   * Holds money for the plan, or refuses the turn if deciding again cannot help.
   *
   * @return true when the money is held or the turn is refused for good; false when the turn must
   *     be decided again, since there is less money than the plan assumed
   */
  private boolean holdOrRefuse(Charge maxCharge, int planningRound) {
    return switch (exchange.budget().hold(maxCharge)) {
      case RequestBudget.HoldResult.Funded(Funds grantedFunds) -> {
        funds = grantedFunds;
        if (isOver()) {
          grantedFunds.release(); // closed meanwhile
        }
        yield true;
      }
      case RequestBudget.HoldResult.Short(GatewayError refusal) ->
          refuseIfLast(refusal, planningRound == LAST_PLANNING_ROUND);
      // a store does not answer: decide again only if this charge is known to exceed the budgets,
      // because a cheaper plan may be held without the store; otherwise refuse
      case RequestBudget.HoldResult.Unavailable(GatewayError refusal) ->
          refuseIfLast(refusal, planningRound == LAST_PLANNING_ROUND || !isUnaffordable(maxCharge));
    };
  }

  /** Refuses the turn in the last round; returns whether it is the last. */
  private boolean refuseIfLast(GatewayError refusal, boolean isLast) {
    if (isLast) {
      refuse(refusal, false, List.of());
    }
    return isLast;
  }

  /** Returns whether the budgets are known to leave less than this charge. */
  private boolean isUnaffordable(Charge charge) {
    Ledger.AvailableAmounts available = exchange.budget().remainingBudget();
    Ledger.TightestBudget credits = available.credits();
    Ledger.TightestBudget withByok = available.withByok();
    return credits != null && charge.credits().isMoreThan(credits.remaining())
        || withByok != null
            && charge.credits().plus(charge.byokCost()).isMoreThan(withByok.remaining());
  }

  /**
   * Returns the amount to hold: the cost of the dearest candidate, or, for a reservation, that of
   * the cheapest one.
   */
  private Charge requiredHold(List<PlannedAttempt> candidates) {
    return isReservation() ? cheapest(candidates) : dearest(candidates);
  }

  private Charge cheapest(List<PlannedAttempt> candidates) {
    RoutingQuery decidedQuery = requireQuery();
    Charge cheapest = HoldSize.of(candidates.getFirst(), decidedQuery);
    for (PlannedAttempt candidate : candidates) {
      Charge charge = HoldSize.of(candidate, decidedQuery);
      cheapest = totalOf(cheapest).isMoreThan(totalOf(charge)) ? charge : cheapest;
    }
    return cheapest;
  }

  private static Usd totalOf(Charge charge) {
    return charge.credits().plus(charge.byokCost());
  }

  private Charge dearest(List<PlannedAttempt> candidates) {
    RoutingQuery decidedQuery = requireQuery();
    Charge dearest = Charge.ZERO;
    for (PlannedAttempt candidate : candidates) {
      dearest = dearest.max(HoldSize.of(candidate, decidedQuery));
    }
    return dearest;
  }

  /** Returns whether at least one of the candidates needs the prompt compressed. */
  boolean needsCompression() {
    return plan instanceof RoutePlan.Attempts attemptPlan
        && Planner.needsCompression(attemptPlan.candidates(), requireQuery());
  }

  private RoutingQuery requireQuery() {
    return Objects.requireNonNull(query, "nothing was decided");
  }

  /**
   * How the attempts of a turn are made and watched.
   *
   * @param outputShare the budget for an answer that is collected; null when it is only passed on
   */
  record Dispatch(
      Watchdog.Watch watch,
      Cancellation cancellation,
      Opener opener,
      OutputBudget.@Nullable Share outputShare) {}

  /**
   * Makes the attempts that {@link #decide} planned. Afterwards the turn has an answer or an error.
   *
   * @param onEnd run when the answer has ended and is settled, on the thread that ends it
   */
  void attempt(Dispatch dispatch, Runnable onEnd) {
    if (isOver()) {
      refuse(GatewayError.of(ErrorCode.UNAVAILABLE), true, List.of());
      return;
    }
    if (!(plan instanceof RoutePlan.Attempts attemptPlan)
        || !(funds instanceof Funds grantedFunds)) {
      throw new IllegalStateException("no money is held for the turn");
    }
    this.onEnd = onEnd;
    Engine engine = exchange.engine();
    Snapshot snapshot = exchange.snapshot();
    InferenceRequest requestToSend = requestToSend(attemptPlan.candidates());
    CallObservation observation = exchange.observation();
    var attemptParameters =
        new AttemptLoop.AttemptParameters(
            requestToSend,
            EndUser.hash(requestToSend, exchange.caller()),
            wantsUpstreamEcho(requestToSend),
            CheckedStream.opener(dispatch.opener(), this::cutAt, dispatch.outputShare()),
            grantedFunds,
            dispatch.cancellation(),
            exchange.isOfBatch(),
            observation == null
                ? null
                : (endpoint, nanos) -> observe(observation, endpoint, nanos));
    var loop =
        new AttemptLoop(
            engine.ambient(),
            snapshot.catalog(),
            snapshot.upstreams(),
            snapshot.deadlines(),
            snapshot.health(),
            engine.codec(),
            engine.endpointLimiter());
    switch (loop.run(
        attemptPlan.candidates(), attemptParameters, this::outputBounds, dispatch.watch())) {
      case AttemptLoop.Outcome.Exhausted exhausted ->
          refuse(exhausted.error(), exhausted.cancelled(), exhausted.attempts());
      case AttemptLoop.Outcome.Delivery delivery -> beginAnswer(delivery);
    }
  }

  /** Records that the answer of this endpoint exceeded its hold and is cut. */
  private void cutAt(String endpoint) {
    cutEndpoint = endpoint;
    exchange.note(new TraceEntry.Note("engine", CUT_NOTE_PREFIX + endpoint));
  }

  /**
   * Returns the request to send, in which searches that have a price are bounded to those that the
   * hold covers.
   */
  private InferenceRequest requestToSend(List<PlannedAttempt> candidates) {
    RoutingQuery decidedQuery = requireQuery();
    for (PlannedAttempt candidate : candidates) {
      if (HoldSize.chargesForSearches(candidate, decidedQuery)) {
        return SearchAllowance.withBounds(request);
      }
    }
    return request;
  }

  private static boolean wantsUpstreamEcho(InferenceRequest request) {
    return request.streaming()
        && request.kind() == Endpoint.Kind.CHAT
        && request.member("debug") instanceof Json.Obj debug
        && Json.TRUE.equals(debug.get("echo_upstream_body"));
  }

  /**
   * Returns the output bounds; a limit set by the gateway is sent only when a budget requires it.
   */
  private AttemptLoop.OutputBounds outputBounds(PlannedAttempt candidate) {
    RoutingQuery decidedQuery = requireQuery();
    HoldSize.OutputCap cap = HoldSize.outputCap(candidate, decidedQuery);
    if (cap.byBudget()) {
      exchange.note(BudgetCap.note(candidate.endpoint(), cap.tokens()));
    }
    return new AttemptLoop.OutputBounds(
        cap.limitToSend(candidate.endpoint(), decidedQuery), cap.tokens());
  }

  /** Ends the turn without an answer: settles the hold and records the attempts. */
  private void refuse(
      GatewayError refusal, boolean wasCancelled, List<TraceEntry> finishedAttempts) {
    attempts = finishedAttempts;
    error = refusal;
    isCancelled = wasCancelled;
    if (progress.compareAndSet(Progress.NoAnswer.OPEN, Progress.NoAnswer.OVER)) {
      Funds currentFunds = funds;
      if (currentFunds != null) {
        var outcome = wasCancelled ? CallRecord.Outcome.CANCELLED : CallRecord.Outcome.ERROR;
        settle(
            currentFunds,
            entries(null),
            role == TurnRole.ONLY_TURN
                ? exchange.createRefusalRecord(outcome, refusal.code())
                : null);
      }
    } else {
      close();
    }
  }

  /** Begins the answer of the candidate that delivers, or drops it when the turn is over. */
  private void beginAnswer(AttemptLoop.Outcome.Delivery delivery) {
    attempts = delivery.attempts();
    exchange.recordFirstEndpoint(delivery.candidate().endpoint());
    if (!progress.compareAndSet(Progress.NoAnswer.OPEN, new Progress.Answering(delivery))) {
      delivery.stream().close(); // closed meanwhile: the answer is not read or paid
      endedAt = exchange.engine().ambient().nanoTime();
      endObservation(CallRecord.Outcome.CANCELLED, null, null);
      refuse(GatewayError.of(ErrorCode.UNAVAILABLE), true, delivery.attempts());
    }
  }

  /**
   * Returns whether the turn was refused, or closed before a candidate delivered; then it holds no
   * money.
   */
  boolean isOver() {
    return progress.get() == Progress.NoAnswer.OVER;
  }

  /** Returns the answer of the candidate that delivers; null when none does. */
  @Override
  public AttemptLoop.Outcome.@Nullable Delivery delivery() {
    return progress.get() instanceof Progress.Answering answering ? answering.delivery() : null;
  }

  /** Returns the error when no candidate delivers; null otherwise. */
  @Nullable GatewayError error() {
    return error;
  }

  /** Returns whether the turn was refused because it was cancelled or closed. */
  boolean isCancelled() {
    return isCancelled;
  }

  /** Returns the bill; null before the answer has ended, and when there is none. */
  @Override
  public @Nullable Bill bill() {
    return bill;
  }

  /** Returns the settled amount, or the held amount while the turn is under way. */
  Usd spent() {
    Bill currentBill = bill;
    Funds currentFunds = funds;
    if (currentBill != null) {
      return currentBill.total();
    }
    return currentFunds != null && !isOver() ? currentFunds.maxCharge().credits() : Usd.ZERO;
  }

  /** Returns the endpoint of the plan with this id; null when there is none. */
  @Nullable Endpoint endpoint(String id) {
    if (plan instanceof RoutePlan.Attempts attemptPlan) {
      for (PlannedAttempt candidate : attemptPlan.candidates()) {
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
    AttemptLoop.Outcome.Delivery delivery = delivery();
    if (delivery == null || delivery.losses().all().isEmpty()) {
      return attempts;
    }
    var result = new ArrayList<>(attempts);
    result.add(
        new TraceEntry.Translated(delivery.candidate().endpoint().id(), delivery.losses().all()));
    return result;
  }

  private AttemptLoop.Outcome.Delivery requireDelivery() {
    return Objects.requireNonNull(delivery(), "no candidate delivers");
  }

  @Override
  public @Nullable Event next() {
    Event pending = endingEvent;
    if (pending != null) {
      endingEvent = null;
      return pending;
    }
    EventStream upstream = requireDelivery().stream();
    while (!ended.get()) {
      Event event = upstream.next();
      if (event == null) {
        return null;
      }
      transcript.accept(event);
      switch (event) {
        case Event.UsageReport usage -> {
          deliveredOutput.add(usage);
          usageReport = usage; // finish() returns the last report before the ending event
          reportedUsage = usage.usage();
        }
        case Event.Finished finished -> {
          return finish(finished);
        }
        case Event.CompleteAnswer completeAnswer -> {
          return complete(completeAnswer);
        }
        case Event.Failed failure -> {
          fail(failure);
          return failure;
        }
        default -> {
          deliveredOutput.add(event);
          return event;
        }
      }
    }
    return null;
  }

  /**
   * Ends a streamed answer. Returns the usage report, after which {@link #next} returns the ending
   * event; the ending event itself when there is no usage to report.
   */
  private Event finish(Event.Finished finished) {
    end(CallRecord.Outcome.COMPLETE, finished.reason(), null, EndCause.of(finished.reason()));
    Bill total = bill;
    Event.UsageReport usage = usageReport;
    if (total != null && (usage == null || !total.usage().equals(usage.usage()))) {
      usage = new Event.UsageReport(total.usage(), null); // reports what is charged
    }
    if (usage == null) {
      return finished;
    }
    endingEvent = finished;
    return usage;
  }

  /** Ends an answer that came as a whole. */
  private Event complete(Event.CompleteAnswer completeAnswer) {
    Answer answer = completeAnswer.answer();
    reportedUsage = answer.usage();
    deliveredOutput.add(completeAnswer);
    end(CallRecord.Outcome.COMPLETE, answer.stopReason(), null, EndCause.of(answer.stopReason()));
    return completeAnswer;
  }

  /** Ends an answer that failed. */
  private void fail(Event.Failed failure) {
    EndCause cause = EndCause.of(failure);
    if (cause == EndCause.CALLER) {
      end(CallRecord.Outcome.CANCELLED, null, failure.code(), cause);
    } else {
      // the zero-completion insurance does not apply if the upstream may have hung up because the
      // caller did not read
      boolean isUnread =
          cause == EndCause.PROVIDER && requireDelivery().disconnectedWhileUnread().getAsBoolean();
      EndCause payingCause = isUnread ? EndCause.CALLER : cause;
      end(CallRecord.Outcome.ERROR, StopReason.ERROR, failure.code(), payingCause);
    }
  }

  /** Ends the answer: prices, settles and records it, once. */
  private void end(
      CallRecord.Outcome outcome,
      @Nullable StopReason reason,
      @Nullable ErrorCode errorCode,
      EndCause cause) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    endedAt = exchange.engine().ambient().nanoTime();
    try {
      pay(outcome, reason, errorCode, cause);
    } finally { // also when a host's own ledger throws
      try {
        endObservation(outcome, reason, errorCode);
        onEnd.run();
      } finally {
        if (role == TurnRole.ONLY_TURN) {
          exchange.recordEnd(outcome, reason, errorCode);
        }
      }
    }
  }

  private void endObservation(
      CallRecord.Outcome outcome, @Nullable StopReason reason, @Nullable ErrorCode errorCode) {
    ObservedAttempt attempt = observedAttempt;
    if (attempt != null) {
      attempt.ended(outcome, errorCode, reason, bill, endedAt);
    }
  }

  /** Prices and settles the delivered output, with a ledger entry for each attempt. */
  private void pay(
      CallRecord.Outcome outcome,
      @Nullable StopReason reason,
      @Nullable ErrorCode errorCode,
      EndCause cause) {
    PlannedAttempt candidate = requireDelivery().candidate();
    Bill total = waiveIfBilledElsewhere(price(candidate).of(reportedUsage, deliveredOutput, cause));
    bill = total;
    if (funds instanceof Funds currentFunds) {
      settle(
          currentFunds,
          entries(outcome),
          role == TurnRole.ONLY_TURN ? exchange.createRecord(outcome, reason, errorCode) : null);
    }
    if (outcome == CallRecord.Outcome.COMPLETE) {
      ModelRef requestedModel = requireQuery().models().get(candidate.modelIndex());
      exchange.recordServed(requestedModel, candidate.endpoint(), total.usage());
    }
  }

  /** Returns the bill, waived when another node has billed this request of a batch. */
  private Bill waiveIfBilledElsewhere(Bill pricedBill) {
    Usd heldAmount =
        funds instanceof Funds currentFunds ? currentFunds.maxCharge().credits() : Usd.ZERO;
    return exchange.claimBilling(pricedBill.total(), heldAmount, role == TurnRole.ONLY_TURN)
        ? pricedBill
        : pricedBill.waived();
  }

  /** Ends the hold. If the record was not written with the entries, it is saved later. */
  private void settle(Funds currentFunds, List<LedgerEntry> entries, @Nullable Generation record) {
    boolean isSettled = false;
    try {
      currentFunds.settle(entries, record);
      isSettled = true;
    } finally {
      if (!isSettled && record != null) {
        exchange.markUnrecorded();
      }
    }
  }

  private AnswerPrice price(PlannedAttempt candidate) {
    int cap = HoldSize.outputCap(candidate, requireQuery()).tokens();
    String endpoint = candidate.endpoint().id();
    return new AnswerPrice(
        candidate,
        size,
        cap,
        exchange.arrivedAt(),
        () -> endpoint.equals(cutEndpoint),
        exchange.isOfBatch());
  }

  /**
   * Returns the ledger entries: one for each attempt, including those that failed or were given up.
   *
   * @param answerOutcome how the answer ended; null when no candidate delivered
   */
  private List<LedgerEntry> entries(CallRecord.@Nullable Outcome answerOutcome) {
    Instant now = exchange.engine().ambient().now();
    var entries = new ArrayList<LedgerEntry>(1);
    for (TraceEntry entry : attempts) {
      if (entry instanceof TraceEntry.Attempted attempted) {
        entries.add(entry(attempted, answerOutcome, now));
      }
    }
    return entries;
  }

  private LedgerEntry entry(
      TraceEntry.Attempted attempted, CallRecord.@Nullable Outcome answerOutcome, Instant now) {
    Bill attemptBill = attempted.failure() == null ? bill : null;
    return new LedgerEntry(
        exchange.id(),
        exchange.nextEntryNumber(),
        now,
        attempted.endpoint(),
        Objects.requireNonNullElse(attempted.byokKey(), ""),
        attemptBill == null || answerOutcome == null ? outcome(attempted.failure()) : answerOutcome,
        attemptBill == null ? Usage.NONE : attemptBill.usage(),
        attemptBill == null ? Charge.ZERO : attemptBill.charge());
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
    return endingEvent != null || ended.get() || requireDelivery().stream().ready();
  }

  /** Ends the turn if it is under way. Settled money stays settled. */
  @Override
  public void close() {
    close(EndCause.CALLER);
  }

  /** Closes the turn; the cause decides who pays for the delivered output. */
  void close(EndCause cause) {
    if (progress.get() instanceof Progress.Answering answering) {
      try {
        answering.delivery().stream().close();
      } finally {
        end(CallRecord.Outcome.CANCELLED, null, null, cause);
      }
    } else if (progress.compareAndSet(Progress.NoAnswer.OPEN, Progress.NoAnswer.OVER)) {
      Funds currentFunds = funds;
      if (currentFunds != null) {
        currentFunds.release();
      }
    } else if (!isOver()) {
      close(cause); // a candidate began to deliver in between
    }
  }
}
