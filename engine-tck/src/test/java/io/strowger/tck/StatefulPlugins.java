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

/** Plugins whose results are right, and which keep something of what they did. */
final class StatefulPlugins {
  private StatefulPlugins() {}

  /** A constant that is none, declared as what it is used as. */
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

  /** Grows with every decision. */
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

  /** A lambda that grows with every decision. */
  static RouterPlugin remembering() {
    var seen = new ArrayList<Json>();
    return candidates -> {
      synchronized (seen) {
        seen.add(candidates.facts());
      }
      return BrokenRouters.cheapest(candidates);
    };
  }

  /** Behind a class of its own. */
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

  /** Keeps prompts for as long as the gateway runs. */
  static final class KeepsRequests implements Interceptor {
    private final ConcurrentLinkedQueue<InferenceRequest> last = new ConcurrentLinkedQueue<>();

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      last.add(request);
      return chain.proceed(request);
    }
  }

  /** Keeps them as keys of what it found before. */
  static final class KeepsTexts implements Interceptor {
    private final Map<String, Boolean> found = new ConcurrentHashMap<>();

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      found.computeIfAbsent("read: " + Given.lastText(request), text -> text.contains("key"));
      return chain.proceed(request);
    }
  }

  /** Counts how many are under way, which is of no request. */
  static final class GoodCounter implements Interceptor {
    private final AtomicInteger answered = new AtomicInteger();

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      answered.incrementAndGet();
      return chain.proceed(request);
    }
  }

  /** Keeps calls with all that belongs to them. */
  static final class KeepsCalls implements ServerTool {
    private final ConcurrentLinkedQueue<Invocation> calls = new ConcurrentLinkedQueue<>();

    @Override
    public Spec spec() {
      return new BrokenTools.Good().spec();
    }

    @Override
    public Json run(Invocation call, Interceptor.Chain chain) throws ToolException {
      calls.add(call);
      return new BrokenTools.Good().run(call, chain);
    }
  }
}
