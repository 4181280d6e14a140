package io.strowger.core.pipeline;

import io.strowger.core.attempt.Opener;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.health.Statistics;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.money.Funds;
import io.strowger.core.money.RequestBudget;
import io.strowger.core.overload.OutgoingCallLimiter;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.core.record.CallObservation;
import io.strowger.core.registry.ActiveInterceptor;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.tools.ToolCallCounter;
import io.strowger.core.tools.ToolLoop;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.AnswerCollector;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Hold;
import io.strowger.spi.store.KeyId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state that the plugins of one request share: its turns, its money, its time, and the chain
 * from one plugin to the next. Step 6 of the pipeline.
 */
final class CallChain implements PluginChain.LinkSequence {
  private static final Logger log = LoggerFactory.getLogger(CallChain.class);

  private final CallExchange exchange;
  private final Cancellation cancellation;
  private final Watchdog.Watch watch;
  private final ToolCallCounter toolCallCounter;
  private final List<InterceptorLink> aroundRequest;
  private final List<InterceptorLink> aroundAttempt;
  private final AtomicReference<@Nullable RoutedTurn> nextTurnReservation = new AtomicReference<>();
  private final Map<String, RoutedTurn> reservations = new HashMap<>(); // by the name of the call
  private final @Nullable ActiveInnerCall innerCall; // null for the caller's own request

  /**
   * @param cancellation the cancellation of all work that ends with the answer
   * @param plugins the plugins, in the order in which they act
   */
  CallChain(
      CallExchange exchange,
      Cancellation cancellation,
      List<ActiveInterceptor> plugins,
      ToolCallCounter toolCallCounter) {
    this.exchange = exchange;
    this.cancellation = cancellation;
    this.watch = exchange.watch();
    this.toolCallCounter = toolCallCounter;
    this.innerCall = null;
    ToolLoop loop = loop(this::ownTool);
    this.aroundRequest = InterceptorLink.around(Interceptor.Scope.REQUEST, plugins, loop);
    this.aroundAttempt =
        InterceptorLink.aroundAttempt(
            plugins, exchange.snapshot().plugins().promptCompressor(exchange.filteredRequest()));
  }

  private CallChain(
      CallChain parent,
      Cancellation cancellation,
      Watchdog.Watch watch,
      List<InterceptorLink> aroundRequest,
      ActiveInnerCall innerCall) {
    this.exchange = parent.exchange;
    this.cancellation = cancellation;
    this.watch = watch;
    this.toolCallCounter = parent.toolCallCounter;
    this.innerCall = innerCall;
    this.aroundRequest = aroundRequest;
    this.aroundAttempt = parent.aroundAttempt;
  }

  private ToolLoop loop(Function<String, @Nullable ServerTool> tools) {
    return new ToolLoop(
        tools,
        toolCallCounter,
        exchange.engine().codec(),
        exchange.snapshot().pluginRegistry().schemaValidator());
  }

  /** Returns the chain of an inner call that is made within this one. */
  CallChain innerChain(
      Cancellation innerCancellation,
      Watchdog.Watch innerWatch,
      List<InterceptorLink> links,
      ActiveInnerCall call) {
    return new CallChain(this, innerCancellation, innerWatch, links, call);
  }

  /**
   * Makes inner calls.
   *
   * @param index the index of the first link after the plugin that makes the calls
   * @param dataPreferences the provider preferences that protect the caller's data
   */
  List<InnerCall.Result> makeInnerCalls(
      int index, ProviderPreferences dataPreferences, List<InnerCall> calls, Duration timeout) {
    return innerCalls()
        .callAll(
            InterceptorLink.aroundInnerCall(aroundRequest, index, loop(this::innerTool)),
            dataPreferences,
            calls,
            timeout);
  }

  private InnerCalls innerCalls() {
    if (innerCall != null) {
      throw new IllegalStateException("an inner call cannot make inner calls");
    }
    return new InnerCalls(exchange, this, this::innerTool);
  }

  /** Plans an inner call and holds its money, without making it. */
  Hold reserve(ProviderPreferences dataPreferences, InnerCall call) {
    RoutedTurn turn = reserveTurn(dataPreferences, call);
    reservations.put(call.name(), turn);
    return new TurnHold(turn);
  }

  /** Returns the smallest amount that pays for a turn of an inner call now; holds nothing. */
  Usd minimumReservation(ProviderPreferences dataPreferences, InnerCall call) {
    return RoutedTurn.reservation(
            exchange, innerCalls().requestFor(call, dataPreferences), call.name())
        .decision()
        .smallestHold();
  }

  /** Holds money for the next turn of the request itself, as {@link #reserve} does. */
  void reserveNext(ProviderPreferences dataPreferences, InnerCall expected) {
    RoutedTurn previous = nextTurnReservation.getAndSet(reserveTurn(dataPreferences, expected));
    if (previous != null) {
      previous.close();
    }
  }

  private RoutedTurn reserveTurn(ProviderPreferences dataPreferences, InnerCall call) {
    var turn =
        RoutedTurn.reservation(
            exchange, innerCalls().requestFor(call, dataPreferences), call.name());
    turn.decide(reservations.remove(call.name()));
    GatewayError error = turn.error();
    if (error != null) {
      throw error.toException();
    }
    return turn;
  }

  /** The hold of a turn that only reserves money. */
  record TurnHold(RoutedTurn turn) implements Hold {
    @Override
    public Usd amount() {
      return turn.spent();
    }

    @Override
    public void settle(Usd actual) {
      throw new IllegalStateException(
          "a reservation for an inner call is settled by that call; the plugin may only release"
              + " it");
    }

    @Override
    public void release() {
      turn.close();
    }
  }

  /** Returns the types of the tools that inner calls may be offered. */
  Set<String> innerTools() {
    return exchange.snapshot().plugins().innerTools(exchange.isOfBatch());
  }

  CallExchange exchange() {
    return exchange;
  }

  /** Returns the tool of this type for the request's own model; null when there is none. */
  private @Nullable ServerTool ownTool(String type) {
    return runnableTool(exchange.snapshot().plugins().tool(type));
  }

  private @Nullable ServerTool innerTool(String type) {
    return runnableTool(exchange.snapshot().plugins().innerTool(type));
  }

  private @Nullable ServerTool runnableTool(@Nullable ServerTool tool) {
    return tool == null || exchange.isOfBatch() && !tool.runsInBatches() ? null : tool;
  }

  /**
   * How an inner call ended.
   *
   * @param answer the answer, or its part before the failure; null when there is none
   * @param failure why it failed; null when the answer is complete
   */
  record InnerAnswer(@Nullable Answer answer, Event.@Nullable Failed failure) {}

  /**
   * Makes an inner call; returns its complete answer, or the part that arrived before the failure.
   */
  InnerAnswer collectInnerAnswer(InferenceRequest request) {
    GatewayError refusal = exchange.engine().rates().checkModels(request.models());
    return collect(
        request,
        () ->
            refusal == null
                ? proceedFrom(0, request, null)
                : GuardedStream.ofFailure(refusal, null));
  }

  /**
   * Returns the opener of the attempts that this chain makes.
   *
   * @param pages collects the pages that the answer cites; null when citations are not collected
   */
  Opener opener(WebCitations.@Nullable Pages pages) {
    return aroundAttempt.isEmpty()
        ? Opener.DIRECT
        : new InterceptingOpener(this, exchange, aroundAttempt, pages);
  }

  /** Sends a request through the whole chain. */
  EventStream proceed(InferenceRequest request) {
    return proceedFrom(0, request, null);
  }

  /**
   * Continues with the link at this index; after the last link a turn is made.
   *
   * @param outerPages collects the pages that the surrounding answer cites; null when citations are
   *     not collected
   */
  @Override
  public EventStream proceedFrom(
      int index, InferenceRequest request, WebCitations.@Nullable Pages outerPages) {
    return withCitations(index, outerPages, pages -> openLinks(index, request, pages));
  }

  /**
   * Adds citations to an answer if it is the whole answer, or if a guard checks it: the guard then
   * sees these citations together with those of surrounding answers. In an inner call, citations
   * are added only to the whole answer, which is read only by the plugin that made the call.
   */
  private EventStream withCitations(
      int index,
      WebCitations.@Nullable Pages outerPages,
      Function<WebCitations.@Nullable Pages, EventStream> open) {
    boolean addsCitations =
        index == 0 || innerCall == null && aroundRequest.get(index - 1).isGuard();
    if (!addsCitations) {
      return open.apply(outerPages);
    }
    WebCitations.Pages ownPages =
        innerCall == null
            ? exchange.citations().pages(outerPages)
            : exchange.citations().innerPages(outerPages);
    return ownPages.withCitations(open.apply(ownPages));
  }

  private EventStream openLinks(
      int firstIndex, InferenceRequest request, WebCitations.@Nullable Pages pages) {
    int index = nextActing(firstIndex, request);
    if (index == aroundRequest.size()) {
      RoutedTurn turn = decideTurn(request);
      if (innerCall != null) {
        innerCall.awaitAllHolds();
      }
      return attempt(turn, pages);
    }
    InterceptorLink link = aroundRequest.get(index);
    return intercept(
        link, request, new PluginChain(this, this, link.id(), index + 1, request, pages));
  }

  /**
   * Returns the index of the first link that acts on a request; the tool loop acts only on requests
   * with tools.
   */
  private int nextActing(int firstIndex, InferenceRequest request) {
    int index = firstIndex;
    while (index < aroundRequest.size()
        && aroundRequest.get(index).plugin() instanceof ToolLoop loop
        && !loop.actsOn(request)) {
      index++;
    }
    return index;
  }

  private RoutedTurn decideTurn(InferenceRequest request) {
    RoutedTurn turn =
        innerCall == null
            ? new RoutedTurn(exchange, request, RoutedTurn.TurnRole.PLUGIN_TURN)
            : RoutedTurn.ofCall(exchange, request, innerCall.name());
    if (innerCall == null && !request.mayCallTools()) {
      // the calls for which money was reserved will not be made, and this turn may need the money
      reservations.values().forEach(RoutedTurn::close);
      reservations.clear();
    }
    RoutedTurn reservation =
        innerCall == null ? nextTurnReservation.getAndSet(null) : innerCall.reservedTurn();
    if (innerCall != null) {
      innerCall.addTurn(turn);
      innerCall.awaitPreviousHold();
    }
    turn.decide(reservation);
    return turn;
  }

  /** Makes a turn's attempts, each turn with its own watch since several may run at once. */
  private EventStream attempt(RoutedTurn turn, WebCitations.@Nullable Pages pages) {
    if (turn.error() == null) {
      Watchdog.Watch turnWatch = watch.sibling(cancellation);
      exchange.engine().watchdog().add(turnWatch);
      try {
        turn.attempt(
            new RoutedTurn.Dispatch(turnWatch, cancellation, opener(pages), exchange.outputShare()),
            turnWatch::end);
      } finally {
        if (turn.delivery() == null) {
          turnWatch.end();
        }
      }
    }
    GatewayError error = turn.error();
    return error == null
        ? turn
        : GuardedStream.ofFailure(
            error,
            turn.isCancelled()
                ? Failure.of(FailureKind.CANCELLED, "the request was cancelled")
                : null);
  }

  /** Passes a request to a plugin; the exception for a failure of the plugin has its id. */
  EventStream intercept(
      InterceptorLink interceptorLink, InferenceRequest request, Interceptor.Chain chain) {
    try {
      EventStream stream = interceptorLink.plugin().intercept(request, chain);
      if (stream == null) {
        throw new NullPointerException("the plugin returned no stream");
      }
      return new GuardedStream(interceptorLink.id(), stream, exchange);
    } catch (GatewayException e) {
      return GuardedStream.ofFailure(e.error(), null);
    } catch (PluginFailureException e) {
      throw e; // thrown by another plugin, further in
    } catch (RuntimeException | Error bug) {
      throw new PluginFailureException(interceptorLink.id(), bug);
    }
  }

  private InnerAnswer collect(InferenceRequest request, Supplier<EventStream> open) {
    var collector = new AnswerCollector();
    try (EventStream stream = open.get()) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        collector.add(event);
      }
    } catch (RuntimeException | Error bug) {
      log.error("an inner call failed", bug);
      if (bug instanceof PluginFailureException failure) {
        exchange.work().note(new TraceEntry.Note(failure.plugin(), "failed"));
      }
      collector.add(new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null));
    }
    if (!collector.isEnded()) {
      collector.add(new Event.Failed(GatewayError.of(ErrorCode.UNAVAILABLE), null));
    }
    Event.Failed failure = collector.failure();
    Answer answer = collector.answer(request.dialect());
    return new InnerAnswer(failure != null && answer.parts().isEmpty() ? null : answer, failure);
  }

  private Ambient ambient() {
    return exchange.engine().ambient();
  }

  Duration remaining() {
    return remaining(watch);
  }

  private Duration remaining(Watchdog.Watch callWatch) {
    return Duration.ofNanos(Math.max(0, callWatch.remainingNanos(ambient().nanoTime())));
  }

  /**
   * Begins an outgoing call of a plugin to a site or service, for the caller's key.
   *
   * @param parent the cancellation that also ends the outgoing call
   */
  Interceptor.Chain.OutgoingCall beginOutgoing(Cancellation parent, Duration timeout) {
    KeyId key = exchange.caller().key();
    OutgoingCallLimiter limiter = exchange.engine().outgoingLimiter();
    if (!limiter.begin(key)) {
      throw GatewayError.of(
              ErrorCode.RATE_LIMIT_EXCEEDED,
              "At most %d pages, files and searches may be in progress at a time for one key"
                  .formatted(OutgoingCallLimiter.MAX_PER_KEY))
          .toException();
    }
    return new LimitedOutgoingCall(parent, timeout, () -> limiter.end(key));
  }

  /**
   * An outgoing call, watched like a request until it ends, or the work that it belongs to ends.
   */
  private final class LimitedOutgoingCall implements Interceptor.Chain.OutgoingCall {
    private final Cancellation callCancellation = new Cancellation();
    private final Cancellation.Registration registration;
    private final Watchdog.Watch callWatch;
    private final Runnable onEnd;
    private final AtomicBoolean closed = new AtomicBoolean();

    LimitedOutgoingCall(Cancellation parent, Duration timeout, Runnable onEnd) {
      this.onEnd = onEnd;
      long nanos = Math.min(timeout.toNanos(), CallChain.this.remaining().toNanos());
      callWatch = watch.withDeadline(callCancellation, ambient().nanoTime() + nanos);
      exchange.engine().watchdog().add(callWatch);
      registration =
          parent.onCancel(
              () -> {
                Cancellation.Cause cause = parent.cause();
                callCancellation.cancel(cause == null ? Cancellation.Cause.CLOSED : cause);
                end();
              });
    }

    private void end() {
      if (closed.compareAndSet(false, true)) {
        callWatch.end();
        onEnd.run();
      }
    }

    @Override
    public Cancellation cancellation() {
      return callCancellation;
    }

    @Override
    public Duration remaining() {
      return callCancellation.isCancelled() ? Duration.ZERO : CallChain.this.remaining(callWatch);
    }

    @Override
    public void close() {
      registration.close();
      end();
    }
  }

  Cancellation cancellation() {
    return cancellation;
  }

  Watchdog.Watch watch() {
    return watch;
  }

  /** Returns whether a request can be served; it is only planned, not logged or paid. */
  boolean canServe(InferenceRequest request) {
    Snapshot snapshot = exchange.snapshot();
    PromptSize size = PromptSize.of(request);
    if (request.models().stream().anyMatch(this::selectsInterceptor)) {
      return (size.modalities() & ~Modality.TEXT.bit()) == 0;
    }
    List<ModelRef> models =
        RoutingQueryFactory.models(request, snapshot.accountPolicy(), exchange.caller());
    Statistics published = snapshot.health().published();
    RoutingQuery query =
        RoutingQueryFactory.of(request, models, size, snapshot, exchange.caller())
            .at(exchange.arrivedAt())
            .seed(exchange.seed())
            .statisticsSequence(published.sequence())
            .build();
    return snapshot.planner().plan(query, published) instanceof RoutePlan.Attempts;
  }

  private boolean selectsInterceptor(ModelRef model) {
    Descriptor plugin = exchange.snapshot().pluginRegistry().pluginOfSlug(model.slug());
    return plugin != null && plugin.kind() == Descriptor.Kind.INTERCEPTOR;
  }

  Hold hold(String plugin, Usd maxCharge, String purpose) {
    if (innerCall != null) {
      innerCall.awaitPreviousHold();
    }
    return switch (exchange.budget().hold(Charge.credits(maxCharge))) {
      case RequestBudget.HoldResult.Funded(Funds funds) -> {
        var paidAction =
            new PaidAction(
                exchange.id(),
                exchange.work().nextEntryNumber(),
                plugin + ": " + purpose,
                funds,
                ambient()::now,
                (billedAmount, heldAmount) ->
                    exchange.claimBilling(billedAmount, heldAmount, false));
        exchange.work().addPaidAction(paidAction);
        CallObservation observation = exchange.observation();
        if (observation != null) {
          observation.recordHold(
              innerCall == null ? null : innerCall.name(), plugin, maxCharge, ambient().nanoTime());
        }
        if (innerCall != null) {
          innerCall.addPaidAction(paidAction);
        }
        yield paidAction;
      }
      case RequestBudget.HoldResult.Short(GatewayError error) -> throw error.toException();
      case RequestBudget.HoldResult.Unavailable(GatewayError error) -> throw error.toException();
    };
  }
}
