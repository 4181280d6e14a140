package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.strowger.conformance.dialects.EventTexts;
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

/** Fuzzes response healing with any text as the answer to a request for JSON. */
@DisplayName("Response healing, given any text,")
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
  @DisplayName("leaves it unchanged or turns it into JSON")
  void repairs(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    for (OutputFormat format : FORMATS) {
      String repaired = repair(text, format);
      if (!repaired.equals(text)) {
        assertThat(isJson(text)).as("valid JSON is not changed: %s", text).isFalse();
        assertThat(isJson(repaired)).as("%s became %s", text, repaired).isTrue();
        assertThat(repair(repaired, format)).as("repaired twice").isEqualTo(repaired);
      }
    }
  }

  private static String repair(String text, OutputFormat format) {
    var interceptor =
        (Interceptor)
            new ResponseHealingProvider()
                .create(PluginConfig.EMPTY, Catalog.builder("none").build());
    GenerationParameters settings = GenerationParameters.builder().format(format).build();
    InferenceRequest request =
        Given.request("lab/model", "Say it as JSON").toBuilder()
            .parametersReader(members -> settings)
            .build();
    Event whole = new Event.CompleteAnswer(Given.answer(text));
    var chain = new FakeChain(sent -> EventStream.of(List.of(whole)));
    List<Event> events = EventTexts.readAll(interceptor.intercept(request, chain));
    chain.assertUsedCorrectly();
    Answer answer = ((Event.CompleteAnswer) events.getLast()).answer();
    return ((Part.Text) answer.parts().getFirst()).text().text();
  }

  /**
   * Returns whether a lenient parser accepts the text; the gateway's own rejects duplicate names.
   */
  private static boolean isJson(String text) {
    try {
      return !READER.readTree(text).isMissingNode();
    } catch (JsonProcessingException malformed) {
      return false;
    }
  }
}
