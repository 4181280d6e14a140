package io.strowger.tck;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Plugins with correct results, most of which keep state of earlier requests. */
final class StatefulPlugins {
  private StatefulPlugins() {}

  /** Keeps counts in a map that is a constant by name only. */
  static final class CountsInConstant implements RouterPlugin {
    private static final Map<String, Integer> SEEN = new HashMap<>();

    @Override
    public Selection select(Candidates candidates) {
      Selection selection = BrokenRouters.cheapest(candidates);
      synchronized (SEEN) {
        SEEN.merge(selection.toString(), 1, Integer::sum);
      }
      return selection;
    }
  }

  /** Keeps the facts of every decision. */
  static final class RemembersFacts implements RouterPlugin {
    private final List<Json> seen = new ArrayList<>();

    @Override
    public Selection select(Candidates candidates) {
      synchronized (seen) {
        seen.add(candidates.facts());
      }
      return BrokenRouters.cheapest(candidates);
    }
  }

  /** Returns a lambda that keeps the facts of every decision. */
  static RouterPlugin rememberingLambda() {
    var seen = new ArrayList<Json>();
    return candidates -> {
      synchronized (seen) {
        seen.add(candidates.facts());
      }
      return BrokenRouters.cheapest(candidates);
    };
  }

  /** Counts decisions in an object of another class. */
  static final class CountsBehindClass implements RouterPlugin {
    private final Counter counter = new Counter();

    @Override
    public Selection select(Candidates candidates) {
      counter.count++;
      return BrokenRouters.cheapest(candidates);
    }
  }

  private static final class Counter {
    private volatile int count;
  }

  /** Keeps every request for as long as the gateway runs. */
  static final class KeepsRequests implements Interceptor {
    private final ConcurrentLinkedQueue<InferenceRequest> last = new ConcurrentLinkedQueue<>();

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      last.add(request);
      return chain.proceed(request);
    }
  }

  /** Keeps the texts of requests as the keys of a cache. */
  static final class KeepsTexts implements Interceptor {
    private final Map<String, Boolean> found = new ConcurrentHashMap<>();

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      found.computeIfAbsent("read: " + Given.lastText(request), text -> text.contains("key"));
      return chain.proceed(request);
    }
  }

  /** Correct: counts requests, which keeps no data of them. */
  static final class CorrectCounter implements Interceptor {
    private final AtomicInteger answered = new AtomicInteger();

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      answered.incrementAndGet();
      return chain.proceed(request);
    }
  }

  /** Keeps every invocation with its arguments. */
  static final class KeepsCalls implements ServerTool {
    private final ConcurrentLinkedQueue<Invocation> calls = new ConcurrentLinkedQueue<>();

    @Override
    public Spec spec() {
      return new BrokenTools.CorrectTool().spec();
    }

    @Override
    public Json run(Invocation call, Interceptor.Chain chain) throws ToolException {
      calls.add(call);
      return new BrokenTools.CorrectTool().run(call, chain);
    }
  }
}
