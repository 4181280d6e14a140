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
 * Serves requests with one engine: the steps 4 to 16 of the pipeline. A request goes straight to
 * its one turn, or through the plugins around it; then its answer is handed out metered. Whatever
 * happens, what was held is settled or given back once, and the request is told of once. What
 * belongs to one request is in its {@link CallExchange}.
 */
public final class EngineInference implements Inference {
  private static final Logger log = LoggerFactory.getLogger(EngineInference.class);

  /** Names the account's filters in the trace. */
  static final String CONTENT_FILTER = "content-filter";

  private static final Descriptor FILTER = Descriptor.interceptor(CONTENT_FILTER).build();

  private final Engine engine;
  private final @Nullable AdmissionControl admission;

  /** Serves requests that somebody else let in. */
  public EngineInference(Engine engine) {
    this(engine, null);
  }

  /**
   * @param admission lets each request in before anything is done for it; null: somebody else did
   */
  public EngineInference(Engine engine, @Nullable AdmissionControl admission) {
    this.engine = engine;
    this.admission = admission;
  }

  @Override
  public Underway begin(Caller caller, Asked asked, Cancellation cancellation) {
    return new CallExchange(this, engine, caller, asked, cancellation);
  }

  /** As {@link Inference.Underway#reply}. */
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
      watch.end(); // swapped between the look and the lease: what was taken may be closed already
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

  /** What stands outermost around a request: limits, then filters, then the cache. */
  private Reply serve(CallExchange exchange) {
    GatewayError refusal =
        exchange.models().isEmpty()
            ? RoutingQueryFactory.NO_MODEL
            : engine.rates().ofModels(exchange.models());
    if (refusal != null) {
      return refused(exchange, refusal, false);
    }
    ContentFilter filter = exchange.snapshot().terms().rules().filter(exchange.caller());
    if (filter != null && filter.looksAtRequests()) {
      ContentFilter.Filtered filtered = filter.apply(exchange.received(), exchange.cancellation());
      if (filtered == null) {
        return cancelled(exchange);
      }
      filtered.stages().forEach(exchange::note);
      if (filtered.refusal() != null) {
        return refused(exchange, filtered.refusal(), false);
      }
      exchange.filtered(filtered.request()); // nobody sees the other one from here on
    }
    CacheLookup place = CacheLookup.of(exchange);
    if (place == null) {
      return made(exchange, null);
    }
    CachedAnswer known = place.find();
    exchange.cache(place.status(known));
    return known == null ? made(exchange, place) : replayed(exchange, known);
  }

  private static Reply shown(CallExchange exchange, Reply reply) {
    return reply instanceof Reply.Answered answered
        ? answered.showing(HiddenReasoning.of(answered.answer(), exchange.received()))
        : reply;
  }

  /**
   * @param place where the answer is kept when it ends well; null: nowhere
   */
  private Reply made(CallExchange exchange, @Nullable CacheLookup place) {
    if (exchange.request().kind() != Endpoint.Kind.CHAT) {
      return straight(exchange, place); // plugins and tools are about conversations
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
        ? straight(exchange, place)
        : chained(exchange, plugins, place);
  }

  /** What the upstreams of a request can do by means of their own is theirs to do. */
  private static InferenceRequest leftToUpstreams(CallExchange exchange) {
    InferenceRequest request = exchange.request();
    if (!request.tools().isEmpty()) {
      Snapshot snapshot = exchange.snapshot();
      InferenceRequest named = naming(exchange);
      InferenceRequest left =
          OfferedTools.leftToUpstreams(named, snapshot.plugins()::tool, snapshot.catalog());
      if (left != named) {
        exchange.replaceRequest(left);
      }
    }
    return exchange.request();
  }

  /**
   * The account's filters look through an answer as the caller gets it, in front of all others; and
   * behind whoever puts the text of files into a request, since that is the caller's text too.
   */
  private static List<Interception> withFilters(CallExchange exchange, List<Interception> plugins) {
    ContentFilter filter = exchange.snapshot().terms().rules().filter(exchange.caller());
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

  /** Nothing stands around the request: its one turn is its answer. */
  private static Reply straight(CallExchange exchange, @Nullable CacheLookup place) {
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

  /** How attempts are made where nothing stands around them but what makes the prompt fit. */
  private static Opener shortening(CallExchange exchange) {
    return new CallChain(exchange, exchange.cancellation(), List.of(), new ToolTally())
        .opener(null);
  }

  /** Whether whoever writes an answer keeps what it wrote, though no plugin does. */
  private static boolean isCollected(InferenceRequest request) {
    return !request.streaming() || request.dialect() == Dialect.RESPONSES;
  }

  private Reply chained(
      CallExchange exchange, List<Interception> plugins, @Nullable CacheLookup place) {
    var tally = new ToolTally();
    // over with the answer, whatever goes on in it
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

  /** A plugin that stands for the account's default model has to see that it is asked for. */
  private static InferenceRequest naming(CallExchange exchange) {
    InferenceRequest request = exchange.request();
    return request.models().isEmpty()
        ? request.toBuilder().models(exchange.models()).build()
        : request;
  }

  /** The request was cancelled before anything was asked of anybody. */
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
