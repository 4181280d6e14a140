package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The contract of interceptors")
class InterceptorContractTest {
  private static final String ACTS = "act";

  private record Of(Scope scope, BiFunction<InferenceRequest, Interceptor.Chain, EventStream> does)
      implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      return does.apply(request, chain);
    }
  }

  private static final class ContractOf extends InterceptorContract {
    private final Interceptor interceptor;

    ContractOf(Interceptor interceptor) {
      this.interceptor = interceptor;
    }

    @Override
    protected Interceptor interceptor() {
      return interceptor;
    }

    @Override
    protected InferenceRequest acting() {
      return Given.streaming("acme/one", ACTS);
    }

    @Override
    protected InferenceRequest passing() {
      return Given.streaming("acme/one", "pass");
    }
  }

  private static InterceptorContract contract(
      BiFunction<InferenceRequest, Interceptor.Chain, EventStream> does) {
    return new ContractOf(new Of(Interceptor.Scope.REQUEST, does));
  }

  private static boolean acts(InferenceRequest request) {
    return Given.lastText(request).equals(ACTS);
  }

  /** Gives on what comes; wraps it. */
  private static class Wrapped implements EventStream {
    private final EventStream of;

    Wrapped(EventStream of) {
      this.of = of;
    }

    @Override
    public @Nullable Event next() {
      return of.next();
    }

    @Override
    public boolean ready() {
      return of.ready();
    }

    @Override
    public void close() {
      of.close();
    }
  }

  private static void refuses(ThrowingCallable test) {
    assertThatThrownBy(test).isInstanceOf(AssertionError.class);
  }

  private static List<Event> all(EventStream stream) {
    var events = new ArrayList<Event>();
    for (Event event = stream.next(); event != null; event = stream.next()) {
      events.add(event);
    }
    return events;
  }

  private static void all(InterceptorContract contract) throws InterruptedException {
    contract.scope();
    contract.passes();
    contract.hidesNothing();
    contract.endsOnce();
    contract.closedEarly();
    contract.closedAfterFailure();
    contract.chainFails();
    contract.cancelled();
    contract.repeatable();
    contract.thread();
  }

  @Nested
  @DisplayName("takes one that")
  class Takes {
    @Test
    @DisplayName("does nothing, around a request and around an attempt")
    void nothing() throws InterruptedException {
      all(contract((request, chain) -> chain.proceed(request)));
      all(new ContractOf(new Of(Interceptor.Scope.ATTEMPT, (r, chain) -> chain.proceed(r))));
    }

    @Test
    @DisplayName("changes requests and gives on the pieces as they come")
    void changes() throws InterruptedException {
      all(
          contract(
              (request, chain) ->
                  new Wrapped(
                      chain.proceed(
                          acts(request) ? request.toBuilder().user("x").build() : request))));
    }

    @Test
    @DisplayName("answers by itself")
    void answers() throws InterruptedException {
      all(
          contract(
              (request, chain) ->
                  acts(request)
                      ? EventStream.of(List.of(new Event.Whole(Given.answer("no"))))
                      : chain.proceed(request)));
    }

    @Test
    @DisplayName("asks twice, one after the other")
    void twice() throws InterruptedException {
      all(
          contract(
              (request, chain) -> {
                if (acts(request)) {
                  chain.proceedAll(List.of(request));
                  chain.note("asked before");
                }
                return chain.proceed(request);
              }));
    }
  }

  @Nested
  @DisplayName("refuses one that")
  class Refuses {
    @Test
    @DisplayName("copies a request it has nothing to do for, or passes it on twice")
    void identity() {
      refuses(contract((request, chain) -> chain.proceed(request.toBuilder().build()))::passes);
      refuses(
          contract(
                  (request, chain) -> {
                    chain.proceed(request).close();
                    return chain.proceed(request);
                  })
              ::passes);
    }

    @Test
    @DisplayName("reads all of an answer before it gives on the first piece")
    void buffers() {
      BiFunction<InferenceRequest, Interceptor.Chain, EventStream> buffers =
          (request, chain) -> {
            try (EventStream stream = chain.proceed(request)) {
              return EventStream.of(all(stream));
            }
          };
      refuses(contract(buffers)::hidesNothing);
    }

    @Test
    @DisplayName("forgets to close what it opened")
    void leaks() {
      BiFunction<InferenceRequest, Interceptor.Chain, EventStream> leaks =
          (request, chain) ->
              new Wrapped(chain.proceed(request)) {
                @Override
                public void close() {
                  // forgotten
                }
              };
      refuses(contract(leaks)::closedEarly);
      refuses(contract(leaks)::closedAfterFailure);
      refuses(contract(leaks)::endsOnce);
    }

    @Test
    @DisplayName("closes only what it read to its end")
    void leaksOnFailure() {
      BiFunction<InferenceRequest, Interceptor.Chain, EventStream> leaks =
          (request, chain) -> {
            EventStream stream = chain.proceed(request);
            List<Event> events = all(stream);
            stream.close();
            return EventStream.of(events);
          };
      refuses(contract(leaks)::closedAfterFailure);
    }

    @Test
    @DisplayName("gives no ending event, or two")
    void endings() {
      refuses(
          contract(
                  (request, chain) ->
                      new Wrapped(chain.proceed(request)) {
                        @Override
                        public @Nullable Event next() {
                          Event event = super.next();
                          return event == null || event.isTerminal() ? null : event;
                        }
                      })
              ::endsOnce);
      refuses(
          contract(
                  (request, chain) -> {
                    try (EventStream stream = chain.proceed(request)) {
                      List<Event> events = all(stream);
                      events.add(new Event.Whole(Given.answer("again")));
                      return EventStream.of(events);
                    }
                  })
              ::endsOnce);
    }

    @Test
    @DisplayName("clears the interruption of the thread it runs on")
    void interruption() {
      refuses(
          contract(
                  (request, chain) -> {
                    Thread.interrupted();
                    return chain.proceed(request);
                  })
              ::thread);
    }

    @Test
    @DisplayName("says something else each time")
    void repeatable() {
      var count = new AtomicLong();
      refuses(
          contract(
                  (request, chain) -> {
                    chain.note("the " + count.incrementAndGet() + "th");
                    return chain.proceed(request);
                  })
              ::repeatable);
    }
  }
}
