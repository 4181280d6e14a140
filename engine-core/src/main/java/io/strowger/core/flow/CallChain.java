package io.strowger.core.flow;

import io.strowger.core.account.Tab;
import io.strowger.core.ambient.Ended;
import io.strowger.core.attempt.Opener;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.plan.PluginFailure;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.AnswerCollector;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Hold;
import io.strowger.spi.store.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the plugins of one request share: its turns, its money, its time, and the way from one
 * plugin to the next. Step 6 of the pipeline.
 */
final class CallChain {
  private static final Logger log = LoggerFactory.getLogger(CallChain.class);

  private final Engine engine;
  private final Received received;
  private final Turns turns;
  private final CallLog told;
  private final Watchdog.Watch watch;
  private final Cancellation cancellation;
  private final List<Link> aroundRequest;
  private final Opener opener;

  CallChain(
      Engine engine,
      Received received,
      Turns turns,
      CallLog told,
      Watchdog.Watch watch,
      Cancellation cancellation,
      List<Link> aroundRequest,
      List<Link> aroundAttempt) {
    this.engine = engine;
    this.received = received;
    this.turns = turns;
    this.told = told;
    this.watch = watch;
    this.cancellation = cancellation;
    this.aroundRequest = aroundRequest;
    this.opener =
        aroundAttempt.isEmpty() ? Opener.PLAIN : new AroundAttempt(this, told, aroundAttempt);
  }

  /** Goes all the way. */
  EventStream proceed(InferenceRequest request) {
    return from(0, request);
  }

  /** Goes on from the link at this place; behind the last one a turn is made. */
  EventStream from(int at, InferenceRequest request) {
    if (at == aroundRequest.size()) {
      Turn turn = turns.plan(request);
      return attempt(turn, new Turns.Dispatch(watch, cancellation, opener));
    }
    Link link = aroundRequest.get(at);
    return through(link, request, new RequestChain(this, link.id(), at + 1, request));
  }

  private EventStream attempt(Turn turn, Turns.Dispatch dispatch) {
    if (turn.error() == null) {
      turns.attempt(turn, dispatch, end -> {});
    }
    GatewayError error = turn.error();
    MeteredAnswer answer = turn.answer();
    return error != null || answer == null
        ? GuardedStream.failed(error == null ? GatewayError.of(ErrorCode.INTERNAL) : error)
        : answer;
  }

  /** Hands a request to a plugin, which may fail: then the request does, and says by whom. */
  EventStream through(Link link, InferenceRequest request, Interceptor.Chain rest) {
    try {
      EventStream stream = link.plugin().intercept(request, rest);
      if (stream == null) {
        throw new NullPointerException("it gave no stream");
      }
      return new GuardedStream(link.id(), stream, told);
    } catch (GatewayException refused) {
      return GuardedStream.failed(refused.error());
    } catch (PluginFailure inner) {
      throw inner; // of another plugin, further in
    } catch (RuntimeException bug) {
      throw new PluginFailure(link.id(), bug);
    }
  }

  /** Goes on with several at once from the link at this place. */
  List<Interceptor.Chain.Result> all(int at, List<InferenceRequest> requests) {
    var open = new ArrayList<Supplier<EventStream>>();
    var watches = new ArrayList<Watchdog.Watch>();
    for (InferenceRequest request : requests) {
      if (at < aroundRequest.size()) {
        open.add(() -> from(at, request));
      } else {
        Turn turn = turns.plan(request); // all money is set aside before anything is sent
        Cancellation.Child child = cancellation.child();
        Watchdog.Watch own = watch.sibling(child.cancellation());
        engine.watchdog().add(own);
        watches.add(own);
        open.add(() -> attempt(turn, new Turns.Dispatch(own, child.cancellation(), opener)));
      }
    }
    try {
      return concurrently(requests, open);
    } finally {
      watches.forEach(Watchdog.Watch::end);
    }
  }

  private List<Interceptor.Chain.Result> concurrently(
      List<InferenceRequest> requests, List<Supplier<EventStream>> open) {
    var results = new Interceptor.Chain.Result[requests.size()];
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < results.length; i++) {
      int place = i;
      threads.add(
          engine
              .ambient()
              .start(
                  "strowger-part-" + received.id() + "-" + place,
                  () -> results[place] = collected(requests.get(place), open.get(place))));
    }
    threads.forEach(Ended::await);
    return List.of(results);
  }

  private static Interceptor.Chain.Result collected(
      InferenceRequest request, Supplier<EventStream> open) {
    var collector = new AnswerCollector();
    try (EventStream stream = open.get()) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        collector.add(event);
      }
    } catch (RuntimeException | Error bug) {
      log.error("one of several calls failed", bug);
      collector.add(new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null));
    }
    if (!collector.ended()) {
      collector.add(new Event.Failed(GatewayError.of(ErrorCode.UNAVAILABLE), null));
    }
    return new Interceptor.Chain.Result(collector.answer(request.dialect()), collector.failed());
  }

  Instant now() {
    return received.at();
  }

  Duration remaining() {
    return Duration.ofNanos(Math.max(0, watch.leftNanos(engine.ambient().nanoTime())));
  }

  Cancellation cancellation() {
    return cancellation;
  }

  Usd spent() {
    return told.spent();
  }

  Hold hold(String plugin, Usd atMost, String what) {
    Tab tab = turns.tab();
    if (tab.hold(atMost) instanceof Ledger.Outcome.Granted granted) {
      var act = new PaidAct(plugin + ": " + what, granted.hold());
      told.act(act);
      return act;
    }
    throw GatewayError.of(ErrorCode.PAYMENT_REQUIRED).toException();
  }

  void note(TraceEntry entry) {
    told.note(entry);
  }
}
