package io.strowger.spi.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.strowger.spi.json.Json;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A member of a request")
class InferenceRequestTest {
  private static InferenceRequest request(Dialect dialect, String name) {
    return InferenceRequest.builder(dialect, Json.object().put(name, 7).build()).build();
  }

  @ParameterizedTest
  @CsvSource({
    "CHAT, messages",
    "CHAT, max_tokens",
    "CHAT, max_completion_tokens",
    "MESSAGES, messages",
    "MESSAGES, system",
    "MESSAGES, fallbacks",
    "MESSAGES, max_tokens",
    "RESPONSES, input",
    "RESPONSES, instructions",
    "RESPONSES, max_output_tokens",
    "RESPONSES, tools"
  })
  @DisplayName("with a typed form is neither read nor set as JSON")
  void typed(Dialect dialect, String name) {
    InferenceRequest request = request(dialect, name);
    assertThatIllegalArgumentException().isThrownBy(() -> request.member(name));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.toBuilder().member(name, Json.TRUE));
  }

  @ParameterizedTest
  @CsvSource({
    "CHAT, input",
    "CHAT, max_output_tokens",
    "MESSAGES, instructions",
    "RESPONSES, max_tokens",
    "RESPONSES, system"
  })
  @DisplayName("that has one only elsewhere is read, set and taken away")
  void untyped(Dialect dialect, String name) {
    InferenceRequest request = request(dialect, name);
    assertThat(request.member(name)).isEqualTo(Json.of(7));
    assertThat(request.toBuilder().member(name, Json.TRUE).build().member(name))
        .isEqualTo(Json.TRUE);
    assertThat(request.toBuilder().member(name, null).build().member(name)).isNull();
  }
}
