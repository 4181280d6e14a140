package io.strowger.core.pipeline;

import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.attempt.OutputBudget;
import io.strowger.core.attempt.Stickiness;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.authentication.Caller;
import io.strowger.core.cache.CacheOptions;
import io.strowger.core.cache.CacheStatus;
import io.strowger.core.cache.CachedAnswer;
import io.strowger.core.destination.Broadcast;
import io.strowger.core.inference.BatchItem;
import io.strowger.core.inference.DeliveryState;
import io.strowger.core.inference.Inference;
import io.strowger.core.inference.Reply;
import io.strowger.core.inference.RequestDecoding;
import io.strowger.core.meter.Bill;
import io.strowger.core.money.RequestBudget;
import io.strowger.core.overload.Permit;
import io.strowger.core.record.AnswerTranscript;
import io.strowger.core.record.CallObservation;
import io.strowger.core.record.FinishedRequest;
import io.strowger.core.record.GenerationId;
import io.strowger.core.record.Observers;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.GenerationStore.Generation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request of a caller from its arrival until it is reported: its caller, time and id, the work
 * that is done for it ({@link CallWork}), and its answer.
 *
 * <p>An exchange is {@linkplain #serveWith served} once it is admitted, and then either {@linkplain
 * #beginAnswer answers} or is {@linkplain #refuse refused}. A request that is not admitted is
 * {@linkplain #refuseEarly refused early}, and not reported.
 *
 * <p>An exchange that was admitted is over after two steps, each taken once and on any thread. It
 * has <i>ended</i> when its answer has: then its money is settled and its record is written with
 * the bill. It is <i>delivered</i> when its reader closes the answer, whether all of it was
 * delivered or it was given up. The later of the two steps reports the request ({@link
 * CallReport}), so the caller never waits for that. A refusal takes both steps at once.
 *
 * <p>Safe on any thread, without a lock. The plain fields are set by the request's own thread
 * before other threads see them; all others are final, atomic or volatile.
 */
final class CallExchange implements FinishedRequest, Inference.PendingCall, Reply.MeteredAnswer {
  private static final Logger log = LoggerFactory.getLogger(CallExchange.class);

  /** How long a hold outlives its request, so that it never expires before a late settlement. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private static final int ENDED = 1;
  private static final int DELIVERED = 2;
  private static final int OVER = ENDED | DELIVERED; // reported

  private final EngineInference inference;
  private final Engine engine;
  private final Caller caller;
  private final @Nullable CacheOptions cacheOptions;
  private final @Nullable BatchItem batchItem;
  private final Cancellation cancellation;
  private final String id;
  private final Instant arrivedAt;
  private final long arrivedNanos;
  private final long seed;
  private final OutputBudget.Share outputShare;
  private final @Nullable Broadcast broadcast; // null if it is sent to no destination
  private final WebCitations webCitations = new WebCitations();

  // set by the request's own thread before other threads see them
  private @Nullable AdmittedState admittedState;
  private @Nullable Permit permit; // null if admitted elsewhere, or not yet
  private InferenceRequest receivedRequest; // as it arrived
  private InferenceRequest currentRequest; // to be served
  private @Nullable RequestDecoding decoding; // until it is served
  private Inference.Origin origin; // until it is served: it may keep all headers of the request
  private @Nullable CallTracer tracer; // until it is served; null if not traced
  private Stickiness.Conversation conversation;
  private List<TraceEntry.Note> inactivePlugins = List.of();
  private @Nullable AnswerTranscript callerTranscript;
  private @Nullable CallObservation observation; // null if not observed, or not admitted

  private final CallWork work;
  private final AtomicInteger progress = new AtomicInteger(); // bits: ENDED and DELIVERED
  private volatile Reply.@Nullable MeteredAnswer answer;
  private volatile @Nullable CacheStatus cache;
  private volatile @Nullable Ending ending;
  private volatile @Nullable String firstEndpoint;
  private volatile boolean isRecorded; // the record is written, or will be with the bill
  private volatile boolean hasContent; // firstContentAt is set
  private volatile long firstContentAt; // of an answer through plugins, on Ambient.nanoTime

  /**
   * The state that a request has once it is admitted.
   *
   * @param models the requested models, or the account's default when it names none
   */
  private record AdmittedState(
      Snapshot snapshot, Watchdog.Watch watch, List<ModelRef> models, RequestBudget budget) {}

  /** Creates an exchange with an id and the time of arrival. */
  CallExchange(
      EngineInference inference,
      Engine engine,
      Caller caller,
      Inference.DecodedRequest decodedRequest,
      Cancellation cancellation) {
    Ambient ambient = engine.ambient();
    this.inference = inference;
    this.engine = engine;
    this.caller = caller;
    this.receivedRequest = decodedRequest.request();
    this.currentRequest = receivedRequest;
    this.decoding = decodedRequest.decoding();
    this.conversation = engine.stickiness().conversation(caller.owner(), currentRequest);
    this.cacheOptions = decodedRequest.cacheOptions();
    this.batchItem = decodedRequest.batchItem();
    this.origin = decodedRequest.origin();
    this.tracer = engine.observers().forCallingThread();
    this.cancellation = cancellation;
    this.arrivedAt = ambient.now();
    this.arrivedNanos = ambient.nanoTime();
    this.seed = ambient.seed();
    this.id = batchItem == null ? GenerationId.of(arrivedAt, seed, ambient.seed()) : batchItem.id();
    this.work = new CallWork(id);
    this.outputShare = engine.outputBudget().newShare();
    this.broadcast =
        caller.restrictions().broadcasts()
            ? engine
                .broadcaster()
                .choose(caller.workspace(), caller.hashes(), receivedRequest.sessionId(), id)
            : null;
  }

  @Override
  public Reply reply() {
    return inference.reply(this);
  }

  /** Returns the generation id, {@code gen-...}. */
  @Override
  public String id() {
    return id;
  }

  Engine engine() {
    return engine;
  }

  @Override
  public Caller caller() {
    return caller;
  }

  /** Returns when the request arrived. */
  @Override
  public Instant arrivedAt() {
    return arrivedAt;
  }

  long createdSeconds() {
    return arrivedAt.getEpochSecond();
  }

  /** Returns when the request arrived, on {@link Ambient#nanoTime}. */
  @Override
  public long arrivedNanos() {
    return arrivedNanos;
  }

  /** Returns the seed of all random choices in the decisions of this request. */
  long seed() {
    return seed;
  }

  Cancellation cancellation() {
    return cancellation;
  }

  @Nullable CacheOptions cacheOptions() {
    return cacheOptions;
  }

  /** Returns what has been done for the request so far. */
  CallWork work() {
    return work;
  }

  /** Returns the destinations that the request is sent to; null when there are none. */
  @Nullable Broadcast broadcast() {
    return broadcast;
  }

  /** Returns the citations found on the web for this request. */
  WebCitations citations() {
    return webCitations;
  }

  /** Returns the budget for the collected output of this request's answers. */
  OutputBudget.Share outputShare() {
    return outputShare;
  }

  /** Returns the request as it arrived, unfiltered: read its options, never pass it on. */
  @Override
  public InferenceRequest receivedRequest() {
    return receivedRequest;
  }

  /** Returns the request to serve, without what filters removed. */
  @Override
  public InferenceRequest filteredRequest() {
    return currentRequest;
  }

  /** Replaces the request, which stays in the same conversation. */
  void replaceRequest(InferenceRequest newRequest) {
    currentRequest = newRequest;
  }

  /** Replaces the request with the filtered one, and its conversation accordingly. */
  void replaceWithFiltered(InferenceRequest filteredRequest) {
    currentRequest = filteredRequest;
    conversation = engine.stickiness().conversation(caller.owner(), filteredRequest);
  }

  /**
   * Decodes the request again when the current plugins are not those it was decoded with.
   *
   * @return the error when the current plugins find a problem in it; null otherwise
   */
  @Nullable GatewayError redecodeWith(Snapshot snapshot) {
    RequestDecoding previous = decoding;
    decoding = null; // so that its body can be collected
    if (previous != null && previous.plugins() != snapshot.pluginRegistry()) {
      try {
        receivedRequest = previous.decoder().apply(snapshot.pluginRegistry());
        replaceWithFiltered(receivedRequest);
      } catch (GatewayException e) {
        return e.error();
      }
    }
    return null;
  }

  /** Records that the request was admitted. */
  void setPermit(Permit newPermit) {
    permit = newPermit;
  }

  /** Releases the request's place among those in flight. Idempotent. */
  void releasePermit() {
    Permit current = permit;
    if (current != null) {
      current.close();
    }
  }

  /**
   * Begins to serve the request with this configuration.
   *
   * @param watch the watch over it, already added; it ends once the request is reported
   */
  void serveWith(Snapshot snapshot, Watchdog.Watch watch) {
    List<ModelRef> models =
        RoutingQueryFactory.models(receivedRequest, snapshot.accountPolicy(), caller);
    RequestBudget budget =
        RequestBudget.open(
            engine.ledger(),
            caller,
            arrivedAt,
            deadlineNanos(snapshot) + GRACE.toNanos(),
            snapshot.accountPolicy().creditsUrl());
    admittedState = new AdmittedState(snapshot, watch, models, budget);
    Observers observers = engine.observers();
    if (observers.hasAny()) {
      observation = observers.begin(id, arrivedNanos, tracer, this::start);
    }
    origin = Inference.Origin.NONE;
    tracer = null;
  }

  private CallTracer.Start start() {
    return new CallTracer.Start(
        id, arrivedAt, receivedRequest.kind(), requestedModel(), origin.context(), isOfBatch());
  }

  /** Returns the observation of the call; null when it is not observed. */
  @Nullable CallObservation observation() {
    return observation;
  }

  /** Returns the deadline of the request, on {@link Ambient#nanoTime}. */
  long deadlineNanos(Snapshot snapshot) {
    return arrivedNanos + snapshot.deadlines().total().toNanos();
  }

  private AdmittedState requireAdmitted() {
    AdmittedState state = admittedState;
    if (state == null) {
      throw new IllegalStateException("the request was not admitted");
    }
    return state;
  }

  Snapshot snapshot() {
    return requireAdmitted().snapshot();
  }

  Watchdog.Watch watch() {
    return requireAdmitted().watch();
  }

  /** Returns the requested models; empty when it names none and there is no default. */
  List<ModelRef> models() {
    return requireAdmitted().models();
  }

  /** Returns the budget from which the request's money is held. */
  RequestBudget budget() {
    return requireAdmitted().budget();
  }

  /** Records that an endpoint delivers; later turns prefer the first such endpoint. */
  void recordFirstEndpoint(Endpoint endpoint) {
    if (firstEndpoint == null) {
      firstEndpoint = endpoint.id();
    }
  }

  /** Returns whether the request belongs to a batch: no caller waits for it, and it costs half. */
  boolean isOfBatch() {
    return batchItem != null;
  }

  /**
   * Asks whether to charge a part of the request that has ended, as {@link BatchItem#claimBilling};
   * always true outside of batches.
   *
   * @param isOnlyPart whether there is no other part
   */
  boolean claimBilling(Usd billedAmount, Usd heldAmount, boolean isOnlyPart) {
    return batchItem == null
        || batchItem.claimBilling(
            new BatchItem.PartialBill(
                billedAmount, heldAmount, isOnlyPart && engine.generations().areSavedWithBills()));
  }

  /** Returns whether another node has billed this request of a batch. */
  boolean isBillingRefused() {
    return batchItem != null && batchItem.isRefused();
  }

  /** Returns the ids of the first turn's endpoint, then of the conversation's endpoints. */
  List<String> preferredEndpoints(List<ModelRef> models) {
    List<String> known = isOfBatch() ? List.of() : conversation.endpoints(models);
    String first = firstEndpoint;
    if (first == null || known.contains(first)) {
      return known;
    }
    var result = new ArrayList<String>();
    result.add(first);
    result.addAll(known);
    return result;
  }

  /** Records a complete answer, so that the conversation can return to its endpoint. */
  void recordServed(ModelRef model, Endpoint endpoint, Usage usage) {
    if (!isOfBatch()) {
      conversation.recordSuccess(model, endpoint, usage);
    }
  }

  /** Returns a new transcript, which keeps the content only if it is needed. */
  AnswerTranscript newTranscript() {
    return new AnswerTranscript(
        engine.generations().keepsContent(caller) || broadcast != null && broadcast.needsContent());
  }

  /** Sets the transcript of what the caller receives, if it differs from an upstream's answer. */
  void useTranscript(AnswerTranscript transcript) {
    callerTranscript = transcript;
  }

  /**
   * Reports plugins that were requested and have no effect: in the trace, to the caller and in the
   * log. A plugin that runs by default is logged once, not with every request.
   */
  void reportInactive(List<TraceEntry.Note> plugins) {
    if (plugins.isEmpty()) {
      return;
    }
    inactivePlugins = List.copyOf(plugins);
    var unreported = new ArrayList<String>();
    for (TraceEntry.Note pluginNote : plugins) {
      work.note(pluginNote);
      if (Engine.requestsPlugin(currentRequest, pluginNote.source())
          || engine.loggedDefaults().add(pluginNote.source())) {
        unreported.add(pluginNote.source() + " (" + pluginNote.text() + ")");
      }
    }
    if (!unreported.isEmpty()) {
      log.info("plugins have no effect on request {}: {}", id, unreported);
    }
  }

  /** Returns whether the caller wants to see reasoning. */
  @Override
  public boolean showsReasoning() {
    return HiddenReasoning.isWanted(receivedRequest);
  }

  /** Returns the turns in the order they were planned. */
  @Override
  public List<RoutedTurn> turns() {
    return work.turns();
  }

  /**
   * Begins the answer. From here on the reader of the answer ends the exchange by closing it.
   *
   * @param newAnswer the answer to deliver
   * @param view returns the state of its delivery
   */
  Reply.Answered beginAnswer(Reply.MeteredAnswer newAnswer, Reply.DeliveryView view) {
    answer = newAnswer;
    if (cancellation.cause() == Cancellation.Cause.SHUTDOWN || engine.current().get() == null) {
      close(); // the gateway closed before it could see the answer
    }
    return new Reply.Answered(id, createdSeconds(), this, view, cache);
  }

  @Override
  public @Nullable Event next() {
    return requireAnswer().next();
  }

  @Override
  public boolean ready() {
    return requireAnswer().ready();
  }

  @Override
  public boolean addsCitations() {
    return webCitations.hasVisiblePages();
  }

  @Override
  public @Nullable Bill bill() {
    return requireAnswer().bill();
  }

  private Reply.MeteredAnswer requireAnswer() {
    Reply.MeteredAnswer current = answer;
    if (current == null) {
      throw new IllegalStateException("the request has no answer yet");
    }
    return current;
  }

  /** Ends the answer if it has not ended, and reports the request. Idempotent. */
  @Override
  public void close() {
    Reply.MeteredAnswer current = answer;
    try {
      if (current != null) {
        current.close();
      }
    } finally {
      try {
        outputShare.close(); // last: the answer's end repeats collected output
      } finally {
        advanceTo(DELIVERED);
      }
    }
  }

  /**
   * Ends the request because the gateway is closing, or because the answer was not closed long
   * after its deadline. When the answer has ended but may still be on its way to a slow client, the
   * request is only reported. When there is no answer yet, the request's own thread notices the
   * cancellation and ends the request.
   */
  void abandon() {
    if ((progress.get() & ENDED) != 0) {
      advanceTo(DELIVERED);
      return;
    }
    cancellation.cancel(Cancellation.Cause.SHUTDOWN);
    if (answer != null) {
      close();
    }
  }

  /** Records that the answer has ended and its money is settled. */
  void recordEnd(
      CallRecord.Outcome outcome, @Nullable StopReason stopReason, @Nullable ErrorCode error) {
    recordEnd(new Ending(outcome, stopReason, error, null, false, engine.ambient().nanoTime()));
  }

  /** Records that a cached answer has ended. */
  void recordReplay(CachedAnswer cachedAnswer, CallRecord.Outcome outcome) {
    StopReason reason = outcome == CallRecord.Outcome.COMPLETE ? cachedAnswer.reason() : null;
    recordEnd(new Ending(outcome, reason, null, cachedAnswer, false, engine.ambient().nanoTime()));
  }

  private void recordEnd(Ending callEnding) {
    try {
      AdmittedState state = admittedState;
      if (state != null) {
        state.watch().markAnswered();
      }
      releasePermit();
      ending = callEnding;
      if (!isRecorded && !isBillingRefused()) {
        isRecorded = true;
        engine.generations().save(this, callEnding);
      }
    } finally {
      advanceTo(ENDED);
    }
  }

  /** Takes one of the two final steps; the later one reports the request. */
  private void advanceTo(int step) {
    int previous = progress.getAndUpdate(current -> current | step);
    AdmittedState state = admittedState;
    Ending callEnding = ending;
    if (previous != OVER && (previous | step) == OVER && state != null && callEnding != null) {
      try {
        CallReport.send(this, callEnding);
      } finally {
        state.watch().end();
      }
    }
  }

  /**
   * Returns the record of a request whose only turn ends, and marks it as written: the caller
   * writes it with the bill.
   *
   * @return null when there is nothing to keep, or when it is saved separately
   */
  @Nullable Generation createRecord(
      CallRecord.Outcome outcome, @Nullable StopReason stopReason, @Nullable ErrorCode error) {
    return createRecord(
        new Ending(outcome, stopReason, error, null, false, engine.ambient().nanoTime()));
  }

  /** Returns the record of a request whose only turn is refused, as {@link #createRecord} does. */
  @Nullable Generation createRefusalRecord(CallRecord.Outcome outcome, ErrorCode error) {
    return createRecord(new Ending(outcome, null, error, null, true, engine.ambient().nanoTime()));
  }

  /** Marks the record as not written, so that it is saved separately. */
  void markUnrecorded() {
    isRecorded = false;
  }

  private @Nullable Generation createRecord(Ending callEnding) {
    if (!engine.generations().areSavedWithBills() || isBillingRefused()) {
      return null;
    }
    isRecorded = true;
    return engine.generations().createRecord(this, callEnding);
  }

  /** Ends a request without an answer, and reports it if it was admitted. */
  Reply.Refused refuse(GatewayError error, boolean cancelled) {
    if (admittedState == null) {
      return refuseEarly(error);
    }
    var outcome = cancelled ? CallRecord.Outcome.CANCELLED : CallRecord.Outcome.ERROR;
    recordEnd(new Ending(outcome, null, error.code(), null, true, engine.ambient().nanoTime()));
    try {
      outputShare.close();
    } finally {
      advanceTo(DELIVERED);
    }
    RoutedTurn last = work.lastTurn();
    return new Reply.Refused(
        id,
        createdSeconds(),
        error,
        new DeliveryState(
            models(),
            snapshot().catalog(),
            last == null ? null : last.decision().plan(),
            work.trace(),
            null,
            work.billLines().size(),
            -1,
            inactivePlugins));
  }

  /** Refuses a request that was not admitted; it is not reported. */
  Reply.Refused refuseEarly(GatewayError error) {
    outputShare.close();
    releasePermit();
    return new Reply.Refused(id, createdSeconds(), error, DeliveryState.NONE);
  }

  /** Records that the caller's first content of an answer through plugins comes now. */
  void recordFirstContent() {
    firstContentAt = engine.ambient().nanoTime();
    hasContent = true;
  }

  /** Returns the nanoseconds from arrival to the caller's first content; -1 without any. */
  @Override
  public long firstContentNanos() {
    if (hasContent) {
      return firstContentAt - arrivedNanos;
    }
    AttemptLoop.Outcome.Delivery delivery = work.firstDelivery();
    return delivery == null ? -1 : delivery.firstContentNanos() - arrivedNanos;
  }

  @Override
  public List<CallRecord.BillLine> billLines() {
    return work.billLines();
  }

  @Override
  public List<TurnAttempt> turnAttempts() {
    return work.attempts();
  }

  @Override
  public @Nullable RoutedTurn lastAnsweredTurn() {
    return work.lastAnsweredTurn();
  }

  @Override
  public @Nullable PlannedAttempt answeringCandidate() {
    RoutedTurn last = work.lastAnsweredTurn();
    AttemptLoop.Outcome.Delivery delivery = last == null ? null : last.delivery();
    return delivery == null ? null : delivery.candidate();
  }

  /** Returns the transcript of what the caller received; null when there is no answer. */
  @Override
  public @Nullable AnswerTranscript transcript() {
    RoutedTurn last = work.lastAnsweredTurn();
    AnswerTranscript current = callerTranscript;
    return last == null ? null : current == null ? last.transcript() : current;
  }

  /**
   * Returns the request of the caller's first turn, as filters and plugins left it; without a turn,
   * the current request.
   */
  @Override
  public InferenceRequest sentRequest() {
    RoutedTurn first = work.firstTurnOfCaller();
    return first == null ? currentRequest : first.request();
  }

  /** Returns the first model as the caller named it; empty when there is none. */
  @Override
  public String requestedModel() {
    List<ModelRef> models = models();
    return models.isEmpty() ? "" : models.getFirst().toString();
  }

  /** Returns the current state of the delivery. */
  DeliveryState deliveryState() {
    RoutedTurn turn = work.lastAnsweredTurn();
    AttemptLoop.Outcome.Delivery delivery = turn == null ? null : turn.delivery();
    if (turn == null || delivery == null) {
      return new DeliveryState(
          models(), snapshot().catalog(), null, work.trace(), null, 0, -1, inactivePlugins);
    }
    return new DeliveryState(
        models(),
        snapshot().catalog(),
        turn.decision().plan(),
        work.trace(),
        delivery.candidate(),
        delivery.number(),
        turn.endedNanos() - delivery.dispatchedNanos(),
        inactivePlugins);
  }

  /** Returns the state of a delivery from the cache, by the endpoint that answered originally. */
  DeliveryState replayState(Endpoint endpoint) {
    PlannedAttempt attempt = PlannedAttempt.of(endpoint);
    return new DeliveryState(models(), snapshot().catalog(), null, work.notes(), attempt, 0, -1);
  }

  @Override
  public @Nullable CacheStatus cache() {
    return cache;
  }

  void setCache(@Nullable CacheStatus status) {
    cache = status;
  }
}
