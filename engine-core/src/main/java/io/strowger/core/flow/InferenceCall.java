package io.strowger.core.flow;

import io.strowger.core.account.Caller;
import io.strowger.core.account.Tab;
import io.strowger.core.attempt.GatewayEnding;
import io.strowger.core.attempt.Opener;
import io.strowger.core.attempt.OutputBudget;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.cache.CacheStatus;
import io.strowger.core.cache.CachedAnswer;
import io.strowger.core.cache.Caching;
import io.strowger.core.guardrail.ContentFilter;
import io.strowger.core.meter.EndCause;
import io.strowger.core.overload.Admission;
import io.strowger.core.overload.AdmissionControl;
import io.strowger.core.overload.Permit;
import io.strowger.core.plan.PluginFailure;
import io.strowger.core.registry.Interception;
import io.strowger.core.tools.OfferedTools;
import io.strowger.core.tools.ToolLoop;
import io.strowger.core.tools.ToolTally;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request's way through the steps 4 to 16 of the pipeline: straight to its one turn, or through
 * the plugins around it; then the answer is handed out metered. Whatever happens, what was held is
 * settled or given back once, and the call is recorded once.
 */
final class InferenceCall implements Inference.Underway {
  private static final Logger log = LoggerFactory.getLogger(InferenceCall.class);

  /**
   * A hold outlives the request a little, so that it never expires under a settlement that is late.
   */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final Engine engine;
  private final @Nullable AdmissionControl admission;
  private final Received received;
  private final Caller caller;
  private final @Nullable Caching caching;
  private final Cancellation cancellation;
  private final OutputBudget.Share collected;
  private final AtomicReference<Reply.@Nullable Begun> answer = new AtomicReference<>();
  private volatile @Nullable CacheStatus cache;
  private volatile @Nullable Permit permit; // null: let in by somebody else, or not yet

  /**
   * @param admission lets the request in when its reply is asked for; null: somebody else did
   */
  InferenceCall(
      Engine engine,
      @Nullable AdmissionControl admission,
      Caller caller,
      InferenceRequest request,
      @Nullable Caching caching,
      Cancellation cancellation) {
    this.engine = engine;
    this.admission = admission;
    this.received = Received.now(engine.ambient(), caller, request);
    this.caller = caller;
    this.caching = caching;
    this.cancellation = cancellation;
    this.collected = engine.outputs().begin();
  }

  @Override
  public String id() {
    return received.id();
  }

  @Override
  public Reply reply() {
    if (caller.management()) {
      return refusedEarly(
          GatewayError.of(
              ErrorCode.PERMISSION_DENIED, "Management keys cannot be used for inference"));
    }
    AdmissionControl control = admission;
    if (control != null) {
      switch (control.admit(caller.key(), 0, cancellation)) {
        case Admission.Refusal refusal -> {
          return refusedEarly(refusal.error());
        }
        case Permit granted -> permit = granted;
      }
    }
    Reply reply = null;
    try {
      reply = admitted();
      return reply;
    } finally {
      if (!(reply instanceof Reply.Answered)) {
        collected.close();
        leave();
      }
    }
  }

  private void leave() {
    Permit held = permit;
    if (held != null) {
      held.close();
    }
  }

  private Reply admitted() {
    while (true) {
      Snapshot snapshot = engine.current().get();
      if (snapshot == null) {
        return refusedEarly(GatewayError.of(ErrorCode.UNAVAILABLE));
      }
      Watchdog.Watch watch = watch(snapshot);
      engine.watchdog().add(watch);
      if (engine.current().get() == snapshot) {
        return run(snapshot, watch);
      }
      watch.end(); // swapped between the look and the lease: what was taken may be closed already
    }
  }

  /** The answer has ended. What was collected of it is in use until it is closed. */
  private void over(Watchdog.Watch watch) {
    watch.end();
    leave();
  }

  private Reply refusedEarly(GatewayError error) {
    return new Reply.Refused(id(), received.createdSeconds(), error, Delivery.NONE);
  }

  private Watchdog.Watch watch(Snapshot snapshot) {
    return new Watchdog.Watch(
        engine.watchdog(), cancellation, due(snapshot), snapshot, this::abandon);
  }

  private long due(Snapshot snapshot) {
    return received.nanos() + snapshot.deadlines().total().toNanos();
  }

  private Reply run(Snapshot snapshot, Watchdog.Watch watch) {
    var told = new CallLog(engine, received, snapshot);
    Reply reply = null;
    try {
      reply = serve(snapshot, watch, told);
      return shown(reply);
    } catch (RuntimeException | Error bug) {
      log.error("request {} failed", id(), bug);
      if (bug instanceof PluginFailure failed) {
        told.note(new TraceEntry.Note(failed.plugin(), "failed"));
      }
      reply = refused(told, GatewayError.of(ErrorCode.INTERNAL), false);
      return reply;
    } finally {
      if (!(reply instanceof Reply.Answered)) {
        watch.end();
      }
    }
  }

  @Override
  public @Nullable CacheStatus cache() {
    return cache;
  }

  /** What stands outermost around a request: limits, then filters, then the cache. */
  private Reply serve(Snapshot snapshot, Watchdog.Watch watch, CallLog told) {
    List<ModelRef> models = Question.models(received.request(), snapshot.terms(), caller);
    GatewayError refusal = models.isEmpty() ? Question.NO_MODEL : engine.rates().ofModels(models);
    if (refusal != null) {
      return refused(told, refusal, false);
    }
    Received asked = received;
    ContentFilter filter = snapshot.terms().rules().filter(caller);
    if (filter != null) {
      ContentFilter.Filtered filtered =
          filter.apply(received.request(), engine.codec(), cancellation);
      if (filtered == null) {
        return ended(told);
      }
      filtered.stages().forEach(told::note);
      if (filtered.refusal() != null) {
        return refused(told, filtered.refusal(), false);
      }
      asked = received.asking(filtered.request()); // nobody sees the other one from here on
      told.asks(asked);
    }
    CachePlace place = CachePlace.of(engine, asked, models, caching, snapshot.terms());
    if (place == null) {
      return made(asked, snapshot, watch, told);
    }
    CachedAnswer known = place.find();
    cache = place.status(known);
    return known == null
        ? recordedForCache(made(asked, snapshot, watch, told), place, told)
        : replayed(known, watch, told);
  }

  private Reply shown(Reply reply) {
    return reply instanceof Reply.Answered answered
        ? answered.showing(HiddenReasoning.of(answered.answer(), received.request()))
        : reply;
  }

  private Reply made(Received asked, Snapshot snapshot, Watchdog.Watch watch, CallLog told) {
    InferenceRequest request = asked.request();
    List<TraceEntry.Note> inactive = engine.notes(request, snapshot, caller);
    var turns = new Turns(engine, asked, snapshot, told, tab(snapshot));
    List<Interception> plugins = snapshot.plugins().interceptors(request, inactive::add);
    told.inactive(inactive);
    OfferedTools tools = OfferedTools.of(request, engine.plugins()::tool);
    return plugins.isEmpty() && tools.isEmpty()
        ? straight(request, turns, watch, told)
        : chained(request, turns, watch, told, new Around(plugins, tools));
  }

  /** What stands around the request between the cache and its turns. */
  private record Around(List<Interception> plugins, OfferedTools tools) {}

  private Reply recordedForCache(Reply reply, CachePlace place, CallLog told) {
    return reply instanceof Reply.Answered answered
        ? answered(place.recordedForCache(answered.answer(), told), told::delivery)
        : reply;
  }

  private Reply replayed(CachedAnswer known, Watchdog.Watch watch, CallLog told) {
    return answered(
        new ReplayedAnswer(
            known,
            outcome -> {
              over(watch);
              told.replayed(known, outcome);
            }),
        () -> told.replayedBy(known.endpoint()));
  }

  private Tab tab(Snapshot snapshot) {
    long over = due(snapshot) + GRACE.toNanos();
    return Tab.open(engine.ledger(), caller, received.at(), over, snapshot.terms().creditsUrl());
  }

  /** Nothing stands around the request: its one turn is its answer. */
  private Reply straight(
      InferenceRequest request, Turns turns, Watchdog.Watch watch, CallLog told) {
    Turn turn = turns.plan(request);
    if (turn.error() == null) {
      turns.attempt(
          turn,
          new Turns.Dispatch(
              watch, cancellation, Opener.PLAIN, isCollected(request) ? collected : null),
          end -> {
            over(watch);
            told.ended(end.outcome(), end.stopReason(), end.error());
          });
    }
    GatewayError error = turn.error();
    MeteredAnswer begun = turn.answer();
    return begun == null
        ? refused(
            told, error == null ? GatewayError.of(ErrorCode.INTERNAL) : error, turn.cancelled())
        : answered(isCollected(request) ? untilRead(begun) : begun, told::delivery);
  }

  /** The end of an answer repeats what was collected of it, and a client may read it slowly. */
  private Reply.Begun untilRead(Reply.Begun begun) {
    return new ReleasingAnswer(begun, collected);
  }

  /** Whether whoever writes an answer keeps what it wrote, though no plugin does. */
  private static boolean isCollected(InferenceRequest request) {
    return !request.streaming() || request.dialect() == Dialect.RESPONSES;
  }

  private Reply chained(
      InferenceRequest request, Turns turns, Watchdog.Watch watch, CallLog told, Around around) {
    var tally = new ToolTally();
    OfferedTools tools = around.tools();
    ToolLoop loop = tools.isEmpty() ? null : new ToolLoop(tools, tally, engine.codec());
    Cancellation.Child life = cancellation.child(); // over with the answer, whatever goes on in it
    var chain =
        new CallChain(
            engine,
            received,
            turns,
            told,
            watch,
            life.cancellation(),
            collected,
            Link.around(Interceptor.Position.REQUEST, around.plugins(), loop),
            Link.around(Interceptor.Position.ATTEMPT, around.plugins(), null));
    Witness shown = turns.witness();
    told.shows(shown);
    var begun =
        new ChainedAnswer(
            chain.proceed(request),
            told,
            tally,
            shown,
            () -> {
              over(watch);
              life.link().close();
              life.cancellation().cancel(Cancellation.Cause.CLOSED);
            });
    Event.Failed failed = begun.begin();
    if (failed != null) {
      begun.giveUp(failed);
      boolean gone = told.turns().stream().anyMatch(Turn::cancelled);
      return refused(told, failed.error(), gone);
    }
    return answered(untilRead(begun), told::delivery);
  }

  private Reply.Answered answered(Reply.Begun begun, Reply.DeliveryView view) {
    answer.set(begun);
    if (cancellation.cause() == Cancellation.Cause.SHUTDOWN || engine.current().get() == null) {
      begun.close(); // the gateway closed before it could see the answer
    }
    return new Reply.Answered(id(), received.createdSeconds(), begun, view, cache);
  }

  /** The request was cancelled before anything was asked of anybody. */
  private Reply.Refused ended(CallLog told) {
    Cancellation.Cause cause = cancellation.cause();
    GatewayError error = cause == null ? null : GatewayEnding.error(cause);
    return error == null
        ? refused(told, GatewayEnding.CALLER_GONE, true)
        : refused(told, error, false);
  }

  private Reply.Refused refused(CallLog told, GatewayError error, boolean cancelled) {
    told.closeAll(error.code() == ErrorCode.INTERNAL ? EndCause.BUG : EndCause.CALLER);
    return told.refused(error, cancelled);
  }

  /** The gateway is closing: end whatever the request is doing and account for it. */
  private void abandon() {
    cancellation.cancel(Cancellation.Cause.SHUTDOWN);
    Reply.Begun begun = answer.get();
    if (begun != null) {
      begun.close();
    }
  }
}
