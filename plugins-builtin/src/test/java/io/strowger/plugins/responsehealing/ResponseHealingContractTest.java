package io.strowger.plugins.responsehealing;

import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.OutputFormat;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.tck.Given;
import io.strowger.tck.InterceptorContract;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Response healing, as an interceptor,")
class ResponseHealingContractTest extends InterceptorContract {
  @Override
  protected Interceptor interceptor() {
    return ResponseHealingTest.interceptor();
  }

  @Override
  protected InferenceRequest actingRequest() {
    return ResponseHealingTest.request(new OutputFormat.JsonObject());
  }

  @Override
  protected InferenceRequest passingRequest() {
    return actingRequest().toBuilder().streaming(true).build();
  }

  @Override
  protected List<Event> answer() {
    return List.of(new Event.CompleteAnswer(Given.answer("{\"a\":1")));
  }

  /** Returns false, since the plugin acts only on answers that are not streamed. */
  @Override
  protected boolean streams() {
    return false;
  }
}
