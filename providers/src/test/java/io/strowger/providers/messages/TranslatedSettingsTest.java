package io.strowger.providers.messages;

import static io.strowger.providers.messages.Asked.HI;
import static io.strowger.providers.messages.Asked.chat;
import static io.strowger.providers.messages.Asked.responses;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Parameter;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A request of another dialect leaves as messages")
class TranslatedSettingsTest {
  @Nested
  @DisplayName("with its output format")
  class Formats {
    private static final String SCHEMA =
        "'response_format':{'type':'json_schema','json_schema':{'name':'n',"
            + "'schema':{'type':'object'}}}";

    @Proves("translation.request.json-schema")
    @Test
    @DisplayName("as the upstream's own where it has one")
    void own() {
      assertThat(chat(HI, SCHEMA).member("output_config"))
          .isEqualTo("{'format':{'type':'json_schema','schema':{'type':'object'}}}");
    }

    @Test
    @DisplayName("as a tool the model has to call where it has none")
    void tool() {
      Asked asked = chat(HI, SCHEMA).lacking(Parameter.STRUCTURED_OUTPUTS);
      assertThat(asked.member("tools"))
          .contains("'name':'json_answer'")
          .endsWith("'input_schema':{'type':'object'}}]");
      assertThat(asked.member("tool_choice")).isEqualTo("{'type':'tool','name':'json_answer'}");
      assertThat(asked.member("output_config")).isEqualTo("absent");
      assertThat(asked.lost()).contains("~response_format");
    }

    @Proves({"translation.request.json-object", "translation.case.24"})
    @Test
    @DisplayName("Case 24: in words where the model thinks and there is no other way")
    void words() {
      Asked asked =
          chat(HI, SCHEMA, "'reasoning':{'effort':'low'}", "'max_tokens':4000")
              .lacking(Parameter.STRUCTURED_OUTPUTS);
      assertThat(asked.member("system"))
          .contains("JSON Schema: {'type':'object'}".replace("'", "\\'"));
      assertThat(asked.member("tools")).isEqualTo("absent");
      assertThat(chat(HI, "'response_format':{'type':'json_object'}").member("system"))
          .contains("one JSON object");
    }
  }

  @Nested
  @DisplayName("with its parameters")
  class Parameters {
    @Proves({"messages.member.max_tokens", "translation.request.max-output"})
    @Test
    @DisplayName("the limit the request has, else the cap, else the endpoint's, else a usual one")
    void limit() {
      assertThat(chat(HI, "'max_tokens':5").member("max_tokens")).isEqualTo("5");
      assertThat(chat(HI, "'max_tokens':5").cap(3).member("max_tokens")).isEqualTo("3");
      assertThat(chat(HI).member("max_tokens")).isEqualTo("8000");
      Asked unknown = chat(HI);
      unknown.endpoint(unknown.endpoint().maxOutputTokens(0));
      assertThat(unknown.member("max_tokens")).isEqualTo("4096");
      assertThat(unknown.lost()).containsExactly("~max_tokens");
    }

    @Test
    @DisplayName("the limit that is paid for, where nobody says what the endpoint can")
    void held() {
      assertThat(chat(HI).hold(700).member("max_tokens")).isEqualTo("8000");
      Asked unknown = chat(HI).hold(700);
      unknown.endpoint(unknown.endpoint().maxOutputTokens(0));
      assertThat(unknown.member("max_tokens")).isEqualTo("700");
      assertThat(unknown.lost()).isEmpty();
    }

    @Proves({"translation.request.temperature", "translation.request.stop"})
    @Test
    @DisplayName("temperature cut to 1, texts to stop at but blank ones, and not what is unknown")
    void sampling() {
      Asked asked =
          chat(
              HI,
              "'temperature':1.7",
              "'top_p':0.5",
              "'top_k':3",
              "'seed':1",
              "'stop':['a',' ']",
              "'prompt_cache_key':'k'");
      assertThat(asked.written())
          .contains("'temperature':1,")
          .contains("'top_p':0.5")
          .contains("'top_k':3")
          .contains("'stop_sequences':['a']")
          .doesNotContain("seed");
      assertThat(asked.lost())
          .containsExactlyInAnyOrder("~temperature", "-seed", "-stop", "-prompt_cache_key");
    }

    @Test
    @DisplayName("none of them the endpoint lacks")
    void lacking() {
      Asked asked =
          chat(HI, "'temperature':1", "'stop':'a'", "'reasoning':{'effort':'low'}")
              .lacking(
                  Parameter.TEMPERATURE,
                  Parameter.STOP,
                  Parameter.REASONING,
                  Parameter.REASONING_EFFORT,
                  Parameter.INCLUDE_REASONING);
      assertThat(asked.written())
          .isEqualTo("{'model':'their-name','messages':[" + HI + "],'max_tokens':8000}");
      assertThat(asked.lost()).containsExactlyInAnyOrder("-temperature", "-stop", "-reasoning");
    }

    @Proves("translation.request.user")
    @Test
    @DisplayName("the end user as a hash, whatever the caller said")
    void user() {
      assertThat(chat(HI, "'user':'alice'").user("h1").member("metadata"))
          .isEqualTo("{'user_id':'h1'}");
      assertThat(chat(HI, "'user':'alice'").written()).doesNotContain("alice");
    }

    @Proves("translation.request.tier")
    @Test
    @DisplayName("the service tier in this dialect's two words")
    void tier() {
      assertThat(chat(HI, "'service_tier':'default'").member("service_tier"))
          .isEqualTo("'standard_only'");
      assertThat(chat(HI, "'service_tier':'auto'").member("service_tier")).isEqualTo("'auto'");
      Asked flex = chat(HI, "'service_tier':'flex'");
      assertThat(flex.member("service_tier")).isEqualTo("absent");
      assertThat(flex.lost()).containsExactly("-service_tier");
      Asked dear = chat(HI);
      dear.endpoint(dear.endpoint().serviceTier("priority"));
      assertThat(dear.member("service_tier")).isEqualTo("'auto'");
    }

    @Test
    @DisplayName("and a responses request just the same")
    void fromResponses() {
      Asked asked =
          responses(
              "{'role':'user','content':'hi'}",
              "'instructions':'S'",
              "'max_output_tokens':9",
              "'parallel_tool_calls':false",
              "'tools':[{'type':'function','name':'t','parameters':null,'strict':null}]");
      assertThat(asked.written())
          .isEqualTo(
              "{'model':'their-name','system':'S','messages':[{'role':'user','content':'hi'}],"
                  + "'max_tokens':9,'tools':[{'name':'t','input_schema':{'type':'object',"
                  + "'properties':{}}}],'tool_choice':{'type':'auto',"
                  + "'disable_parallel_tool_use':true}}");
    }
  }
}
