package io.strowger.tck;

import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The contract of interceptors takes one that")
class InterceptorContractTest {
  private static final String ACTS = "act";

  private record Of(Scope scope, BiFunction<InferenceRequest, Interceptor.Chain, EventStream> does)
      implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      return does.apply(request, chain);
    }
  }

  private static InterceptorContract contract(
      BiFunction<InferenceRequest, Interceptor.Chain, EventStream> does) {
    return BrokenInterceptors.contract(new Of(Interceptor.Scope.REQUEST, does));
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

  @Test
  @DisplayName("does nothing, around a request and around an attempt")
  void nothing() throws InterruptedException {
    all(contract((request, chain) -> chain.proceed(request)));
    all(
        BrokenInterceptors.contract(
            new Of(Interceptor.Scope.ATTEMPT, (r, chain) -> chain.proceed(r))));
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
                    ? EventStream.of(List.of(new Event.CompleteAnswer(Given.answer("no"))))
                    : chain.proceed(request)));
  }

  @Test
  @DisplayName("asks twice, one after the other")
  void twice() throws InterruptedException {
    all(
        contract(
            (request, chain) -> {
              if (acts(request)) {
                chain.callAll(List.of(new InnerCall("before", request)), chain.remaining());
                chain.note("asked before");
              }
              return chain.proceed(request);
            }));
  }
}
