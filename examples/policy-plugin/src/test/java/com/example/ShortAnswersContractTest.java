package com.example;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.tck.Given;
import io.strowger.tck.InterceptorContract;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The interceptor for short answers keeps the contract of interceptors:")
class ShortAnswersContractTest extends InterceptorContract {
  @Override
  protected Interceptor interceptor() {
    return new ShortAnswers();
  }

  @Override
  protected InferenceRequest actingRequest() {
    return Given.streaming("acme/one", "a long story, please");
  }

  @Override
  protected InferenceRequest passingRequest() {
    return actingRequest().toBuilder().maxOutputTokens(10).build();
  }
}
