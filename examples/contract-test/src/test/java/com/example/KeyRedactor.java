package com.example;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;

/** Removes keys from everything a model reads. */
final class KeyRedactor implements Interceptor {
  @Override
  public EventStream intercept(InferenceRequest request, Chain chain) {
    return chain.proceed(
        request.editTexts((text, kind) -> text.replaceAll("sk-[a-z0-9]+", "[key]")));
  }
}
