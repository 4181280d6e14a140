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

@DisplayName("The contract of interceptors accepts one that")
class InterceptorContractTest {
  private static final String ACTS = "act";

  private record LambdaInterceptor(
      Scope scope, BiFunction<InferenceRequest, Interceptor.Chain, EventStream> action)
      implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      return action.apply(request, chain);
    }
  }

  private static InterceptorContract contract(
      BiFunction<InferenceRequest, Interceptor.Chain, EventStream> action) {
    return BrokenInterceptors.contract(new LambdaInterceptor(Interceptor.Scope.REQUEST, action));
  }

  private static boolean isActedOn(InferenceRequest request) {
    return Given.lastText(request).equals(ACTS);
  }

  /** A stream that delegates everything to another one. */
  private static class DelegatingStream implements EventStream {
    private final EventStream stream;

    DelegatingStream(EventStream stream) {
      this.stream = stream;
    }

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
      stream.close();
    }
  }

  private static void assertAccepted(InterceptorContract contract) throws InterruptedException {
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
  @DisplayName("changes nothing, around a request and around an attempt")
  void unchanged() throws InterruptedException {
    assertAccepted(contract((request, chain) -> chain.proceed(request)));
    assertAccepted(
        BrokenInterceptors.contract(
            new LambdaInterceptor(Interceptor.Scope.ATTEMPT, (r, chain) -> chain.proceed(r))));
  }

  @Test
  @DisplayName("changes requests and passes the pieces of answers on as they arrive")
  void changes() throws InterruptedException {
    assertAccepted(
        contract(
            (request, chain) ->
                new DelegatingStream(
                    chain.proceed(
                        isActedOn(request) ? request.toBuilder().user("x").build() : request))));
  }

  @Test
  @DisplayName("answers by itself")
  void answers() throws InterruptedException {
    assertAccepted(
        contract(
            (request, chain) ->
                isActedOn(request)
                    ? EventStream.of(List.of(new Event.CompleteAnswer(Given.answer("no"))))
                    : chain.proceed(request)));
  }

  @Test
  @DisplayName("makes an inner call before it passes the request on")
  void innerCall() throws InterruptedException {
    assertAccepted(
        contract(
            (request, chain) -> {
              if (isActedOn(request)) {
                chain.callAll(List.of(new InnerCall("before", request)), chain.remaining());
                chain.note("asked before");
              }
              return chain.proceed(request);
            }));
  }
}
