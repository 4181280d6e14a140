package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.json;
import static io.strowger.core.http.TestHttpApi.message;
import static io.strowger.core.http.TestHttpApi.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.preset.Preset;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.ModelRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A body that refers to a preset")
class PresetInBodyTest {
  private final TestHttpApi api = new TestHttpApi();

  private void preset(String slug, String config, @Nullable String systemPrompt) {
    Json.Obj members = json(config.replace('\'', '"'));
    api.presets.put(slug, new Preset(slug, members.detached(), systemPrompt));
  }

  private WireResponse chat(String members) {
    String messages = "'messages':[{'role':'user','content':'hi'}]";
    return api.chat(("{" + members + "," + messages + "}").replace('\'', '"')).send();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"'model':'@preset/terse'", "'preset':'terse'", "'model':'c/d@preset/terse'"})
  @DisplayName("has the preset's members where it has none itself")
  void merged(String reference) {
    preset("terse", "{'model':'a/b','temperature':0.5,'seed':7}", "Be brief.");
    assertThat(chat(reference + ",'temperature':1").status()).isEqualTo(200);
    InferenceRequest request = api.served.getFirst();
    assertThat(request.member("temperature")).isEqualTo(Json.of(1));
    assertThat(request.member("seed")).isEqualTo(Json.of(7));
    assertThat(request.messages()).hasSize(2);
    String model = reference.contains("c/d") ? "c/d" : "a/b";
    assertThat(request.models()).containsExactly(ModelRef.parse(model));
  }

  @Test
  @DisplayName("is answered with 404 when there is no such preset, whatever else is wrong")
  void unknown() {
    WireResponse response = chat("'preset':'nobody','temperature':9");
    assertThat(response.status()).isEqualTo(404);
    assertThat(message(response)).isEqualTo("There is no preset 'nobody'");
    assertThat(api.served).isEmpty();
  }

  @Test
  @DisplayName(
      "is refused with the preset's problems marked as such, and its own at their own pointers")
  void origins() {
    preset("loud", "{'temperature':3,'tools':[{'type':'function'}]}", "Shout.");
    WireResponse response = chat("'preset':'loud','tools':[{'type':'x'}]");
    assertThat(response.status()).isEqualTo(400);
    String answer = text(response);
    assertThat(answer)
        .contains("/temperature: must be a number from 0 to 2, was 3 (from the preset loud)")
        .contains("/tools/0/function: is required (from the preset loud)")
        .contains("/tools/0/type: must be one of function");
    assertThat(answer.split("\"from\":\"preset loud\"", -1)).hasSize(3);
  }

  @Test
  @DisplayName("is refused with the problem of the reference once, and all other problems")
  void wrongReference() {
    WireResponse response = chat("'preset':'No Slug','temperature':9");
    assertThat(response.status()).isEqualTo(400);
    assertThat(message(response)).containsOnlyOnce("/preset:").contains("/temperature:");
  }

  @Test
  @DisplayName("may have null, which refers to no preset")
  void nothing() {
    assertThat(chat("'preset':null").status()).isEqualTo(200);
    assertThat(api.served.getFirst().member("preset"))
        .as("the member is for the gateway only")
        .isNull();
  }
}
