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
import io.strowger.core.registry.Interception;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.tools.ToolLoop;
import io.strowger.core.tools.ToolTally;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
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
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Hold;
import io.strowger.spi.store.KeyId;
import java.time.Duration;
import java.time.Instant;
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
  private final ToolTally tally;
  private final List<InterceptorLink> aroundRequest;
  private final List<InterceptorLink> aroundAttempt;
  private final AtomicReference<@Nullable RoutedTurn> forNext = new AtomicReference<>();
  private final Map<String, RoutedTurn> reservations = new HashMap<>(); // by the name of the call
  private final InnerCalls.@Nullable Underway inner; // null for the caller's own request

  /**
   * @param cancellation the cancellation of all work that ends with the answer
   * @param plugins the plugins, in the order they act
   */
  CallChain(
      CallExchange exchange,
      Cancellation cancellation,
      List<Interception> plugins,
      ToolTally tally) {
    this.exchange = exchange;
    this.cancellation = cancellation;
    this.watch = exchange.watch();
    this.tally = tally;
    this.inner = null;
    ToolLoop loop = loop(this::ownTool);
    this.aroundRequest = InterceptorLink.around(Interceptor.Scope.REQUEST, plugins, loop);
    this.aroundAttempt =
        InterceptorLink.aroundAttempt(
            plugins, exchange.snapshot().plugins().shortener(exchange.request()));
  }

  private CallChain(
      CallChain maker,
      Cancellation cancellation,
      Watchdog.Watch watch,
      List<InterceptorLink> aroundRequest,
      InnerCalls.Underway inner) {
    this.exchange = maker.exchange;
    this.cancellation = cancellation;
    this.watch = watch;
    this.tally = maker.tally;
    this.inner = inner;
    this.aroundRequest = aroundRequest;
    this.aroundAttempt = maker.aroundAttempt;
  }

  private ToolLoop loop(Function<String, @Nullable ServerTool> tools) {
    return new ToolLoop(
        tools, tally, exchange.engine().codec(), exchange.snapshot().registered().schemas());
  }

  /** Returns the chain of an inner call that is made within this one. */
  CallChain within(
      Cancellation life,
      Watchdog.Watch watched,
      List<InterceptorLink> links,
      InnerCalls.Underway call) {
    return new CallChain(this, life, watched, links, call);
  }

  /**
   * Makes inner calls.
   *
   * @param from the index of the first link behind the plugin that makes the calls
   * @param data the provider preferences that protect the caller's data
   */
  List<InnerCall.Result> inner(
      int from, ProviderPreferences data, List<InnerCall> calls, Duration within) {
    return innerCalls()
        .all(
            InterceptorLink.inner(aroundRequest, from, loop(this::innerTool)), data, calls, within);
  }

  private InnerCalls innerCalls() {
    if (inner != null) {
      throw new IllegalStateException("an inner call makes no calls of its own");
    }
    return new InnerCalls(exchange, this, this::innerTool);
  }

  /** Plans an inner call and holds its money, without making it. */
  Hold reserve(ProviderPreferences data, InnerCall call) {
    RoutedTurn turn = reserved(data, call);
    reservations.put(call.name(), turn);
    return new Reserved(turn);
  }

  /** Returns the smallest amount that pays for a turn of an inner call now; holds nothing. */
  Usd price(ProviderPreferences data, InnerCall call) {
    return RoutedTurn.reserving(exchange, innerCalls().asked(call, data), call.name()).price();
  }

  /** Holds money for the next turn of the request itself, as {@link #reserve} does. */
  void reserveNext(ProviderPreferences data, InnerCall likely) {
    RoutedTurn before = forNext.getAndSet(reserved(data, likely));
    if (before != null) {
      before.close();
    }
  }

  private RoutedTurn reserved(ProviderPreferences data, InnerCall call) {
    var turn = RoutedTurn.reserving(exchange, innerCalls().asked(call, data), call.name());
    turn.decide(reservations.remove(call.name()));
    GatewayError error = turn.error();
    if (error != null) {
      throw error.toException();
    }
    return turn;
  }

  /** The hold of a turn that only reserves money. */
  record Reserved(RoutedTurn turn) implements Hold {
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
    return exchange.snapshot().plugins().innerTools(isOfBatch());
  }

  boolean isOfBatch() {
    return exchange.isOfBatch();
  }

  /** Returns the tool of this type for the request's own model; null when there is none. */
  private @Nullable ServerTool ownTool(String type) {
    return runnable(exchange.snapshot().plugins().tool(type));
  }

  private @Nullable ServerTool innerTool(String type) {
    return runnable(exchange.snapshot().plugins().innerTool(type));
  }

  private @Nullable ServerTool runnable(@Nullable ServerTool tool) {
    return tool == null || isOfBatch() && !tool.runsInBatches() ? null : tool;
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
  InnerAnswer innerAnswer(InferenceRequest request) {
    GatewayError refusal = exchange.engine().rates().ofModels(request.models());
    return collected(
        request,
        () -> refusal == null ? from(0, request, null) : GuardedStream.failed(refusal, null));
  }

  /**
   * Returns the opener of its attempts.
   *
   * @param pages the pages that the answer cites; null when they are not read
   */
  Opener opener(WebCitations.@Nullable Pages pages) {
    return aroundAttempt.isEmpty()
        ? Opener.PLAIN
        : new AroundAttempt(this, exchange, aroundAttempt, pages);
  }

  /** Sends a request through the whole chain. */
  EventStream proceed(InferenceRequest request) {
    return from(0, request, null);
  }

  /**
   * Continues with the link at this index; after the last link a turn is made.
   *
   * @param outer the pages that the surrounding answer cites; null when there is none
   */
  @Override
  public EventStream from(int place, InferenceRequest request, WebCitations.@Nullable Pages outer) {
    return cited(place, outer, pages -> uncited(place, request, pages));
  }

  /**
   * Adds citations to an answer if it is the whole answer, or one that a guard checks, so that the
   * guard sees them together with those of surrounding answers. In an inner call they are added
   * only to the whole answer, which only its maker reads.
   */
  private EventStream cited(
      int place,
      WebCitations.@Nullable Pages outer,
      Function<WebCitations.@Nullable Pages, EventStream> open) {
    boolean adds = place == 0 || inner == null && aroundRequest.get(place - 1).guards();
    if (!adds) {
      return open.apply(outer);
    }
    WebCitations.Pages own =
        inner == null ? exchange.citations().pages(outer) : exchange.citations().innerPages(outer);
    return own.addedTo(open.apply(own));
  }

  private EventStream uncited(
      int place, InferenceRequest request, WebCitations.@Nullable Pages pages) {
    int at = acting(place, request);
    if (at == aroundRequest.size()) {
      RoutedTurn turn = decided(request);
      if (inner != null) {
        inner.awaitSending();
      }
      return attempt(turn, pages);
    }
    InterceptorLink link = aroundRequest.get(at);
    return through(link, request, new PluginChain(this, this, link.id(), at + 1, request, pages));
  }

  /**
   * Returns the index of the first link that acts on a request; the tool loop acts only on requests
   * with tools.
   */
  private int acting(int place, InferenceRequest request) {
    int at = place;
    while (at < aroundRequest.size()
        && aroundRequest.get(at).plugin() instanceof ToolLoop loop
        && !loop.actsOn(request)) {
      at++;
    }
    return at;
  }

  private RoutedTurn decided(InferenceRequest request) {
    RoutedTurn turn =
        inner == null
            ? new RoutedTurn(exchange, request, RoutedTurn.Part.CHAINED)
            : RoutedTurn.ofCall(exchange, request, inner.name());
    if (inner == null && !request.mayCallTools()) {
      // the calls for which money was reserved will not be made, and this turn may need the money
      reservations.values().forEach(RoutedTurn::close);
      reservations.clear();
    }
    RoutedTurn reserved = inner == null ? forNext.getAndSet(null) : inner.reserved();
    if (inner != null) {
      inner.turn(turn);
      inner.awaitMoney();
    }
    turn.decide(reserved);
    return turn;
  }

  /** Makes a turn's attempts, each turn with its own watch since several may run at once. */
  private EventStream attempt(RoutedTurn turn, WebCitations.@Nullable Pages pages) {
    if (turn.error() == null) {
      Watchdog.Watch own = watch.sibling(cancellation);
      exchange.engine().watchdog().add(own);
      try {
        turn.attempt(
            new RoutedTurn.Dispatch(own, cancellation, opener(pages), exchange.collected()),
            own::end);
      } finally {
        if (turn.delivers() == null) {
          own.end();
        }
      }
    }
    GatewayError error = turn.error();
    return error == null
        ? turn
        : GuardedStream.failed(
            error,
            turn.cancelled() ? Failure.of(FailureKind.CANCELLED, "nobody waits any more") : null);
  }

  /** Passes a request to a plugin; the exception for a failure of the plugin has its id. */
  EventStream through(
      InterceptorLink interceptorLink, InferenceRequest request, Interceptor.Chain rest) {
    try {
      EventStream stream = interceptorLink.plugin().intercept(request, rest);
      if (stream == null) {
        throw new NullPointerException("it gave no stream");
      }
      return new GuardedStream(interceptorLink.id(), stream, exchange);
    } catch (GatewayException refused) {
      return GuardedStream.failed(refused.error(), null);
    } catch (PluginFailureException inner) {
      throw inner; // thrown by another plugin, further in
    } catch (RuntimeException | Error bug) {
      throw new PluginFailureException(interceptorLink.id(), bug);
    }
  }

  private InnerAnswer collected(InferenceRequest request, Supplier<EventStream> open) {
    var collector = new AnswerCollector();
    try (EventStream stream = open.get()) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        collector.add(event);
      }
    } catch (RuntimeException | Error bug) {
      log.error("an inner call failed", bug);
      if (bug instanceof PluginFailureException failed) {
        exchange.note(new TraceEntry.Note(failed.plugin(), "failed"));
      }
      collector.add(new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null));
    }
    if (!collector.isEnded()) {
      collector.add(new Event.Failed(GatewayError.of(ErrorCode.UNAVAILABLE), null));
    }
    Event.Failed failed = collector.failed();
    Answer answer = collector.answer(request.dialect());
    return new InnerAnswer(failed != null && answer.parts().isEmpty() ? null : answer, failed);
  }

  Instant now() {
    return exchange.arrivedAt();
  }

  private Ambient ambient() {
    return exchange.engine().ambient();
  }

  Duration remaining() {
    return remaining(watch);
  }

  private Duration remaining(Watchdog.Watch of) {
    return Duration.ofNanos(Math.max(0, of.leftNanos(ambient().nanoTime())));
  }

  /**
   * Begins an outgoing call of a plugin to a site or service, for the caller's key.
   *
   * @param of the cancellation that also ends the outgoing call
   */
  Interceptor.Chain.OutgoingCall outgoing(Cancellation of, Duration most) {
    KeyId key = exchange.caller().key();
    OutgoingCallLimiter all = exchange.engine().outgoing();
    if (!all.begin(key)) {
      throw GatewayError.of(
              ErrorCode.RATE_LIMIT_EXCEEDED,
              "At most %d pages, files and searches are under way for one key"
                  .formatted(OutgoingCallLimiter.MAX_PER_KEY))
          .toException();
    }
    return new Outgoing(of, most, () -> all.end(key));
  }

  /**
   * An outgoing call, watched like a request until it ends, or the work that it belongs to ends.
   */
  private final class Outgoing implements Interceptor.Chain.OutgoingCall {
    private final Cancellation life = new Cancellation();
    private final Cancellation.Registration registration;
    private final Watchdog.Watch own;
    private final Runnable ended;
    private final AtomicBoolean closed = new AtomicBoolean();

    Outgoing(Cancellation of, Duration most, Runnable ended) {
      this.ended = ended;
      long nanos = Math.min(most.toNanos(), CallChain.this.remaining().toNanos());
      own = watch.within(life, ambient().nanoTime() + nanos);
      exchange.engine().watchdog().add(own);
      registration =
          of.onCancel(
              () -> {
                Cancellation.Cause why = of.cause();
                life.cancel(why == null ? Cancellation.Cause.CLOSED : why);
                end();
              });
    }

    private void end() {
      if (closed.compareAndSet(false, true)) {
        own.end();
        ended.run();
      }
    }

    @Override
    public Cancellation cancellation() {
      return life;
    }

    @Override
    public Duration remaining() {
      return life.isCancelled() ? Duration.ZERO : CallChain.this.remaining(own);
    }

    @Override
    public void close() {
      registration.close();
      end();
    }
  }

  Catalog catalog() {
    return exchange.snapshot().catalog();
  }

  JsonCodec codec() {
    return exchange.engine().codec();
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
    if (request.models().stream().anyMatch(this::standsForInterceptor)) {
      return (size.modalities() & ~Modality.TEXT.bit()) == 0;
    }
    List<ModelRef> models =
        RoutingQueryFactory.models(request, snapshot.accountPolicy(), exchange.caller());
    Statistics published = snapshot.health().published();
    RoutingQuery asked =
        RoutingQueryFactory.of(request, models, size, snapshot, exchange.caller())
            .at(exchange.arrivedAt())
            .seed(exchange.seed())
            .statistics(published.sequence())
            .build();
    return snapshot.planner().plan(asked, published) instanceof RoutePlan.Attempts;
  }

  private boolean standsForInterceptor(ModelRef model) {
    Descriptor plugin = exchange.snapshot().registered().routerOf(model.slug());
    return plugin != null && plugin.kind() == Descriptor.Kind.INTERCEPTOR;
  }

  Usd spent() {
    return exchange.spent();
  }

  Hold hold(String plugin, Usd atMost, String what) {
    if (inner != null) {
      inner.awaitMoney();
    }
    return switch (exchange.budget().hold(Charge.credits(atMost))) {
      case RequestBudget.Answer.Funded(Funds funds) -> {
        var act =
            new PaidAct(
                exchange.id(),
                exchange.nextEntryNumber(),
                plugin + ": " + what,
                funds,
                ambient()::now,
                (billed, held) -> exchange.mayBill(billed, held, false));
        exchange.act(act);
        CallObservation observed = exchange.log();
        if (observed != null) {
          observed.held(inner == null ? null : inner.name(), plugin, atMost, ambient().nanoTime());
        }
        if (inner != null) {
          inner.act(act);
        }
        yield act;
      }
      case RequestBudget.Answer.Short(GatewayError error) -> throw error.toException();
      case RequestBudget.Answer.Down(GatewayError error) -> throw error.toException();
    };
  }

  void countSearch() {
    exchange.citations().countSearch();
  }

  void note(TraceEntry entry) {
    exchange.note(entry);
  }
}
