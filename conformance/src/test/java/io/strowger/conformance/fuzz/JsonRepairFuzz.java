package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.strowger.conformance.dialects.Told;
import io.strowger.plugins.responsehealing.ResponseHealingProvider;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.OutputFormat;
import io.strowger.spi.model.Part;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.provider.EventStream;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/** Any text as an answer that should have been JSON. */
@DisplayName("The repair of answers, given anything,")
class JsonRepairFuzz {
  private static final ObjectReader READER =
      new ObjectMapper().reader(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private static final List<OutputFormat> FORMATS =
      List.of(new OutputFormat.JsonObject(), schema("array"), schema("string"));

  private static OutputFormat schema(String type) {
    Json.Obj schema = Json.object().put("type", type).build();
    return new OutputFormat.JsonSchema("answer", null, schema, null);
  }

  @FuzzTest
  @DisplayName("leaves it as it was or makes it JSON")
  void repairs(byte[] input) {
    String said = new String(input, StandardCharsets.UTF_8);
    for (OutputFormat format : FORMATS) {
      String healed = healed(said, format);
      if (!healed.equals(said)) {
        assertThat(isJson(said)).as("was right before: %s", said).isFalse();
        assertThat(isJson(healed)).as("%s became %s", said, healed).isTrue();
        assertThat(healed(healed, format)).as("once is enough").isEqualTo(healed);
      }
    }
  }

  private static String healed(String said, OutputFormat format) {
    var interceptor =
        (Interceptor)
            new ResponseHealingProvider()
                .create(PluginConfig.EMPTY, Catalog.builder("none").build());
    GenerationParameters settings = GenerationParameters.builder().format(format).build();
    InferenceRequest request =
        Given.request("lab/model", "Say it as JSON").toBuilder()
            .parametersReader(members -> settings)
            .build();
    Event whole = new Event.CompleteAnswer(Given.answer(said));
    var chain = new FakeChain(asked -> EventStream.of(List.of(whole)));
    List<Event> events = Told.events(interceptor.intercept(request, chain));
    chain.assertUsedCorrectly();
    Answer answer = ((Event.CompleteAnswer) events.getLast()).answer();
    return ((Part.Text) answer.parts().getFirst()).text().text();
  }

  /** To any reader: ours also refuses a name that stands twice in an object. */
  private static boolean isJson(String text) {
    try {
      return !READER.readTree(text).isMissingNode();
    } catch (JsonProcessingException none) {
      return false;
    }
  }
}
