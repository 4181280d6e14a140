package io.strowger.core.dialect.responses;

import static io.strowger.core.dialect.chat.ChatRequestBodies.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Effort;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.model.OutputFormat;
import io.strowger.spi.model.ReasoningOptions;
import io.strowger.spi.model.ToolChoice;
import io.strowger.tck.conformance.Proves;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The generation parameters of a responses request")
class ResponsesSettingsTest {
  private static final ResponsesDecoder DECODER =
      new ResponsesDecoder((entries, at, problems) -> {});
  private static final GenerationParameters NO_PARAMETERS = parameters("'model':'m'");

  private static GenerationParameters parameters(String members) {
    var problems = new Problems();
    GenerationParameters read =
        DECODER.decode(json("{'input':'hi'," + members + "}"), problems).generationParameters();
    assertThat(problems.list()).isEmpty();
    return read;
  }

  @ParameterizedTest
  @CsvSource({
    "temperature, 0.70",
    "top_p, 1",
    "top_k, 40",
    "frequency_penalty, -2",
    "presence_penalty, 2.0",
  })
  @DisplayName("keep the value of a parameter as it was written")
  void values(String name, String written) {
    GenerationParameters parameters = parameters("'" + name + "':" + written);

    Parameter parameter = Parameter.ofWireName(name).orElseThrow();
    assertThat(parameters.values()).containsOnlyKeys(parameter);
    assertThat(parameters.value(parameter)).hasToString(written);
  }

  @Test
  @DisplayName(
      "turn log probabilities on if top_logprobs is above 0, since this dialect has no other "
          + "switch")
  void logprobs() {
    assertThat(parameters("'top_logprobs':3").values())
        .isEqualTo(Map.of(Parameter.LOGPROBS, Json.TRUE, Parameter.TOP_LOGPROBS, Json.of(3)));
    assertThat(parameters("'top_logprobs':0").values()).doesNotContainKey(Parameter.LOGPROBS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'temperature':null",
        "'reasoning':null",
        "'reasoning':{'effort':null,'enabled':null,'max_tokens':null}",
        "'text':{'verbosity':null}",
        "'metadata':null",
        "'truncation':null",
        "'include':null",
        "'prompt':null",
        "'safety_identifier':null",
        "'store':false",
        "'previous_response_id':null",
        "'background':false",
        "'instructions':'i','max_output_tokens':5,'max_tool_calls':3",
      })
  @DisplayName(
      "are empty for members that are null, defaults or have a method of their own on the request")
  void nothing(String members) {
    assertThat(parameters(members)).usingRecursiveComparison().isEqualTo(NO_PARAMETERS);
  }

  @Proves("responses.member.text")
  @Test
  @DisplayName(
      "have the verbosity and the format of the text, with its schema outside of an inner object")
  void text() {
    GenerationParameters parameters =
        parameters(
            "'text':{'verbosity':'high','format':{'type':'json_schema','name':'n',"
                + "'schema':{'type':'object'},'strict':false,'description':'d'},'x':1}");

    assertThat(parameters.value(Parameter.VERBOSITY)).isEqualTo(Json.of("high"));
    assertThat(parameters.format())
        .isEqualTo(new OutputFormat.JsonSchema("n", "d", json("{'type':'object'}"), false));
    assertThat(parameters.dialectMembers()).isEqualTo(Map.of("text.x", Json.of(1)));
    assertThat(parameters("'text':{'format':{'type':'json_object'}}").format())
        .isEqualTo(new OutputFormat.JsonObject());
    assertThat(parameters("'text':{'format':{'type':'text'}}").format())
        .isEqualTo(new OutputFormat.Text());
  }

  @Proves("responses.member.tool_choice")
  @Test
  @DisplayName("know a function by the name in tool_choice, and keep any other choice")
  void toolChoice() {
    assertThat(choice("'required'")).isEqualTo(ToolChoice.Mode.REQUIRED);
    assertThat(choice("'auto'")).isEqualTo(ToolChoice.Mode.AUTO);
    assertThat(choice("'none'")).isEqualTo(ToolChoice.Mode.NONE);
    assertThat(choice("{'type':'function','name':'f'}")).isEqualTo(new ToolChoice.Named("f"));
    String some = "{'type':'allowed_tools','mode':'auto','tools':[{'type':'shell'}]}";
    assertThat(choice(some)).isEqualTo(new ToolChoice.Other(json(some)));
    assertThat(choice("{'type':'shell','name':'f'}"))
        .isEqualTo(new ToolChoice.Other(json("{'type':'shell','name':'f'}")));
    assertThat(parameters("'parallel_tool_calls':false").parallelToolCalls()).isFalse();
  }

  private static @Nullable ToolChoice choice(String choice) {
    return parameters("'tool_choice':" + choice).toolChoice();
  }

  @Proves("responses.member.reasoning")
  @Test
  @DisplayName("have the options of reasoning")
  void reasoning() {
    assertThat(parameters("'reasoning':{'effort':'minimal','summary':'auto'}").reasoning())
        .isEqualTo(new ReasoningOptions(Effort.MINIMAL, -1, null, "auto", false, false));
    assertThat(parameters("'reasoning':{'max_tokens':1024}").reasoning().budget()).isEqualTo(1024);
    assertThat(parameters("'reasoning':{'enabled':true}").reasoning().effort())
        .isEqualTo(Effort.MEDIUM);
    assertThat(parameters("'reasoning':{'enabled':false}").reasoning().isDisabled()).isTrue();
  }

  @Test
  @DisplayName("keep members that no other dialect has, also inside other members")
  void others() {
    GenerationParameters parameters =
        parameters(
            "'reasoning':{'mode':'pro','context':'all_turns'},'truncation':'auto',"
                + "'include':['reasoning.encrypted_content'],'prompt':{'id':'p'},"
                + "'metadata':{'a':'b'},'prompt_cache_key':'k','modalities':['text'],'zebra':1");

    assertThat(parameters.dialectMembers())
        .containsOnlyKeys(
            "reasoning.mode",
            "reasoning.context",
            "truncation",
            "include",
            "prompt",
            "metadata",
            "prompt_cache_key",
            "modalities",
            "zebra");
  }

  @Test
  @DisplayName("have the service tier and the cache control")
  void tierAndCache() {
    GenerationParameters parameters =
        parameters("'service_tier':'flex','cache_control':{'type':'ephemeral'}");

    assertThat(parameters.serviceTier()).isEqualTo("flex");
    assertThat(parameters.cacheControl()).isEqualTo(json("{'type':'ephemeral'}"));
  }
}
