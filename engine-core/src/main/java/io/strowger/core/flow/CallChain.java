package io.strowger.core.flow;

import io.strowger.core.account.Funds;
import io.strowger.core.account.Tab;
import io.strowger.core.ambient.Ended;
import io.strowger.core.attempt.Opener;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.plan.PluginFailure;
import io.strowger.spi.ambient.Ambient;
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
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Hold;
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

  private final Exchange exchange;
  private final Cancellation cancellation;
  private final List<Link> aroundRequest;
  private final Opener opener;

  /**
   * @param cancellation over with the answer, whatever goes on in it
   */
  CallChain(
      Exchange exchange,
      Cancellation cancellation,
      List<Link> aroundRequest,
      List<Link> aroundAttempt) {
    this.exchange = exchange;
    this.cancellation = cancellation;
    this.aroundRequest = aroundRequest;
    this.opener =
        aroundAttempt.isEmpty() ? Opener.PLAIN : new AroundAttempt(this, exchange, aroundAttempt);
  }

  /** Goes all the way. */
  EventStream proceed(InferenceRequest request) {
    return from(0, request);
  }

  /** Goes on from the link at this place; behind the last one a turn is made. */
  EventStream from(int at, InferenceRequest request) {
    if (at == aroundRequest.size()) {
      return attempt(decided(request));
    }
    Link link = aroundRequest.get(at);
    return through(link, request, new RequestChain(this, link.id(), at + 1, request));
  }

  private Turn decided(InferenceRequest request) {
    var turn = new Turn(exchange, request, false);
    turn.decide();
    return turn;
  }

  /** Each turn is watched by itself, since several may be under way at once. */
  private EventStream attempt(Turn turn) {
    if (turn.error() == null) {
      Watchdog.Watch own = exchange.watch().sibling(cancellation);
      exchange.engine().watchdog().add(own);
      try {
        turn.attempt(new Turn.Dispatch(own, cancellation, opener, exchange.collected()), own::end);
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

  /** Hands a request to a plugin, which may fail: then the request does, and says by whom. */
  EventStream through(Link link, InferenceRequest request, Interceptor.Chain rest) {
    try {
      EventStream stream = link.plugin().intercept(request, rest);
      if (stream == null) {
        throw new NullPointerException("it gave no stream");
      }
      return new GuardedStream(link.id(), stream, exchange);
    } catch (GatewayException refused) {
      return GuardedStream.failed(refused.error(), null);
    } catch (PluginFailure inner) {
      throw inner; // of another plugin, further in
    } catch (RuntimeException | Error bug) {
      throw new PluginFailure(link.id(), bug);
    }
  }

  /** Goes on with several at once from the link at this place. */
  List<Interceptor.Chain.Result> all(int at, List<InferenceRequest> requests) {
    var open = new ArrayList<Supplier<EventStream>>();
    for (InferenceRequest request : requests) {
      if (at < aroundRequest.size()) {
        open.add(() -> from(at, request));
      } else {
        Turn turn = decided(request); // all money is set aside before anything is sent
        open.add(() -> attempt(turn));
      }
    }
    return concurrently(requests, open);
  }

  private List<Interceptor.Chain.Result> concurrently(
      List<InferenceRequest> requests, List<Supplier<EventStream>> open) {
    var results = new Interceptor.Chain.Result[requests.size()];
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < results.length; i++) {
      int place = i;
      threads.add(
          exchange
              .engine()
              .ambient()
              .start(
                  "strowger-part-" + exchange.id() + "-" + place,
                  () -> results[place] = collected(requests.get(place), open.get(place))));
    }
    threads.forEach(Ended::await);
    return List.of(results);
  }

  private Interceptor.Chain.Result collected(InferenceRequest request, Supplier<EventStream> open) {
    var collector = new AnswerCollector();
    try (EventStream stream = open.get()) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        collector.add(event);
      }
    } catch (RuntimeException | Error bug) {
      log.error("one of several calls failed", bug);
      if (bug instanceof PluginFailure failed) {
        exchange.note(new TraceEntry.Note(failed.plugin(), "failed"));
      }
      collector.add(new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null));
    }
    if (!collector.ended()) {
      collector.add(new Event.Failed(GatewayError.of(ErrorCode.UNAVAILABLE), null));
    }
    Event.Failed failed = collector.failed();
    Answer answer = collector.answer(request.dialect());
    return new Interceptor.Chain.Result(
        failed != null && answer.parts().isEmpty() ? null : answer, failed);
  }

  Instant now() {
    return exchange.at();
  }

  private Ambient ambient() {
    return exchange.engine().ambient();
  }

  Duration remaining() {
    return Duration.ofNanos(Math.max(0, exchange.watch().leftNanos(ambient().nanoTime())));
  }

  Cancellation cancellation() {
    return cancellation;
  }

  Usd spent() {
    return exchange.spent();
  }

  Hold hold(String plugin, Usd atMost, String what) {
    return switch (exchange.tab().hold(Charge.credits(atMost))) {
      case Tab.Answer.Funded(Funds funds) -> {
        var act =
            new PaidAct(
                exchange.id(), exchange.nextAct(), plugin + ": " + what, funds, ambient()::now);
        exchange.act(act);
        yield act;
      }
      case Tab.Answer.Short(GatewayError error) -> throw error.toException();
      case Tab.Answer.Down(GatewayError error) -> throw error.toException();
    };
  }

  void note(TraceEntry entry) {
    exchange.note(entry);
  }
}
