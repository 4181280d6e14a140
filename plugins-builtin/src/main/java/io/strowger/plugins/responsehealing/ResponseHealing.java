package io.strowger.plugins.responsehealing;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;

/** Repairs the answers to requests that want JSON and want it at once; lets all others pass. */
final class ResponseHealing implements Interceptor {
  @Override
  public Scope scope() {
    return Scope.REQUEST;
  }

  @Override
  public EventStream intercept(InferenceRequest request, Chain chain) {
    AnswerHealer healer =
        request.streaming() ? null : AnswerHealer.of(request.generationParameters().format());
    EventStream answer = chain.proceed(request);
    return healer == null ? answer : new HealingStream(answer, healer, request.dialect(), chain);
  }
}
