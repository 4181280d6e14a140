package io.strowger.tck;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import java.net.http.HttpClient;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A good interceptor, and many that are each broken in one way. */
final class BrokenInterceptors {
  private BrokenInterceptors() {}

  static InterceptorContract contract(Interceptor interceptor) {
    return new Contract(interceptor);
  }

  private static final class Contract extends InterceptorContract {
    private final Interceptor interceptor;

    Contract(Interceptor interceptor) {
      this.interceptor = interceptor;
    }

    @Override
    protected Interceptor interceptor() {
      return interceptor;
    }

    @Override
    protected InferenceRequest acting() {
      return Given.streaming("acme/one", "act");
    }

    @Override
    protected InferenceRequest passing() {
      return Given.streaming("acme/one", "pass");
    }
  }

  private static List<Event> all(EventStream stream) {
    var events = new ArrayList<Event>();
    for (Event event = stream.next(); event != null; event = stream.next()) {
      events.add(event);
    }
    return events;
  }

  /** Leaves a note with a request that says so, and sets money aside for it meanwhile. */
  static final class Good implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      if (Given.lastText(request).equals("act")) {
        chain.hold(new Usd(1), "reading").settle(Usd.ZERO);
        chain.note("read");
      }
      return chain.proceed(request);
    }
  }

  static final class ReadsClock implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      chain.note(LocalDate.now().getYear() > 2000 ? "late" : "early");
      return chain.proceed(request);
    }
  }

  static final class MakesRandomIds implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      return chain.proceed(request.toBuilder().user(UUID.randomUUID().toString()).build());
    }
  }

  static final class CallsHomeUnsaid implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      try (HttpClient client = HttpClient.newHttpClient()) {
        chain.note("asked by " + client.version());
      }
      return chain.proceed(request);
    }
  }

  static final class LeavesPool implements Interceptor {
    private final ExecutorService pool =
        Executors.newSingleThreadExecutor(
            task -> {
              var thread = new Thread(task, "scanner");
              thread.setDaemon(true);
              return thread;
            });

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      pool.execute(() -> {});
      return chain.proceed(request);
    }
  }

  static final class LeavesVirtualThread implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      Thread.ofVirtual().start(() -> BrokenRouters.linger());
      return chain.proceed(request);
    }
  }

  static final class CopiesWhatItPasses implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      return chain.proceed(request.toBuilder().build());
    }
  }

  static final class AsksTwice implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      chain.proceed(request).close();
      return chain.proceed(request);
    }
  }

  static final class HoldsBackPieces implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      try (EventStream stream = chain.proceed(request)) {
        return EventStream.of(all(stream));
      }
    }
  }

  static final class ForgetsToClose implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      EventStream stream = chain.proceed(request);
      return new EventStream() {
        @Override
        public @Nullable Event next() {
          return stream.next();
        }

        @Override
        public boolean ready() {
          return stream.ready();
        }

        @Override
        public void close() {
          // forgotten
        }
      };
    }
  }

  static final class ForgetsToCloseAfterFailure implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      EventStream stream = chain.proceed(request);
      List<Event> events = all(stream);
      stream.close();
      return EventStream.of(events);
    }
  }

  static final class EndsTwice implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      try (EventStream stream = chain.proceed(request)) {
        List<Event> events = all(stream);
        events.add(new Event.Whole(Given.answer("again")));
        return EventStream.of(events);
      }
    }
  }

  static final class KeepsMoney implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      chain.hold(new Usd(1), "reading");
      return chain.proceed(request);
    }
  }

  static final class ClearsInterruption implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      Thread.interrupted();
      return chain.proceed(request);
    }
  }

  static final class NotesSomethingElse implements Interceptor {
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      if (Given.lastText(request).equals("act")) {
        chain.note("the " + count.incrementAndGet() + "th");
      }
      return chain.proceed(request);
    }
  }
}
