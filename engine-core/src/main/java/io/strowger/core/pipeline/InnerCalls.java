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
 * Makes several inner calls of a plugin or a tool at once, each with its own chain and thread. All
 * begin at the same time, but their money is held one call after the other, in order, so that the
 * first calls are paid when there is not enough for all. No call is maySend before each has its
 * money or was refused it. Confined to the thread that makes the calls.
 */
final class InnerCalls {
  private final CallExchange exchange;
  private final CallChain parent;
  private final Function<String, @Nullable ServerTool> tools;

  /**
   * @param parent the chain that makes the calls
   * @param tools finds a tool by its type; returns null for a tool that inner calls may not use
   */
  InnerCalls(
      CallExchange exchange, CallChain parent, Function<String, @Nullable ServerTool> tools) {
    this.exchange = exchange;
    this.parent = parent;
    this.tools = tools;
  }

  /** One call while it is under way. */
  static final class ActiveCall {
    private final InnerCall call;
    private final @Nullable ActiveCall previous;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch maySend;
    private final List<RoutedTurn> turns = new CopyOnWriteArrayList<>();
    private final List<PaidAct> acts = new CopyOnWriteArrayList<>();
    private volatile CallChain.@Nullable InnerAnswer result;

    private ActiveCall(InnerCall call, @Nullable ActiveCall previous, CountDownLatch maySend) {
      this.call = call;
      this.previous = previous;
      this.maySend = maySend;
    }

    String name() {
      return call.name();
    }

    /**
     * Returns the turn that holds the money reserved for this call; null when none was reserved, or
     * when the call has begun a turn.
     */
    @Nullable RoutedTurn reservedTurn() {
      return turns.isEmpty() && call.reservation() instanceof CallChain.TurnHold hold
          ? hold.turn()
          : null;
    }

    void addTurn(RoutedTurn turn) {
      turns.add(turn);
    }

    void addAct(PaidAct act) {
      acts.add(act);
    }

    /** Waits until the call before this one has its money, or will not get any. */
    void awaitPreviousHold() {
      if (previous != null) {
        Uninterruptibles.awaitUninterruptibly(previous.ready);
      }
    }

    /**
     * Reports that this call has its money or was refused it, and waits until that is so for all
     * calls.
     */
    void awaitAllHolds() {
      ready.countDown();
      Uninterruptibles.awaitUninterruptibly(maySend);
    }

    /**
     * Closes everything that a plugin or tool left open, before the cost of the call is reported.
     */
    private void closeAll(EndCause cause) {
      turns.forEach(turn -> turn.close(cause));
      acts.forEach(PaidAct::release);
    }

    private InnerCall.Result toResult() {
      CallChain.InnerAnswer innerAnswer = result;
      Usd cost = Usd.ZERO;
      String model = null;
      int status = 0;
      for (RoutedTurn turn : turns) {
        cost = cost.plus(turn.spent());
        var delivery = turn.delivery();
        model = delivery == null ? model : delivery.candidate().endpoint().model();
        for (TraceEntry entry : turn.attempts()) {
          if (entry instanceof TraceEntry.Attempted attempted && attempted.failure() != null) {
            status = attempted.status();
          }
        }
      }
      for (PaidAct act : acts) {
        Usd actCost = act.cost();
        cost = cost.plus(actCost == null ? act.amount() : actCost);
      }
      Answer answer = innerAnswer == null ? null : innerAnswer.answer();
      return new InnerCall.Result(
          answer, innerAnswer == null ? null : innerAnswer.failure(), model, cost, status);
    }
  }

  /**
   * Makes the calls and waits for all of them.
   *
   * @param links the links around each call
   * @param dataPolicy the provider preferences that protect the caller's dataPolicy
   * @param timeout the time for all calls together
   */
  List<InnerCall.Result> callAll(
      List<InterceptorLink> links,
      ProviderPreferences dataPolicy,
      List<InnerCall> calls,
      Duration timeout) {
    for (InnerCall call : calls) {
      if (call.reservation() != null && !(call.reservation() instanceof CallChain.TurnHold)) {
        throw new IllegalArgumentException(
            "the hold passed for the inner call " + call.name() + " was not made by reserve");
      }
    }
    Cancellation.Child child = parent.cancellation().child();
    Watchdog.Watch watch = parent.watch().withDeadline(child.cancellation(), deadline(timeout));
    exchange.engine().watchdog().add(watch);
    var maySend = new CountDownLatch(1);
    var activeCalls = new ArrayList<ActiveCall>(calls.size());
    for (InnerCall call : calls) {
      activeCalls.add(
          new ActiveCall(call, activeCalls.isEmpty() ? null : activeCalls.getLast(), maySend));
    }
    var threads = new ArrayList<Thread>(calls.size());
    try {
      for (ActiveCall activeCall : activeCalls) {
        var chain = parent.innerChain(child.cancellation(), watch, links, activeCall);
        InferenceRequest request = requestFor(activeCall.call, dataPolicy);
        threads.add(start(threads.size(), () -> run(activeCall, chain, request)));
      }
      activeCalls.forEach(activeCall -> Uninterruptibles.awaitUninterruptibly(activeCall.ready));
    } finally {
      maySend.countDown();
      threads.forEach(ThreadJoiner::joinUninterruptibly);
      for (InnerCall call : calls) {
        if (call.reservation() instanceof Hold hold) {
          hold.release();
        }
      }
      watch.end();
      child.link().close();
    }
    return activeCalls.stream().map(ActiveCall::toResult).toList();
  }

  private Thread start(int index, Runnable call) {
    return exchange.engine().ambient().start("strowger-call-" + exchange.id() + "-" + index, call);
  }

  private static void run(ActiveCall activeCall, CallChain chain, InferenceRequest request) {
    try {
      activeCall.result = chain.collectInnerAnswer(request);
      Event.Failed failure = activeCall.result.failure();
      activeCall.closeAll(failure == null ? EndCause.CALLER : EndCause.of(failure));
    } finally {
      activeCall.ready.countDown();
    }
  }

  private long deadline(Duration timeout) {
    long now = exchange.engine().ambient().nanoTime();
    long nanos =
        timeout.compareTo(Duration.ofDays(1)) > 0
            ? Duration.ofDays(1).toNanos()
            : Math.max(0, timeout.toNanos());
    return now + nanos;
  }

  /** Returns the request of an inner call, reduced to what inner calls may contain. */
  InferenceRequest requestFor(InnerCall call, ProviderPreferences dataPolicy) {
    InferenceRequest request = call.request();
    List<Tool> offeredTools = request.tools().stream().filter(this::isOffered).toList();
    var builder =
        request.toBuilder()
            .plugins(List.of())
            .preferences(dataPreferences(dataPolicy))
            .streaming(true);
    if (offeredTools.size() < request.tools().size()) {
      builder.tools(offeredTools);
      parent.note(
          new TraceEntry.Note(
              ToolLoop.ID, call.name() + ": left out tools that inner calls may not use"));
    }
    return builder.build();
  }

  private boolean isOffered(Tool tool) {
    return switch (tool) {
      case Tool.Server server -> tools.apply(server.type()) != null;
      case Tool.Function function -> true;
      case Tool.Unknown unknown -> true;
    };
  }

  /** Returns only the preferences that protect the caller's dataPolicy; open question 56. */
  private static ProviderPreferences dataPreferences(ProviderPreferences preferences) {
    return ProviderPreferences.builder()
        .only(preferences.only())
        .ignore(preferences.ignore())
        .denyDataCollection(preferences.denyDataCollection())
        .zdr(preferences.zdr())
        .enforceDistillableText(preferences.enforceDistillableText())
        .build();
  }
}
