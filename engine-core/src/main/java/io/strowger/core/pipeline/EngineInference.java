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
import io.strowger.core.registry.Interception;
import io.strowger.core.tools.OfferedTools;
import io.strowger.core.tools.ToolTally;
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
   * @param admission admits each request before anything is done for it; null if they are admitted
   *     elsewhere
   */
  public EngineInference(Engine engine, @Nullable AdmissionControl admission) {
    this.engine = engine;
    this.admission = admission;
  }

  @Override
  public Underway begin(Caller caller, DecodedRequest decodedRequest, Cancellation cancellation) {
    return new CallExchange(this, engine, caller, decodedRequest, cancellation);
  }

  /** Serves a request, as {@link Inference.Underway#reply} does. */
  Reply reply(CallExchange exchange) {
    if (exchange.caller().management()) {
      return exchange.refusedEarly(
          GatewayError.of(
              ErrorCode.PERMISSION_DENIED, "Management keys cannot be used for inference"));
    }
    AdmissionControl control = admission;
    if (control != null) {
      switch (control.admit(exchange.caller().key(), 0, exchange.cancellation())) {
        case Admission.Refusal refusal -> {
          return exchange.refusedEarly(refusal.error());
        }
        case Permit granted -> exchange.permitted(granted);
      }
    }
    Reply reply = null;
    try {
      reply = admitted(exchange);
      return reply;
    } finally {
      if (!(reply instanceof Reply.Answered)) {
        exchange.collected().close();
        exchange.leave();
      }
    }
  }

  private Reply admitted(CallExchange exchange) {
    while (true) {
      Snapshot snapshot = engine.current().get();
      if (snapshot == null) {
        return exchange.refusedEarly(GatewayError.of(ErrorCode.UNAVAILABLE));
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
      GatewayError other = exchange.readWith(snapshot);
      if (other != null) {
        return exchange.refusedEarly(other);
      }
      exchange.serveWith(snapshot, watch);
      reply = shown(exchange, serve(exchange));
      return reply;
    } catch (RuntimeException | Error bug) {
      log.error("request {} failed", exchange.id(), bug);
      if (bug instanceof PluginFailureException failed) {
        exchange.note(new TraceEntry.Note(failed.plugin(), "failed"));
      }
      reply = refused(exchange, GatewayError.of(ErrorCode.INTERNAL), false);
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
            : engine.rates().ofModels(exchange.models());
    if (refusal != null) {
      return refused(exchange, refusal, false);
    }
    ContentFilter filter = exchange.snapshot().accountPolicy().rules().filter(exchange.caller());
    if (filter != null && filter.looksAtRequests()) {
      ContentFilter.Filtered filtered = filter.apply(exchange.received(), exchange.cancellation());
      if (filtered == null) {
        return cancelled(exchange);
      }
      filtered.stages().forEach(exchange::note);
      if (filtered.refusal() != null) {
        return refused(exchange, filtered.refusal(), false);
      }
      exchange.filtered(filtered.request()); // only this one is served from here on
    }
    CacheLookup place = CacheLookup.of(exchange);
    if (place == null) {
      return serveUncached(exchange, null);
    }
    CachedAnswer known = place.find();
    exchange.cache(place.status(known));
    return known == null ? serveUncached(exchange, place) : replayed(exchange, known);
  }

  private static Reply shown(CallExchange exchange, Reply reply) {
    return reply instanceof Reply.Answered answered
        ? answered.showing(HiddenReasoning.of(answered.answer(), exchange.received()))
        : reply;
  }

  /**
   * Serves a request whose answer is not in the cache.
   *
   * @param place the entry of the cache for the answer; null if it is not cached
   */
  private Reply serveUncached(CallExchange exchange, @Nullable CacheLookup place) {
    if (exchange.request().kind() != Endpoint.Kind.CHAT) {
      return serveDirectly(exchange, place); // plugins and tools are for chat only
    }
    InferenceRequest request = leftToUpstreams(exchange);
    List<TraceEntry.Note> inactive = engine.notes(request, exchange.models(), exchange.snapshot());
    List<Interception> plugins =
        withFilters(
            exchange,
            exchange.snapshot().plugins().interceptors(request, exchange.models(), inactive::add));
    exchange.inactive(inactive);
    OfferedTools tools = OfferedTools.of(request, exchange.snapshot().plugins()::tool);
    List<Problem> wrong =
        OfferedTools.problems(
            request,
            exchange.snapshot().plugins(),
            exchange.snapshot().catalog(),
            exchange.isOfBatch());
    if (!wrong.isEmpty()) {
      return refused(exchange, GatewayError.of(ErrorCode.INVALID_REQUEST, wrong), false);
    }
    return plugins.isEmpty() && tools.isEmpty()
        ? serveDirectly(exchange, place)
        : serveThroughPlugins(exchange, plugins, place);
  }

  /** Leaves tools to upstreams that can run them themselves, and returns the resulting request. */
  private static InferenceRequest leftToUpstreams(CallExchange exchange) {
    InferenceRequest request = exchange.request();
    if (!request.tools().isEmpty()) {
      Snapshot snapshot = exchange.snapshot();
      InferenceRequest named = naming(exchange);
      InferenceRequest left =
          OfferedTools.delegatedToUpstreams(named, snapshot.plugins()::tool, snapshot.catalog());
      if (left != named) {
        exchange.replaceRequest(left);
      }
    }
    return exchange.request();
  }

  /**
   * Adds the account's filters: before all plugins, for the answer as the caller receives it, and
   * after each plugin that puts the text of files into a request, since that is the caller's text
   * too.
   */
  private static List<Interception> withFilters(CallExchange exchange, List<Interception> plugins) {
    ContentFilter filter = exchange.snapshot().accountPolicy().rules().filter(exchange.caller());
    if (filter == null) {
      return plugins;
    }
    Interceptor answers = filter.answers();
    var all = new ArrayList<Interception>(plugins.size() + 2);
    if (answers != null) {
      all.add(new Interception(FILTER, answers));
    }
    for (Interception plugin : plugins) {
      all.add(plugin);
      if (filter.looksAtRequests() && plugin.descriptor().has(Descriptor.Trait.READS_FILES)) {
        all.add(new Interception(FILTER, filter.requestsOtherThan(exchange.request())));
      }
    }
    return all;
  }

  private static Reply.Answered answered(
      CallExchange exchange, Reply.Begun begun, @Nullable CacheLookup place) {
    return exchange.answered(
        place == null ? begun : place.recordedForCache(begun, exchange), exchange::delivery);
  }

  private static Reply replayed(CallExchange exchange, CachedAnswer known) {
    return exchange.answered(
        new ReplayedAnswer(known, outcome -> exchange.replayed(known, outcome)),
        () -> exchange.replayedBy(known.endpoint()));
  }

  /** Serves a request without plugins: its only turn is its answer. */
  private static Reply serveDirectly(CallExchange exchange, @Nullable CacheLookup place) {
    var turn = new RoutedTurn(exchange, exchange.request(), RoutedTurn.Part.ALONE);
    turn.decide(null);
    if (turn.error() == null) {
      turn.attempt(
          new RoutedTurn.Dispatch(
              exchange.watch(),
              exchange.cancellation(),
              turn.compresses() ? shortening(exchange) : Opener.PLAIN,
              isCollected(exchange.request()) ? exchange.collected() : null),
          () -> {});
    }
    GatewayError error = turn.error();
    return error == null
        ? answered(exchange, turn, place)
        : refused(exchange, error, turn.cancelled());
  }

  /** Returns the opener of attempts that only prompt compression may surround. */
  private static Opener shortening(CallExchange exchange) {
    return new CallChain(exchange, exchange.cancellation(), List.of(), new ToolTally())
        .opener(null);
  }

  /** Returns whether the writer of an answer collects it, even if no plugin does. */
  private static boolean isCollected(InferenceRequest request) {
    return !request.streaming() || request.dialect() == Dialect.RESPONSES;
  }

  private Reply serveThroughPlugins(
      CallExchange exchange, List<Interception> plugins, @Nullable CacheLookup place) {
    var tally = new ToolTally();
    // tripped when the answer ends
    Cancellation.Child life = exchange.cancellation().child();
    var chain = new CallChain(exchange, life.cancellation(), plugins, tally);
    AnswerTranscript shown = exchange.newTranscript();
    exchange.useTranscript(shown);
    var begun =
        new ChainedAnswer(
            chain.proceed(naming(exchange)),
            exchange,
            tally,
            shown,
            () -> {
              life.link().close();
              life.cancellation().cancel(Cancellation.Cause.CLOSED);
            });
    Event.Failed failed = begun.begin();
    if (failed != null) {
      begun.giveUp(failed);
      boolean gone = exchange.turns().stream().anyMatch(RoutedTurn::cancelled);
      return refused(exchange, failed.error(), gone);
    }
    return answered(exchange, begun, place);
  }

  /** Returns the request with the default model named, since a plugin may act as that model. */
  private static InferenceRequest naming(CallExchange exchange) {
    InferenceRequest request = exchange.request();
    return request.models().isEmpty()
        ? request.toBuilder().models(exchange.models()).build()
        : request;
  }

  /** Refuses a request that was cancelled before any upstream was called. */
  private static Reply.Refused cancelled(CallExchange exchange) {
    Cancellation.Cause cause = exchange.cancellation().cause();
    GatewayError error = cause == null ? null : GatewayEnding.error(cause);
    return error == null
        ? refused(exchange, GatewayEnding.CALLER_GONE, true)
        : refused(exchange, error, false);
  }

  private static Reply.Refused refused(CallExchange exchange, GatewayError error, boolean gone) {
    exchange.closeAll(error.code() == ErrorCode.INTERNAL ? EndCause.BUG : EndCause.CALLER);
    return exchange.refused(error, gone);
  }
}
