package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.ChatRequestBodies.chatWith;
import static io.strowger.core.dialect.chat.ChatRequestBodies.decode;
import static io.strowger.core.dialect.chat.ChatRequestBodies.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Effort;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.model.OutputFormat;
import io.strowger.spi.model.ReasoningOptions;
import io.strowger.spi.model.ToolChoice;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The generation parameters of a chat request")
class ChatSettingsTest {
  private static final GenerationParameters NO_PARAMETERS = parameters("'model':'m'");

  private static GenerationParameters parameters(String members) {
    return decode(chatWith(members)).generationParameters();
  }

  private static ReasoningOptions reasoning(String members) {
    return parameters(members).reasoning();
  }

  @Proves("routing.parameters.absent")
  @Test
  @DisplayName("are empty when the request has none")
  void nothing() {
    assertThat(NO_PARAMETERS.values()).isEmpty();
    assertThat(NO_PARAMETERS.stopSequences()).isEmpty();
    assertThat(NO_PARAMETERS.toolChoice()).isNull();
    assertThat(NO_PARAMETERS.parallelToolCalls()).isNull();
    assertThat(NO_PARAMETERS.format()).isNull();
    assertThat(NO_PARAMETERS.reasoning()).isEqualTo(ReasoningOptions.NONE);
    assertThat(NO_PARAMETERS.serviceTier()).isNull();
    assertThat(NO_PARAMETERS.cacheControl()).isNull();
    assertThat(NO_PARAMETERS.dialectMembers()).isEmpty();
  }

  @Proves({
    "chat.min_p",
    "chat.top_a",
    "chat.top_k",
    "chat.top_p",
    "chat.temperature",
    "chat.repetition_penalty",
    "chat.seed"
  })
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
"""
temperature | 0.70
top_p | 1
top_k | 40
min_p | 0.1
top_a | 0.2
frequency_penalty | -2
presence_penalty | 2.0
repetition_penalty | 1.1
seed | 9007199254740993
logit_bias | {"1":-100}
logprobs | true
top_logprobs | 5
prediction | {"type":"content","content":"x"}
verbosity | "low"
web_search_options | {"search_context_size":"high"}
""")
  @DisplayName("keep the value of a parameter as it was written")
  void values(String name, String written) {
    GenerationParameters parameters = parameters("'" + name + "':" + written.replace('"', '\''));

    Parameter parameter = Parameter.ofWireName(name).orElseThrow();
    assertThat(parameters.values()).containsOnlyKeys(parameter);
    assertThat(parameters.value(parameter)).hasToString(written);
    assertThat(parameters.dialectMembers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "temperature",
        "seed",
        "logit_bias",
        "prediction",
        "stop",
        "parallel_tool_calls",
        "service_tier",
        "reasoning_effort",
        "prompt_cache_key",
        "prompt_cache_options",
        "stream_options",
        "verbosity",
      })
  @DisplayName("treat an explicit null as absent")
  void nulls(String name) {
    assertThat(parameters("'" + name + "':null"))
        .usingRecursiveComparison()
        .isEqualTo(NO_PARAMETERS);
  }

  @Test
  @DisplayName("accept one stop sequence as well as several")
  void stop() {
    assertThat(parameters("'stop':'END'").stopSequences()).containsExactly("END");
    assertThat(parameters("'stop':['a','b']").stopSequences()).containsExactly("a", "b");
  }

  @Nested
  @DisplayName("for tools")
  class OfTools {
    private @Nullable ToolChoice choice(String choice) {
      return parameters("'tool_choice':" + choice).toolChoice();
    }

    @Test
    @DisplayName("know the three modes and a function by its name, and keep any other choice")
    void choices() {
      assertThat(choice("'auto'")).isEqualTo(ToolChoice.Mode.AUTO);
      assertThat(choice("'none'")).isEqualTo(ToolChoice.Mode.NONE);
      assertThat(choice("'required'")).isEqualTo(ToolChoice.Mode.REQUIRED);
      assertThat(choice("{'type':'function','function':{'name':'f'}}"))
          .isEqualTo(new ToolChoice.Named("f"));
      assertThat(choice("{'type':'router:datetime'}"))
          .isEqualTo(new ToolChoice.Other(json("{'type':'router:datetime'}")));
    }

    @Proves("chat.parallel_tool_calls")
    @Test
    @DisplayName("tell whether tools may be called in parallel, if the request does")
    void parallel() {
      assertThat(parameters("'parallel_tool_calls':false").parallelToolCalls()).isFalse();
      assertThat(parameters("'parallel_tool_calls':true").parallelToolCalls()).isTrue();
    }

    @Test
    @DisplayName("forbid tool calls when the request was changed to forbid them")
    void mayNot() {
      GenerationParameters parameters =
          decode(chatWith("'tool_choice':'required','seed':1")).toBuilder()
              .mayCallTools(false)
              .build()
              .generationParameters();

      assertThat(parameters.toolChoice()).isEqualTo(ToolChoice.Mode.NONE);
      assertThat(parameters.value(Parameter.SEED)).isEqualTo(Json.of(1));
    }
  }

  @Nested
  @DisplayName("for the output format")
  class ForTheOutputFormat {
    private @Nullable OutputFormat format(String format) {
      return parameters("'response_format':" + format).format();
    }

    @Test
    @DisplayName("know each type")
    void types() {
      assertThat(format("{'type':'text'}")).isEqualTo(new OutputFormat.Text());
      assertThat(format("{'type':'json_object'}")).isEqualTo(new OutputFormat.JsonObject());
      assertThat(format("{'type':'grammar','grammar':'g'}"))
          .isEqualTo(new OutputFormat.Other("grammar", json("{'type':'grammar','grammar':'g'}")));
    }

    @Test
    @DisplayName("have all given members of a schema, and null for the others")
    void schema() {
      assertThat(
              format(
                  "{'type':'json_schema','json_schema':{'name':'n','description':'d',"
                      + "'schema':{'type':'object'},'strict':true}}"))
          .isEqualTo(new OutputFormat.JsonSchema("n", "d", json("{'type':'object'}"), true));
      assertThat(format("{'type':'json_schema','json_schema':{'name':'n','strict':null}}"))
          .isEqualTo(new OutputFormat.JsonSchema("n", null, null, null));
    }
  }

  @Nested
  @DisplayName("for reasoning")
  class OfReasoning {
    @Proves({"chat.reasoning", "chat.member.reasoning"})
    @Test
    @DisplayName("have the effort, the token budget, the summary and whether to hide it")
    void members() {
      assertThat(reasoning("'reasoning':{'effort':'high','summary':'concise','exclude':true}"))
          .isEqualTo(new ReasoningOptions(Effort.HIGH, -1, null, "concise", true, false));
      assertThat(reasoning("'reasoning':{'max_tokens':2000}"))
          .isEqualTo(new ReasoningOptions(null, 2000, null, null, false, false));
    }

    @Proves({"chat.reasoning_effort", "chat.member.reasoning_effort"})
    @Test
    @DisplayName("use the shorthand reasoning_effort where reasoning has no effort")
    void shorthand() {
      assertThat(reasoning("'reasoning_effort':'low'").effort()).isEqualTo(Effort.LOW);
      assertThat(reasoning("'reasoning':{'effort':null},'reasoning_effort':'low'").effort())
          .isEqualTo(Effort.LOW);
    }

    @Proves("chat.member.reasoning")
    @Test
    @DisplayName("have medium effort when the request only enables reasoning")
    void enabled() {
      assertThat(reasoning("'reasoning':{'enabled':true}").effort()).isEqualTo(Effort.MEDIUM);
      assertThat(reasoning("'reasoning':{'enabled':true,'max_tokens':9}").effort()).isNull();
      assertThat(reasoning("'reasoning':{'enabled':true},'reasoning_effort':'max'").effort())
          .isEqualTo(Effort.MAX);
    }

    @Proves("chat.member.reasoning")
    @ParameterizedTest
    @ValueSource(
        strings = {
          "'reasoning':{'enabled':false}",
          "'reasoning':{'effort':'none'}",
          "'reasoning_effort':'none'",
          "'reasoning':{'max_tokens':0}",
        })
    @DisplayName("disable it for each way in which a request can turn it off")
    void off(String members) {
      assertThat(reasoning(members).isDisabled()).isTrue();
    }

    @Proves("chat.member.include_reasoning")
    @Test
    @DisplayName(
        "know the older include_reasoning: true changes nothing, false hides the reasoning")
    void includeReasoning() {
      assertThat(reasoning("'include_reasoning':true")).isEqualTo(ReasoningOptions.NONE);
      assertThat(reasoning("'include_reasoning':false").hidden()).isTrue();
      assertThat(reasoning("'include_reasoning':false").isDisabled()).isFalse();
      assertThat(reasoning("'include_reasoning':false,'reasoning':{'exclude':false}").hidden())
          .isFalse();
    }
  }

  @Test
  @DisplayName(
      "have the service tier as it was written, and the cache control of the whole request")
  void tierAndCache() {
    GenerationParameters parameters =
        parameters("'service_tier':'fast','cache_control':{'type':'ephemeral','ttl':'1h'}");

    assertThat(parameters.serviceTier()).isEqualTo("fast");
    assertThat(parameters.cacheControl()).isEqualTo(json("{'type':'ephemeral','ttl':'1h'}"));
  }

  @Test
  @DisplayName("keep members that no other dialect has, in their order")
  void others() {
    GenerationParameters parameters =
        parameters(
            "'zebra':{'x':1},'modalities':['text'],'image_config':{'size':'1'},"
                + "'metadata':{'a':'b'},'prompt_cache_key':'k',"
                + "'prompt_cache_options':{'mode':'explicit'}");

    assertThat(List.copyOf(parameters.dialectMembers().keySet()))
        .containsExactly(
            "zebra",
            "modalities",
            "image_config",
            "metadata",
            "prompt_cache_key",
            "prompt_cache_options");
    assertThat(parameters.dialectMembers().get("zebra")).isEqualTo(json("{'x':1}"));
  }

  @Test
  @DisplayName("leave out members for which the request has a method of its own")
  void notOthers() {
    GenerationParameters parameters =
        parameters(
            "'model':'m','models':['n'],'tools':[],'stream':true,'user':'u','max_tokens':1,"
                + "'max_completion_tokens':1,'provider':{},'plugins':[],"
                + "'session_id':'s','stream_options':{'include_usage':true},'n':1");

    assertThat(parameters).usingRecursiveComparison().isEqualTo(NO_PARAMETERS);
  }

  @Test
  @DisplayName("reflect a member that a plugin changed")
  void changed() {
    GenerationParameters parameters =
        decode(chatWith("'seed':1")).toBuilder()
            .member("seed", Json.of(2))
            .build()
            .generationParameters();

    assertThat(parameters.value(Parameter.SEED)).isEqualTo(Json.of(2));
  }
}
