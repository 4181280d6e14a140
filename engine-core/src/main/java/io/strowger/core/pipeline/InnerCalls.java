package io.strowger.core.pipeline;

import com.google.common.util.concurrent.Uninterruptibles;
import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.meter.EndCause;
import io.strowger.core.tools.ToolLoop;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes several inner calls of a plugin or a tool at once, each with its own chain and thread. They
 * begin at the same time, but the money for each is held only after the money for the previous one;
 * then all of them are sent. So the calls that come first are the ones that can be paid, and
 * nothing is sent before all money is held. Confined to the thread that makes the calls.
 */
final class InnerCalls {
  private final CallExchange exchange;
  private final CallChain maker;
  private final Function<String, @Nullable ServerTool> tools;

  /**
   * @param maker the chain that makes the calls
   * @param tools finds a tool by its type; returns null for a tool that inner calls may not use
   */
  InnerCalls(CallExchange exchange, CallChain maker, Function<String, @Nullable ServerTool> tools) {
    this.exchange = exchange;
    this.maker = maker;
    this.tools = tools;
  }

  /** One call while it is under way. */
  static final class Underway {
    private final InnerCall call;
    private final @Nullable Underway before;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch sent;
    private final List<RoutedTurn> turns = new CopyOnWriteArrayList<>();
    private final List<PaidAct> acts = new CopyOnWriteArrayList<>();
    private volatile CallChain.@Nullable InnerAnswer result;

    private Underway(InnerCall call, @Nullable Underway before, CountDownLatch sent) {
      this.call = call;
      this.before = before;
      this.sent = sent;
    }

    String name() {
      return call.name();
    }

    /** Returns the turn that reserved its money, until its first turn begins; null otherwise. */
    @Nullable RoutedTurn reserved() {
      return turns.isEmpty() && call.reserved() instanceof CallChain.Reserved hold
          ? hold.turn()
          : null;
    }

    void turn(RoutedTurn begun) {
      turns.add(begun);
    }

    void act(PaidAct paid) {
      acts.add(paid);
    }

    /** Waits until the call before this one has its money, or will not get any. */
    void awaitMoney() {
      if (before != null) {
        Uninterruptibles.awaitUninterruptibly(before.ready);
      }
    }

    /**
     * Reports that a turn has its money, or gets none, and waits until this is true of all calls.
     */
    void awaitSending() {
      ready.countDown();
      Uninterruptibles.awaitUninterruptibly(sent);
    }

    /**
     * Closes everything that a plugin or tool left open, before the cost of the call is reported.
     */
    private void closeAll(EndCause cause) {
      turns.forEach(turn -> turn.close(cause));
      acts.forEach(PaidAct::release);
    }

    private InnerCall.Result toResult() {
      CallChain.InnerAnswer came = result;
      Usd cost = Usd.ZERO;
      String model = null;
      int status = 0;
      for (RoutedTurn turn : turns) {
        cost = cost.plus(turn.spent());
        var by = turn.delivers();
        model = by == null ? model : by.candidate().endpoint().model();
        for (TraceEntry entry : turn.attempts()) {
          if (entry instanceof TraceEntry.Attempted one && one.failure() != null) {
            status = one.status();
          }
        }
      }
      for (PaidAct act : acts) {
        Usd paid = act.cost();
        cost = cost.plus(paid == null ? act.amount() : paid);
      }
      Answer answer = came == null ? null : came.answer();
      return new InnerCall.Result(
          answer, came == null ? null : came.failure(), model, cost, status);
    }
  }

  /**
   * Makes the calls and waits for all of them.
   *
   * @param links the links around each call
   * @param data the provider preferences that protect the caller's data
   * @param within the time for all calls together
   */
  List<InnerCall.Result> all(
      List<InterceptorLink> links,
      ProviderPreferences data,
      List<InnerCall> calls,
      Duration within) {
    for (InnerCall call : calls) {
      if (call.reserved() != null && !(call.reserved() instanceof CallChain.Reserved)) {
        throw new IllegalArgumentException(
            "the hold passed for the inner call " + call.name() + " was not made by reserve");
      }
    }
    Cancellation.Child life = maker.cancellation().child();
    Watchdog.Watch watch = maker.watch().within(life.cancellation(), due(within));
    exchange.engine().watchdog().add(watch);
    var sent = new CountDownLatch(1);
    var underway = new ArrayList<Underway>(calls.size());
    for (InnerCall call : calls) {
      underway.add(new Underway(call, underway.isEmpty() ? null : underway.getLast(), sent));
    }
    var threads = new ArrayList<Thread>(calls.size());
    try {
      for (Underway one : underway) {
        var chain = maker.within(life.cancellation(), watch, links, one);
        InferenceRequest request = asked(one.call, data);
        threads.add(start(threads.size(), () -> run(one, chain, request)));
      }
      underway.forEach(one -> Uninterruptibles.awaitUninterruptibly(one.ready));
    } finally {
      sent.countDown();
      threads.forEach(ThreadJoiner::joinUninterruptibly);
      for (InnerCall call : calls) {
        if (call.reserved() instanceof Hold hold) {
          hold.release();
        }
      }
      watch.end();
      life.link().close();
    }
    return underway.stream().map(Underway::toResult).toList();
  }

  private Thread start(int place, Runnable call) {
    return exchange.engine().ambient().start("strowger-call-" + exchange.id() + "-" + place, call);
  }

  private static void run(Underway one, CallChain chain, InferenceRequest request) {
    try {
      one.result = chain.innerAnswer(request);
      Event.Failed failed = one.result.failure();
      one.closeAll(failed == null ? EndCause.CALLER : EndCause.of(failed));
    } finally {
      one.ready.countDown();
    }
  }

  private long due(Duration within) {
    long now = exchange.engine().ambient().nanoTime();
    long nanos =
        within.compareTo(Duration.ofDays(1)) > 0
            ? Duration.ofDays(1).toNanos()
            : Math.max(0, within.toNanos());
    return now + nanos;
  }

  /** Returns the request of an inner call, reduced to what inner calls may contain. */
  InferenceRequest asked(InnerCall call, ProviderPreferences data) {
    InferenceRequest request = call.request();
    List<Tool> offered = request.tools().stream().filter(this::isOffered).toList();
    var asked =
        request.toBuilder().plugins(List.of()).preferences(protecting(data)).streaming(true);
    if (offered.size() < request.tools().size()) {
      asked.tools(offered);
      maker.note(
          new TraceEntry.Note(
              ToolLoop.ID, call.name() + ": tools that inner calls are not offered were left out"));
    }
    return asked.build();
  }

  private boolean isOffered(Tool tool) {
    return switch (tool) {
      case Tool.Server server -> tools.apply(server.type()) != null;
      case Tool.Function function -> true;
      case Tool.Unknown unknown -> true;
    };
  }

  /** Returns only the preferences that protect the caller's data; open question 56. */
  private static ProviderPreferences protecting(ProviderPreferences of) {
    return ProviderPreferences.builder()
        .only(of.only())
        .ignore(of.ignore())
        .denyDataCollection(of.denyDataCollection())
        .zdr(of.zdr())
        .enforceDistillableText(of.enforceDistillableText())
        .build();
  }
}
