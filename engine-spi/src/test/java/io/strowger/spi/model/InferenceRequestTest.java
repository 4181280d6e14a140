package io.strowger.spi.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
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
  @DisplayName("that has a typed form only in other dialects is read, set and removed")
  void untyped(Dialect dialect, String name) {
    InferenceRequest request = request(dialect, name);
    assertThat(request.member(name)).isEqualTo(Json.of(7));
    assertThat(request.toBuilder().member(name, Json.TRUE).build().member(name))
        .isEqualTo(Json.TRUE);
    assertThat(request.toBuilder().member(name, null).build().member(name)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("that is a parameter can be read as a typed value, and is counted as a parameter")
  void parameters(Dialect dialect) {
    Json half = Json.of(new BigDecimal("0.5"));
    InferenceRequest made =
        InferenceRequest.builder(dialect, Json.Obj.EMPTY).member("temperature", half).build();
    assertThat(made.generationParameters().value(Parameter.TEMPERATURE)).isEqualTo(half);
    assertThat(made.parameterMask()).isEqualTo(Parameter.TEMPERATURE.bit());
    InferenceRequest given =
        InferenceRequest.builder(dialect, Json.object().put("temperature", half).build())
            .tools(List.of(new Tool.Server("router:datetime", Json.Obj.EMPTY, null)))
            .build();
    assertThat(given.parameterMask())
        .isEqualTo(Parameter.TEMPERATURE.bit() | Parameter.TOOLS.bit());
    InferenceRequest without = made.toBuilder().member("temperature", null).build();
    assertThat(without.parameterMask()).isZero();
    assertThat(without.generationParameters().value(Parameter.TEMPERATURE)).isNull();
  }

  @Test
  @DisplayName("that a plugin sets is counted together with those that the decoder found")
  void changed() {
    InferenceRequest read =
        InferenceRequest.builder(Dialect.CHAT, Json.object().put("seed", 7).build())
            .parameters(Parameter.SEED.bit())
            .build();
    assertThat(read.toBuilder().member("top_k", Json.of(4)).build().parameterMask())
        .isEqualTo(Parameter.SEED.bit() | Parameter.TOP_K.bit());
    assertThat(read.toBuilder().member("seed", Json.NULL).build().parameterMask()).isZero();
  }

  @Test
  @DisplayName("that limits the answer counts also in its typed form")
  void limit() {
    assertThat(
            InferenceRequest.builder(Dialect.MESSAGES, Json.Obj.EMPTY)
                .maxOutputTokens(9)
                .build()
                .parameterMask())
        .isEqualTo(Parameter.MAX_TOKENS.bit());
    assertThat(
            InferenceRequest.builder(Dialect.CHAT, Json.object().put("max_tokens", 9).build())
                .maxOutputTokens(9)
                .build()
                .parameterMask())
        .isEqualTo(Parameter.MAX_TOKENS.bit());
  }

  @Test
  @DisplayName("that holds the instructions is extended at its front, wherever the dialect has it")
  void prependInstructions() {
    Message user = Message.text(Message.Role.USER, "Hi");
    InferenceRequest chat =
        InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY).messages(List.of(user)).build();
    List<Message> extended = chat.prependInstructions("Be brief.").messages();
    assertThat(extended).hasSize(2).last().isSameAs(user);
    assertThat(extended.getFirst().role()).isEqualTo(Message.Role.SYSTEM);
    assertThat(extended.getFirst().parts()).containsExactly(new Part.Text("Be brief."));
    for (Dialect dialect : List.of(Dialect.MESSAGES, Dialect.RESPONSES)) {
      InferenceRequest bare =
          InferenceRequest.builder(dialect, Json.Obj.EMPTY).messages(List.of(user)).build();
      InferenceRequest once = bare.prependInstructions("Second.");
      InferenceRequest twice = once.prependInstructions("First.");
      assertThat(Objects.requireNonNull(once.instructions()).role()).isEqualTo(Message.Role.SYSTEM);
      assertThat(twice.messages()).isEqualTo(bare.messages());
      assertThat(Objects.requireNonNull(twice.instructions()).parts())
          .containsExactly(new Part.Text("First."), new Part.Text("Second."));
    }
  }
}
