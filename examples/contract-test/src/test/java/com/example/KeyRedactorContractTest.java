package com.example;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.tck.Given;
import io.strowger.tck.InterceptorContract;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The redactor keeps the contract of interceptors:")
class KeyRedactorContractTest extends InterceptorContract {
  @Override
  protected Interceptor interceptor() {
    return new KeyRedactor();
  }

  @Override
  protected InferenceRequest acting() {
    return Given.streaming("acme/one", "My key is sk-4f9d2c.");
  }

  @Override
  protected InferenceRequest passing() {
    return Given.streaming("acme/one", "Hello.");
  }

  @Override
  protected Optional<String> forbidden() {
    return Optional.of("sk-4f9d2c");
  }
}
