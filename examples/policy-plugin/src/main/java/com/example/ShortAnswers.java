package com.example;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;

/** Limits the length of an answer when its request sets no limit. */
final class ShortAnswers implements Interceptor {
  private static final int MAX_TOKENS = 1_000;

  @Override
  public EventStream intercept(InferenceRequest request, Chain chain) {
    if (request.maxOutputTokens() > 0) {
      return chain.proceed(request);
    }
    chain.note("limited the answer to " + MAX_TOKENS + " tokens");
    return chain.proceed(request.toBuilder().maxOutputTokens(MAX_TOKENS).build());
  }
}
