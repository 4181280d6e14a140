package io.strowger.core.pipeline;

import io.strowger.core.attempt.Opener;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.authentication.Caller;
import io.strowger.core.cache.CachedAnswer;
import io.strowger.core.guardrail.ContentFilter;
import io.strowger.core.inference.GatewayEnding;
import io.strowger.core.inference.Inference;
import io.strowger.core.inference.Reply;
import io.strowger.core.meter.EndCause;
import io.strowger.core.overload.Admission;
import io.strowger.core.overload.AdmissionControl;
import io.strowger.core.overload.Permit;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.core.record.AnswerTranscript;
import io.strowger.core.registry.ActiveInterceptor;
import io.strowger.core.tools.DeclaredTools;
import io.strowger.core.tools.OfferedTools;
import io.strowger.core.tools.ToolCallCounter;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves requests with one engine: steps 4 to 16 of the pipeline. A request goes directly to its
 * only turn, or through the plugins around it; then its answer is metered and delivered. In every
 * case, its hold is settled or released once, and the request is reported once. The state of one
 * request is in its {@link CallExchange}.
 */
public final class EngineInference implements Inference {
  private static final Logger log = LoggerFactory.getLogger(EngineInference.class);

  /** The name of the account's filters in the trace. */
  static final String CONTENT_FILTER = "content-filter";

  private static final Descriptor FILTER = Descriptor.interceptor(CONTENT_FILTER).build();

  private final Engine engine;
  private final @Nullable AdmissionControl admission;

  /** Creates an instance for requests that were admitted elsewhere. */
  public EngineInference(Engine engine) {
    this(engine, null);
  }

  /**
   * @param admission admits each request before anything is done for it; null if requests are
   *     admitted elsewhere
   */
  public EngineInference(Engine engine, @Nullable AdmissionControl admission) {
    this.engine = engine;
    this.admission = admission;
  }

  @Override
  public PendingCall begin(
      Caller caller, DecodedRequest decodedRequest, Cancellation cancellation) {
    return new CallExchange(this, engine, caller, decodedRequest, cancellation);
  }

  /** Serves a request, as {@link Inference.PendingCall#reply} does. */
  Reply reply(CallExchange exchange) {
    if (exchange.caller().isManagement()) {
      return exchange.refuseEarly(
          GatewayError.of(
              ErrorCode.PERMISSION_DENIED, "Management keys cannot be used for inference"));
    }
    AdmissionControl control = admission;
    if (control != null) {
      switch (control.admit(exchange.caller().key(), 0, exchange.cancellation())) {
        case Admission.Refusal refusal -> {
          return exchange.refuseEarly(refusal.error());
        }
        case Permit permit -> exchange.setPermit(permit);
      }
    }
    Reply reply = null;
    try {
      reply = serveAdmitted(exchange);
      return reply;
    } finally {
      if (!(reply instanceof Reply.Answered)) {
        exchange.outputShare().close();
        exchange.releasePermit();
      }
    }
  }

  private Reply serveAdmitted(CallExchange exchange) {
    while (true) {
      Snapshot snapshot = engine.current().get();
      if (snapshot == null) {
        return exchange.refuseEarly(GatewayError.of(ErrorCode.UNAVAILABLE));
      }
      var watch =
          new Watchdog.Watch(
              engine.watchdog(),
              exchange.cancellation(),
              exchange.deadlineNanos(snapshot),
              snapshot,
              exchange::abandon);
      engine.watchdog().add(watch);
      if (engine.current().get() == snapshot) {
        return run(exchange, snapshot, watch);
      }
      watch.end(); // replaced before the watch began: the snapshot may be closed already
    }
  }

  private Reply run(CallExchange exchange, Snapshot snapshot, Watchdog.Watch watch) {
    Reply reply = null;
    try {
      GatewayError error = exchange.redecodeWith(snapshot);
      if (error != null) {
        return exchange.refuseEarly(error);
      }
      exchange.serveWith(snapshot, watch);
      reply = hideReasoning(exchange, serve(exchange));
      return reply;
    } catch (RuntimeException | Error bug) {
      log.error("request {} failed", exchange.id(), bug);
      if (bug instanceof PluginFailureException failure) {
        exchange.work().note(new TraceEntry.Note(failure.plugin(), "failed"));
      }
      reply = refuse(exchange, GatewayError.of(ErrorCode.INTERNAL), false);
      return reply;
    } finally {
      if (!(reply instanceof Reply.Answered)) {
        watch.end();
      }
    }
  }

  /** Applies the outermost steps: rate limits, then content filters, then the cache. */
  private Reply serve(CallExchange exchange) {
    GatewayError refusal =
        exchange.models().isEmpty()
            ? RoutingQueryFactory.NO_MODEL
            : engine.rates().checkModels(exchange.models());
    if (refusal != null) {
      return refuse(exchange, refusal, false);
    }
    ContentFilter filter = exchange.snapshot().accountPolicy().rules().filter(exchange.caller());
    if (filter != null && filter.filtersRequests()) {
      ContentFilter.Filtered filtered =
          filter.apply(exchange.receivedRequest(), exchange.cancellation());
      if (filtered == null) {
        return refuseCancelled(exchange);
      }
      filtered.stages().forEach(exchange.work()::note);
      if (filtered.refusal() != null) {
        return refuse(exchange, filtered.refusal(), false);
      }
      exchange.replaceWithFiltered(filtered.request()); // the original is never passed on
    }
    CacheLookup cacheLookup = CacheLookup.of(exchange);
    if (cacheLookup == null) {
      return serveUncached(exchange, null);
    }
    CachedAnswer cachedAnswer = cacheLookup.find();
    exchange.setCache(cacheLookup.status(cachedAnswer));
    return cachedAnswer == null
        ? serveUncached(exchange, cacheLookup)
        : replay(exchange, cachedAnswer);
  }

  private static Reply hideReasoning(CallExchange exchange, Reply reply) {
    return reply instanceof Reply.Answered answered
        ? answered.withAnswer(HiddenReasoning.of(answered.answer(), exchange.receivedRequest()))
        : reply;
  }

  /**
   * Serves a request whose answer is not in the cache.
   *
   * @param cacheLookup the entry of the cache for the answer; null if it is not cached
   */
  private Reply serveUncached(CallExchange exchange, @Nullable CacheLookup cacheLookup) {
    if (exchange.filteredRequest().kind() != Endpoint.Kind.CHAT) {
      return serveDirectly(exchange, cacheLookup); // plugins and tools are for chat only
    }
    InferenceRequest request = delegateTools(exchange);
    List<TraceEntry.Note> inactivePlugins =
        engine.notes(request, exchange.models(), exchange.snapshot());
    List<ActiveInterceptor> plugins =
        withFilters(
            exchange,
            exchange
                .snapshot()
                .plugins()
                .interceptors(request, exchange.models(), inactivePlugins::add));
    exchange.reportInactive(inactivePlugins);
    OfferedTools tools = OfferedTools.of(request, exchange.snapshot().plugins()::tool);
    List<Problem> problems =
        DeclaredTools.problems(
            request,
            exchange.snapshot().plugins(),
            exchange.snapshot().catalog(),
            exchange.isOfBatch());
    if (!problems.isEmpty()) {
      return refuse(exchange, GatewayError.of(ErrorCode.INVALID_REQUEST, problems), false);
    }
    return plugins.isEmpty() && tools.isEmpty()
        ? serveDirectly(exchange, cacheLookup)
        : serveThroughPlugins(exchange, plugins, cacheLookup);
  }

  /** Leaves tools to upstreams that can run them themselves, and returns the resulting request. */
  private static InferenceRequest delegateTools(CallExchange exchange) {
    InferenceRequest request = exchange.filteredRequest();
    if (!request.tools().isEmpty()) {
      Snapshot snapshot = exchange.snapshot();
      InferenceRequest namedRequest = withNamedModels(exchange);
      InferenceRequest delegated =
          DeclaredTools.delegateToUpstreams(
              namedRequest, snapshot.plugins()::tool, snapshot.catalog());
      if (delegated != namedRequest) {
        exchange.replaceRequest(delegated);
      }
    }
    return exchange.filteredRequest();
  }

  /**
   * Adds the account's filters: before all plugins, for the answer as the caller receives it, and
   * after each plugin that puts the text of files into a request, since that is the caller's text
   * too.
   */
  private static List<ActiveInterceptor> withFilters(
      CallExchange exchange, List<ActiveInterceptor> plugins) {
    ContentFilter filter = exchange.snapshot().accountPolicy().rules().filter(exchange.caller());
    if (filter == null) {
      return plugins;
    }
    Interceptor answers = filter.answerInterceptor();
    var result = new ArrayList<ActiveInterceptor>(plugins.size() + 2);
    if (answers != null) {
      result.add(new ActiveInterceptor(FILTER, answers));
    }
    for (ActiveInterceptor plugin : plugins) {
      result.add(plugin);
      if (filter.filtersRequests() && plugin.descriptor().has(Descriptor.Trait.READS_FILES)) {
        result.add(
            new ActiveInterceptor(
                FILTER, filter.changedRequestInterceptor(exchange.filteredRequest())));
      }
    }
    return result;
  }

  private static Reply.Answered beginAnswer(
      CallExchange exchange, Reply.MeteredAnswer answer, @Nullable CacheLookup cacheLookup) {
    return exchange.beginAnswer(
        cacheLookup == null ? answer : cacheLookup.recordForCache(answer, exchange),
        exchange::deliveryState);
  }

  private static Reply replay(CallExchange exchange, CachedAnswer cachedAnswer) {
    return exchange.beginAnswer(
        new ReplayedAnswer(cachedAnswer, outcome -> exchange.recordReplay(cachedAnswer, outcome)),
        () -> exchange.replayState(cachedAnswer.endpoint()));
  }

  /** Serves a request without plugins: its only turn is its answer. */
  private static Reply serveDirectly(CallExchange exchange, @Nullable CacheLookup cacheLookup) {
    var turn = new RoutedTurn(exchange, exchange.filteredRequest(), RoutedTurn.TurnRole.ONLY_TURN);
    turn.decide(null);
    if (turn.error() == null) {
      turn.attempt(
          new RoutedTurn.Dispatch(
              exchange.watch(),
              exchange.cancellation(),
              turn.decision().needsCompression() ? compressionOpener(exchange) : Opener.DIRECT,
              isCollected(exchange.filteredRequest()) ? exchange.outputShare() : null),
          () -> {});
    }
    GatewayError error = turn.error();
    return error == null
        ? beginAnswer(exchange, turn, cacheLookup)
        : refuse(exchange, error, turn.isCancelled());
  }

  /** Returns the opener of attempts that only prompt compression may surround. */
  private static Opener compressionOpener(CallExchange exchange) {
    return new CallChain(exchange, exchange.cancellation(), List.of(), new ToolCallCounter())
        .opener(null);
  }

  /** Returns whether the writer of an answer collects it, even if no plugin does. */
  private static boolean isCollected(InferenceRequest request) {
    return !request.streaming() || request.dialect() == Dialect.RESPONSES;
  }

  private Reply serveThroughPlugins(
      CallExchange exchange, List<ActiveInterceptor> plugins, @Nullable CacheLookup cacheLookup) {
    var tally = new ToolCallCounter();
    // cancelled when the answer ends
    Cancellation.Child child = exchange.cancellation().child();
    var chain = new CallChain(exchange, child.cancellation(), plugins, tally);
    AnswerTranscript transcript = exchange.newTranscript();
    exchange.useTranscript(transcript);
    var answer =
        new ChainedAnswer(
            chain.proceed(withNamedModels(exchange)),
            exchange,
            tally,
            transcript,
            () -> {
              child.link().close();
              child.cancellation().cancel(Cancellation.Cause.CLOSED);
            });
    Event.Failed failure = answer.begin();
    if (failure != null) {
      answer.giveUp(failure);
      boolean isCancelled = exchange.turns().stream().anyMatch(RoutedTurn::isCancelled);
      return refuse(exchange, failure.error(), isCancelled);
    }
    return beginAnswer(exchange, answer, cacheLookup);
  }

  /** Returns the request with the default model named, since a plugin may act as that model. */
  private static InferenceRequest withNamedModels(CallExchange exchange) {
    InferenceRequest request = exchange.filteredRequest();
    return request.models().isEmpty()
        ? request.toBuilder().models(exchange.models()).build()
        : request;
  }

  /** Refuses a request that was cancelled before any upstream was called. */
  private static Reply.Refused refuseCancelled(CallExchange exchange) {
    Cancellation.Cause cause = exchange.cancellation().cause();
    GatewayError error = cause == null ? null : GatewayEnding.error(cause);
    return error == null
        ? refuse(exchange, GatewayEnding.CALLER_GONE, true)
        : refuse(exchange, error, false);
  }

  private static Reply.Refused refuse(
      CallExchange exchange, GatewayError error, boolean isCancelled) {
    exchange.work().close(error.code() == ErrorCode.INTERNAL ? EndCause.BUG : EndCause.CALLER);
    return exchange.refuse(error, isCancelled);
  }
}
