package io.strowger.core.pipeline;

import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.tools.ToolLoop;
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
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes several inner calls of a plugin or a tool at once, each with its own chain and thread. All
 * begin at the same time, but their money is held one call after the other, in order, so that the
 * first calls are paid when there is not enough for all. No call is sent before each has its money
 * or was refused it. Confined to the thread that makes the calls.
 *
 * @param parent the chain that makes the calls
 * @param tools finds a tool by its type; returns null for a tool that inner calls may not use
 */
record InnerCalls(
    CallExchange exchange, CallChain parent, Function<String, @Nullable ServerTool> tools) {

  /**
   * Makes the calls and waits for all of them.
   *
   * @param links the links around each call
   * @param dataPolicy the provider preferences that protect the caller's data
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
    var activeCalls = new ArrayList<ActiveInnerCall>(calls.size());
    for (InnerCall call : calls) {
      activeCalls.add(
          new ActiveInnerCall(call, activeCalls.isEmpty() ? null : activeCalls.getLast(), maySend));
    }
    var threads = new ArrayList<Thread>(calls.size());
    try {
      for (ActiveInnerCall activeCall : activeCalls) {
        var chain = parent.innerChain(child.cancellation(), watch, links, activeCall);
        InferenceRequest request = requestFor(activeCall.call(), dataPolicy);
        threads.add(start(threads.size(), () -> activeCall.run(chain, request)));
      }
      activeCalls.forEach(ActiveInnerCall::awaitHold);
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
    return activeCalls.stream().map(ActiveInnerCall::toResult).toList();
  }

  private Thread start(int index, Runnable call) {
    return exchange.engine().ambient().start("strowger-call-" + exchange.id() + "-" + index, call);
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
            .preferences(onlyDataPolicy(dataPolicy))
            .streaming(true);
    if (offeredTools.size() < request.tools().size()) {
      builder.tools(offeredTools);
      exchange
          .work()
          .note(
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

  /** Returns only the preferences that protect the caller's data; open question 56. */
  private static ProviderPreferences onlyDataPolicy(ProviderPreferences preferences) {
    return ProviderPreferences.builder()
        .only(preferences.only())
        .ignore(preferences.ignore())
        .denyDataCollection(preferences.denyDataCollection())
        .zdr(preferences.zdr())
        .enforceDistillableText(preferences.enforceDistillableText())
        .build();
  }
}
