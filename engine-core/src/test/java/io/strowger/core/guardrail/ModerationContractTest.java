package io.strowger.core.guardrail;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.tck.Given;
import io.strowger.tck.InterceptorContract;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Isolated;

/** Names no forbidden text, since the plugin does not filter declarations of tools and settings. */
@DisplayName("The plugin moderation")
@Isolated("compares the engine's static state, some of which grows with every text that is read")
class ModerationContractTest extends InterceptorContract {
  private static final Map<String, String> REDACT = Map.of("email", "redact");

  @Override
  protected Interceptor interceptor() {
    var settings =
        new PluginConfig(
            Map.of(
                ModerationProvider.REQUESTS,
                REDACT,
                ModerationProvider.ANSWERS,
                new ModerationProvider.AnswerSettings(true, REDACT)));
    return (Interceptor)
        new ModerationProvider()
            .with(settings)
            .create(PluginConfig.EMPTY, Catalog.builder("1").build());
  }

  @Override
  protected InferenceRequest actingRequest() {
    return Given.streaming("m", "Write to joe@example.com");
  }

  @Override
  protected InferenceRequest passingRequest() {
    return Given.streaming("m", "hello");
  }

  @Override
  protected List<Event> answer() {
    return List.of(
        new Event.Started(null),
        new Event.TextDelta("To jane@exam"),
        new Event.TextDelta("ple.org. "),
        new Event.UsageReport(Given.usage(10, 5), (Json.Obj) null),
        new Event.Finished(StopReason.END, "stop", null));
  }
}
