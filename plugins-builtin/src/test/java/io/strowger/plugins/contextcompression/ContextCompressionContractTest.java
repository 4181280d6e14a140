package io.strowger.plugins.contextcompression;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.tck.Given;
import io.strowger.tck.InterceptorContract;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("context-compression as an interceptor")
class ContextCompressionContractTest extends InterceptorContract {
  @Override
  protected Interceptor interceptor() {
    return ContextCompressionTest.PLUGIN;
  }

  @Override
  protected Endpoint endpoint() {
    return ContextCompressionTest.context(100);
  }

  @Override
  protected InferenceRequest actingRequest() {
    return ContextCompressionTest.request(
        List.of(
            ContextCompressionTest.message(Role.USER, "first ", 60),
            ContextCompressionTest.message(Role.ASSISTANT, "second ", 60),
            ContextCompressionTest.message(Role.USER, "third ", 20)));
  }

  @Override
  protected InferenceRequest passingRequest() {
    return Given.streaming("acme/one", "hello");
  }
}
