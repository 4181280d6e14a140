package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.Documents.chatWith;
import static io.strowger.core.dialect.chat.Documents.good;
import static io.strowger.core.dialect.chat.Documents.json;
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

@DisplayName("The settings of a chat request")
class ChatSettingsTest {
  private static final GenerationParameters NOTHING = settings("'model':'m'");

  private static GenerationParameters settings(String members) {
    return good(chatWith(members)).generationParameters();
  }

  private static ReasoningOptions wish(String members) {
    return settings(members).reasoning();
  }

  @Proves("routing.parameters.absent")
  @Test
  @DisplayName("are nothing when the request says nothing")
  void nothing() {
    assertThat(NOTHING.values()).isEmpty();
    assertThat(NOTHING.stopSequences()).isEmpty();
    assertThat(NOTHING.toolChoice()).isNull();
    assertThat(NOTHING.parallelToolCalls()).isNull();
    assertThat(NOTHING.format()).isNull();
    assertThat(NOTHING.reasoning()).isEqualTo(ReasoningOptions.NONE);
    assertThat(NOTHING.serviceTier()).isNull();
    assertThat(NOTHING.cacheControl()).isNull();
    assertThat(NOTHING.dialectMembers()).isEmpty();
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
  @DisplayName("have a parameter as it was written")
  void values(String name, String written) {
    GenerationParameters settings = settings("'" + name + "':" + written.replace('"', '\''));

    Parameter parameter = Parameter.ofWireName(name).orElseThrow();
    assertThat(settings.values()).containsOnlyKeys(parameter);
    assertThat(settings.value(parameter)).hasToString(written);
    assertThat(settings.dialectMembers()).isEmpty();
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
  @DisplayName("take an explicit null for nothing")
  void nulls(String name) {
    assertThat(settings("'" + name + "':null")).usingRecursiveComparison().isEqualTo(NOTHING);
  }

  @Test
  @DisplayName("have one text that ends the answer as well as several")
  void stop() {
    assertThat(settings("'stop':'END'").stopSequences()).containsExactly("END");
    assertThat(settings("'stop':['a','b']").stopSequences()).containsExactly("a", "b");
  }

  @Nested
  @DisplayName("of tools")
  class OfTools {
    private @Nullable ToolChoice choice(String choice) {
      return settings("'tool_choice':" + choice).toolChoice();
    }

    @Test
    @DisplayName("know the three words, a function by its name, and keep what else is chosen")
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
    @DisplayName("say whether several may be called at once, if the request does")
    void parallel() {
      assertThat(settings("'parallel_tool_calls':false").parallelToolCalls()).isFalse();
      assertThat(settings("'parallel_tool_calls':true").parallelToolCalls()).isTrue();
    }

    @Test
    @DisplayName("are that none may be called, when the request was changed to that")
    void mayNot() {
      GenerationParameters settings =
          good(chatWith("'tool_choice':'required','seed':1")).toBuilder()
              .mayCallTools(false)
              .build()
              .generationParameters();

      assertThat(settings.toolChoice()).isEqualTo(ToolChoice.Mode.NONE);
      assertThat(settings.value(Parameter.SEED)).isEqualTo(Json.of(1));
    }
  }

  @Nested
  @DisplayName("of the form")
  class OfTheForm {
    private @Nullable OutputFormat format(String format) {
      return settings("'response_format':" + format).format();
    }

    @Test
    @DisplayName("have each type")
    void types() {
      assertThat(format("{'type':'text'}")).isEqualTo(new OutputFormat.Text());
      assertThat(format("{'type':'json_object'}")).isEqualTo(new OutputFormat.JsonObject());
      assertThat(format("{'type':'grammar','grammar':'g'}"))
          .isEqualTo(new OutputFormat.Other("grammar", json("{'type':'grammar','grammar':'g'}")));
    }

    @Test
    @DisplayName("have all that is said of a schema, and nothing that is not")
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
  @DisplayName("of reasoning")
  class OfReasoning {
    @Proves({"chat.reasoning", "chat.member.reasoning"})
    @Test
    @DisplayName("have effort, budget, summary and whether to show it")
    void members() {
      assertThat(wish("'reasoning':{'effort':'high','summary':'concise','exclude':true}"))
          .isEqualTo(new ReasoningOptions(Effort.HIGH, -1, null, "concise", true, false));
      assertThat(wish("'reasoning':{'max_tokens':2000}"))
          .isEqualTo(new ReasoningOptions(null, 2000, null, null, false, false));
    }

    @Proves({"chat.reasoning_effort", "chat.member.reasoning_effort"})
    @Test
    @DisplayName("take the shorthand where the long form says no effort")
    void shorthand() {
      assertThat(wish("'reasoning_effort':'low'").effort()).isEqualTo(Effort.LOW);
      assertThat(wish("'reasoning':{'effort':null},'reasoning_effort':'low'").effort())
          .isEqualTo(Effort.LOW);
    }

    @Proves("chat.member.reasoning")
    @Test
    @DisplayName("are medium effort when the request only says that it is on")
    void enabled() {
      assertThat(wish("'reasoning':{'enabled':true}").effort()).isEqualTo(Effort.MEDIUM);
      assertThat(wish("'reasoning':{'enabled':true,'max_tokens':9}").effort()).isNull();
      assertThat(wish("'reasoning':{'enabled':true},'reasoning_effort':'max'").effort())
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
    @DisplayName("are off when the request says so in any way")
    void off(String members) {
      assertThat(wish(members).isDisabled()).isTrue();
    }

    @Proves("chat.member.include_reasoning")
    @Test
    @DisplayName("read the old switch: true is reasoning without a word more, false hides it")
    void includeReasoning() {
      assertThat(wish("'include_reasoning':true")).isEqualTo(ReasoningOptions.NONE);
      assertThat(wish("'include_reasoning':false").hidden()).isTrue();
      assertThat(wish("'include_reasoning':false").isDisabled()).isFalse();
      assertThat(wish("'include_reasoning':false,'reasoning':{'exclude':false}").hidden())
          .isFalse();
    }
  }

  @Test
  @DisplayName("have the tier as it was written, and the cache mark of the whole request")
  void tierAndCache() {
    GenerationParameters settings =
        settings("'service_tier':'fast','cache_control':{'type':'ephemeral','ttl':'1h'}");

    assertThat(settings.serviceTier()).isEqualTo("fast");
    assertThat(settings.cacheControl()).isEqualTo(json("{'type':'ephemeral','ttl':'1h'}"));
  }

  @Test
  @DisplayName("keep what no other dialect has, in its order")
  void others() {
    GenerationParameters settings =
        settings(
            "'zebra':{'x':1},'modalities':['text'],'image_config':{'size':'1'},"
                + "'metadata':{'a':'b'},'prompt_cache_key':'k',"
                + "'prompt_cache_options':{'mode':'explicit'}");

    assertThat(List.copyOf(settings.dialectMembers().keySet()))
        .containsExactly(
            "zebra",
            "modalities",
            "image_config",
            "metadata",
            "prompt_cache_key",
            "prompt_cache_options");
    assertThat(settings.dialectMembers().get("zebra")).isEqualTo(json("{'x':1}"));
  }

  @Test
  @DisplayName("never have what has a typed form: use its own method")
  void notOthers() {
    GenerationParameters settings =
        settings(
            "'model':'m','models':['n'],'tools':[],'stream':true,'user':'u','max_tokens':1,"
                + "'max_completion_tokens':1,'provider':{},'plugins':[],"
                + "'session_id':'s','stream_options':{'include_usage':true},'n':1");

    assertThat(settings).usingRecursiveComparison().isEqualTo(NOTHING);
  }

  @Test
  @DisplayName("follow a member that a plugin sets")
  void changed() {
    GenerationParameters settings =
        good(chatWith("'seed':1")).toBuilder()
            .member("seed", Json.of(2))
            .build()
            .generationParameters();

    assertThat(settings.value(Parameter.SEED)).isEqualTo(Json.of(2));
  }
}
