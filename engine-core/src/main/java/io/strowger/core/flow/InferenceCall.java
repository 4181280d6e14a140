package io.strowger.core.flow;

import io.strowger.core.account.Caller;
import io.strowger.core.account.Tab;
import io.strowger.core.attempt.Opener;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.plan.PluginFailure;
import io.strowger.core.registry.Interception;
import io.strowger.core.tools.OfferedTools;
import io.strowger.core.tools.ToolLoop;
import io.strowger.core.tools.ToolTally;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Cancellation;
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
  private final Received received;
  private final Caller caller;
  private final InferenceRequest request;
  private final Cancellation cancellation;
  private final AtomicReference<Reply.@Nullable Begun> answer = new AtomicReference<>();

  InferenceCall(Engine engine, Caller caller, InferenceRequest request, Cancellation cancellation) {
    this.engine = engine;
    this.received = Received.now(engine.ambient(), caller, request);
    this.caller = caller;
    this.request = request;
    this.cancellation = cancellation;
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

  private Reply refusedEarly(GatewayError error) {
    return new Reply.Refused(id(), received.createdSeconds(), error, Delivery.NONE);
  }

  private Watchdog.Watch watch(Snapshot snapshot) {
    long totalDue = received.nanos() + snapshot.deadlines().total().toNanos();
    return new Watchdog.Watch(engine.watchdog(), cancellation, totalDue, snapshot, this::abandon);
  }

  private Reply run(Snapshot snapshot, Watchdog.Watch watch) {
    var told = new CallLog(engine, received, snapshot);
    Reply reply = null;
    try {
      reply = serve(snapshot, watch, told);
      return reply;
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

  private Reply serve(Snapshot snapshot, Watchdog.Watch watch, CallLog told) {
    if (Question.models(request, snapshot.terms()).isEmpty()) {
      return refused(told, Question.NO_MODEL, false);
    }
    engine.notes(request, snapshot).forEach(told::note);
    var turns = new Turns(engine, received, snapshot, told, tab(snapshot));
    List<Interception> plugins = snapshot.plugins().interceptors(request, told::note);
    OfferedTools tools = OfferedTools.of(request, engine.plugins()::tool);
    return plugins.isEmpty() && tools.isEmpty()
        ? straight(turns, watch, told)
        : chained(turns, watch, told, plugins, tools);
  }

  private Tab tab(Snapshot snapshot) {
    return Tab.open(
        engine.ledger(),
        caller,
        received.at(),
        received.at().plus(snapshot.deadlines().total()).plus(GRACE));
  }

  /** Nothing stands around the request: its one turn is its answer. */
  private Reply straight(Turns turns, Watchdog.Watch watch, CallLog told) {
    Turn turn = turns.plan(request);
    if (turn.error() == null) {
      turns.attempt(
          turn,
          new Turns.Dispatch(watch, cancellation, Opener.PLAIN),
          end -> {
            watch.end();
            told.ended(end.outcome(), end.stopReason(), end.error());
          });
    }
    GatewayError error = turn.error();
    MeteredAnswer begun = turn.answer();
    return begun == null
        ? refused(
            told, error == null ? GatewayError.of(ErrorCode.INTERNAL) : error, turn.cancelled())
        : answered(begun, told);
  }

  private Reply chained(
      Turns turns,
      Watchdog.Watch watch,
      CallLog told,
      List<Interception> plugins,
      OfferedTools tools) {
    var tally = new ToolTally();
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
            Link.around(Interceptor.Position.REQUEST, plugins, loop),
            Link.around(Interceptor.Position.ATTEMPT, plugins, null));
    var begun =
        new ChainedAnswer(
            chain.proceed(request),
            told,
            tally,
            () -> {
              watch.end();
              life.link().close();
              life.cancellation().cancel(Cancellation.Cause.CLOSED);
            });
    Event.Failed failed = begun.begin();
    if (failed != null) {
      begun.giveUp();
      boolean gone = told.turns().stream().anyMatch(Turn::cancelled);
      return refused(told, failed.error(), gone);
    }
    return answered(begun, told);
  }

  private Reply.Answered answered(Reply.Begun begun, CallLog told) {
    answer.set(begun);
    if (cancellation.cause() == Cancellation.Cause.SHUTDOWN || engine.current().get() == null) {
      begun.close(); // the gateway closed before it could see the answer
    }
    return new Reply.Answered(id(), received.createdSeconds(), begun, told::delivery);
  }

  private Reply.Refused refused(CallLog told, GatewayError error, boolean cancelled) {
    told.closeAll();
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
