package io.strowger.core.pipeline;

import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.attempt.CheckedStream;
import io.strowger.core.attempt.ObservedAttempt;
import io.strowger.core.attempt.Opener;
import io.strowger.core.attempt.OutputBudget;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.inference.BudgetCap;
import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.core.meter.DeliveredOutput;
import io.strowger.core.meter.EndCause;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.meter.SearchAllowance;
import io.strowger.core.money.Funds;
import io.strowger.core.plan.HoldSize;
import io.strowger.core.record.AnswerTranscript;
import io.strowger.core.record.CallObservation;
import io.strowger.core.record.FinishedRequest;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One decision with its attempts and its answer: one pass through the steps from plan to meter. A
 * plain request has one turn. A plugin that proceeds several times makes several turns; each turn
 * is decided again, and the later ones prefer the endpoint of the first.
 *
 * <p>First the turn is {@linkplain #decide decided} ({@link TurnDecision}). Then it {@linkplain
 * #attempt tries} the candidates of the plan. When one of them delivers, the turn answers, and
 * {@link #next} reads that answer. A turn that is refused, or closed before an answer began, is
 * over ({@link #isOver}); an answer that arrives afterwards is dropped.
 *
 * <p>The answer ends exactly once: complete, failed or closed. Then what was delivered is priced
 * and settled ({@link TurnSettlement}). The hold of money ends exactly once, too: when the answer
 * ends, or when the turn is over. The hold of a reservation may instead pass to another turn.
 *
 * <p>One thread decides the turn and makes its attempts. From then on one thread, which may be
 * another, calls {@link #next}. Any thread may close the turn at any time. There is no lock: the
 * fields {@code progress} and {@code ended} determine which thread ends the turn or its answer.
 */
final class RoutedTurn implements FinishedRequest.Turn, Reply.MeteredAnswer {
  /** The prefix of the note that an answer exceeded its hold and was cut there. */
  static final String CUT_NOTE_PREFIX = "output_cut_at_hold: ";

  private static final long NOT_ENDED = Long.MIN_VALUE;

  private final CallExchange exchange;
  private final InferenceRequest request;
  private final TurnRole role;
  private final @Nullable String innerCall;
  private final TurnDecision decision;
  private final TurnSettlement settlement;
  private final AnswerTranscript transcript;
  private volatile List<TraceEntry> attempts = List.of();
  private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.NoAnswer.OPEN);
  private volatile @Nullable GatewayError error;
  private volatile boolean isCancelled; // refused because it was cancelled or closed
  private volatile @Nullable ObservedAttempt observedAttempt; // of the last attempt; null if none

  // of the answer
  private final AtomicBoolean ended = new AtomicBoolean();
  private final DeliveredOutput deliveredOutput = new DeliveredOutput();
  private Runnable onEnd = () -> {};
  private volatile @Nullable Usage reportedUsage;
  private volatile @Nullable Bill bill;
  private volatile long endedAt = NOT_ENDED; // an Ambient.nanoTime()
  private Event.@Nullable UsageReport usageReport; // the last one
  // the event that next() returns after the usage report; null otherwise
  private @Nullable Event endingEvent;

  /** The progress of a turn. */
  private sealed interface Progress {
    /** The turn has no answer. */
    enum NoAnswer implements Progress {
      /** No candidate has begun to answer yet. */
      OPEN,
      /** The turn was refused, or closed before a candidate began to answer. */
      OVER
    }

    /** A candidate has begun to answer. */
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
    HOLD_ONLY
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
    return new RoutedTurn(exchange, request, TurnRole.HOLD_ONLY, call);
  }

  private RoutedTurn(
      CallExchange exchange, InferenceRequest request, TurnRole role, @Nullable String innerCall) {
    this.exchange = exchange;
    this.request = request;
    this.role = role;
    this.innerCall = innerCall;
    PromptSize size = PromptSize.of(request);
    this.decision = new TurnDecision(exchange, request, size, role == TurnRole.HOLD_ONLY);
    this.settlement = new TurnSettlement(exchange, decision, size);
    this.transcript = exchange.newTranscript();
  }

  InferenceRequest request() {
    return request;
  }

  /** Returns whether the turn makes the answer that the caller gets. */
  boolean isForCaller() {
    return role != TurnRole.INNER_CALL && !isHoldOnly();
  }

  /** Returns whether the turn only holds money for a later turn. */
  boolean isHoldOnly() {
    return role == TurnRole.HOLD_ONLY;
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

  TurnDecision decision() {
    return decision;
  }

  /** Returns the held money; null when none was held. */
  @Nullable Funds funds() {
    return decision.funds();
  }

  /**
   * Decides and holds money. A turn that cannot be made has an {@linkplain #error error}.
   *
   * @param reservation a reservation whose money this turn takes over if it is enough; otherwise it
   *     is released. Null when nothing was reserved
   * @throws io.strowger.core.plan.PluginFailureException when a router breaks its contract
   */
  void decide(@Nullable RoutedTurn reservation) {
    exchange.work().addTurn(this);
    try {
      GatewayError refusal = decision.decide(reservation);
      if (refusal != null) {
        refuse(refusal, false, List.of());
      } else if (isOver() && funds() instanceof Funds grantedFunds) {
        grantedFunds.release(); // closed meanwhile
      }
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
    int candidates = decision.candidates().size();
    observation.recordPlan(innerCall, candidates, refusal == null ? null : refusal.code(), now);
    boolean isNew = reservation == null || funds() != reservation.funds();
    if (refusal == null && isNew && funds() instanceof Funds grantedFunds) {
      observation.recordHold(
          innerCall, CallRecord.Step.Held.ATTEMPTS, grantedFunds.maxCharge().credits(), now);
    }
  }

  private ObservedAttempt observe(CallObservation observation, Endpoint endpoint, long nanos) {
    ObservedAttempt newAttempt = observation.begin(innerCall, endpoint, nanos);
    observedAttempt = newAttempt;
    return newAttempt;
  }

  /**
   * The watchdog, the cancellation and the opener for the attempts of a turn.
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
    List<PlannedAttempt> candidates = decision.candidates();
    if (candidates.isEmpty() || !(funds() instanceof Funds grantedFunds)) {
      throw new IllegalStateException("no money is held for the turn");
    }
    this.onEnd = onEnd;
    Engine engine = exchange.engine();
    Snapshot snapshot = exchange.snapshot();
    InferenceRequest requestToSend = requestToSend(candidates);
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
    switch (loop.run(candidates, attemptParameters, this::outputBounds, dispatch.watch())) {
      case AttemptLoop.Outcome.Exhausted exhausted ->
          refuse(exhausted.error(), exhausted.cancelled(), exhausted.attempts());
      case AttemptLoop.Outcome.Delivery delivery -> beginAnswer(delivery);
    }
  }

  /** Records that the answer of this endpoint exceeded its hold and is cut. */
  private void cutAt(String endpoint) {
    settlement.recordCut(endpoint);
    exchange.work().note(new TraceEntry.Note("engine", CUT_NOTE_PREFIX + endpoint));
  }

  /**
   * Returns the request to send, in which searches that have a price are bounded to those that the
   * hold covers.
   */
  private InferenceRequest requestToSend(List<PlannedAttempt> candidates) {
    RoutingQuery decidedQuery = decision.requireQuery();
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
    RoutingQuery decidedQuery = decision.requireQuery();
    HoldSize.OutputCap cap = HoldSize.outputCap(candidate, decidedQuery);
    if (cap.byBudget()) {
      exchange.work().note(BudgetCap.note(candidate.endpoint(), cap.tokens()));
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
      Funds currentFunds = funds();
      if (currentFunds != null) {
        var outcome = wasCancelled ? CallRecord.Outcome.CANCELLED : CallRecord.Outcome.ERROR;
        settlement.settle(
            currentFunds,
            settlement.entries(attempts, null, null),
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

  /**
   * Ends a turn that has not begun to answer, without releasing its money: another turn takes it
   * over. Returns false when the turn had already ended or begun to answer.
   */
  boolean endWithoutRelease() {
    return progress.compareAndSet(Progress.NoAnswer.OPEN, Progress.NoAnswer.OVER);
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
    Funds currentFunds = funds();
    if (currentBill != null) {
      return currentBill.total();
    }
    return currentFunds != null && !isOver() ? currentFunds.maxCharge().credits() : Usd.ZERO;
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
          usageReport = usage; // finish() returns the last report before the terminal event
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
   * event; the terminal event itself when there is no usage to report.
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
      EndCause billingCause = isUnread ? EndCause.CALLER : cause;
      end(CallRecord.Outcome.ERROR, StopReason.ERROR, failure.code(), billingCause);
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
    } finally { // even if a ledger supplied by the host throws
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

  /** Prices, settles and records the delivered output. */
  private void pay(
      CallRecord.Outcome outcome,
      @Nullable StopReason reason,
      @Nullable ErrorCode errorCode,
      EndCause cause) {
    PlannedAttempt candidate = requireDelivery().candidate();
    boolean isOnlyTurn = role == TurnRole.ONLY_TURN;
    Bill total = settlement.bill(candidate, reportedUsage, deliveredOutput, cause, isOnlyTurn);
    bill = total;
    if (funds() instanceof Funds currentFunds) {
      settlement.settle(
          currentFunds,
          settlement.entries(attempts, total, outcome),
          isOnlyTurn ? exchange.createRecord(outcome, reason, errorCode) : null);
    }
    if (outcome == CallRecord.Outcome.COMPLETE) {
      ModelRef requestedModel = decision.requireQuery().models().get(candidate.modelIndex());
      exchange.recordServed(requestedModel, candidate.endpoint(), total.usage());
    }
  }

  /**
   * Returns the {@link Ambient#nanoTime()} when the answer ended; the current time while it has
   * not.
   */
  @Override
  public long endedNanos() {
    long end = endedAt;
    return end == NOT_ENDED ? exchange.engine().ambient().nanoTime() : end;
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
      Funds currentFunds = funds();
      if (currentFunds != null) {
        currentFunds.release();
      }
    } else if (!isOver()) {
      close(cause); // a candidate began to deliver in between
    }
  }
}
