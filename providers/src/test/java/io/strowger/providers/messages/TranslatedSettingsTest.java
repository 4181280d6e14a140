package io.strowger.providers.messages;

import static io.strowger.providers.messages.MessagesTestRequest.HI;
import static io.strowger.providers.messages.MessagesTestRequest.chat;
import static io.strowger.providers.messages.MessagesTestRequest.responses;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Parameter;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The messages body of a request in another dialect")
class TranslatedSettingsTest {
  @Nested
  @DisplayName("for an output format")
  class Formats {
    private static final String SCHEMA =
        "'response_format':{'type':'json_schema','json_schema':{'name':'n',"
            + "'schema':{'type':'object'}}}";

    @Proves("translation.request.json-schema")
    @Test
    @DisplayName("has the output format of the dialect if the endpoint supports it")
    void own() {
      assertThat(chat(HI, SCHEMA).member("output_config"))
          .isEqualTo("{'format':{'type':'json_schema','schema':{'type':'object'}}}");
    }

    @Test
    @DisplayName("has a tool that the model must call if the endpoint supports no format")
    void tool() {
      MessagesTestRequest request = chat(HI, SCHEMA).lacking(Parameter.STRUCTURED_OUTPUTS);
      assertThat(request.member("tools"))
          .contains("'name':'json_answer'")
          .endsWith("'input_schema':{'type':'object'}}]");
      assertThat(request.member("tool_choice")).isEqualTo("{'type':'tool','name':'json_answer'}");
      assertThat(request.member("output_config")).isEqualTo("absent");
      assertThat(request.lost()).contains("~response_format");
    }

    @Proves({"translation.request.json-object", "translation.case.24"})
    @Test
    @DisplayName("Case 24: has a system instruction if reasoning is on or there is no schema")
    void words() {
      MessagesTestRequest request =
          chat(HI, SCHEMA, "'reasoning':{'effort':'low'}", "'max_tokens':4000")
              .lacking(Parameter.STRUCTURED_OUTPUTS);
      assertThat(request.member("system"))
          .contains("JSON Schema: {'type':'object'}".replace("'", "\\'"));
      assertThat(request.member("tools")).isEqualTo("absent");
      assertThat(chat(HI, "'response_format':{'type':'json_object'}").member("system"))
          .contains("one JSON object");
    }
  }

  @Nested
  @DisplayName("for parameters")
  class Parameters {
    @Proves({"messages.member.max_tokens", "translation.request.max-output"})
    @Test
    @DisplayName("has the cap as its limit, else that of the request, the endpoint or a default")
    void limit() {
      assertThat(chat(HI, "'max_tokens':5").member("max_tokens")).isEqualTo("5");
      assertThat(chat(HI, "'max_tokens':5").cap(3).member("max_tokens")).isEqualTo("3");
      assertThat(chat(HI).member("max_tokens")).isEqualTo("8000");
      MessagesTestRequest unknown = chat(HI);
      unknown.endpoint(unknown.endpoint().maxOutputTokens(0));
      assertThat(unknown.member("max_tokens")).isEqualTo("4096");
      assertThat(unknown.lost()).containsExactly("~max_tokens");
    }

    @Test
    @DisplayName("has the limit that the hold covers if the endpoint's limit is unknown")
    void limitOfTheHold() {
      assertThat(chat(HI).hold(700).member("max_tokens")).isEqualTo("8000");
      MessagesTestRequest unknown = chat(HI).hold(700);
      unknown.endpoint(unknown.endpoint().maxOutputTokens(0));
      assertThat(unknown.member("max_tokens")).isEqualTo("700");
      assertThat(unknown.lost()).isEmpty();
    }

    @Proves({"translation.request.temperature", "translation.request.stop"})
    @Test
    @DisplayName("limits temperature to 1, and drops blank stop sequences and unknown members")
    void sampling() {
      MessagesTestRequest request =
          chat(
              HI,
              "'temperature':1.7",
              "'top_p':0.5",
              "'top_k':3",
              "'seed':1",
              "'stop':['a',' ']",
              "'prompt_cache_key':'k'");
      assertThat(request.written())
          .contains("'temperature':1,")
          .contains("'top_p':0.5")
          .contains("'top_k':3")
          .contains("'stop_sequences':['a']")
          .doesNotContain("seed");
      assertThat(request.lost())
          .containsExactlyInAnyOrder("~temperature", "-seed", "-stop", "-prompt_cache_key");
    }

    @Test
    @DisplayName("has none that the endpoint lacks")
    void lacking() {
      MessagesTestRequest request =
          chat(HI, "'temperature':1", "'stop':'a'", "'reasoning':{'effort':'low'}")
              .lacking(
                  Parameter.TEMPERATURE,
                  Parameter.STOP,
                  Parameter.REASONING,
                  Parameter.REASONING_EFFORT,
                  Parameter.INCLUDE_REASONING);
      assertThat(request.written())
          .isEqualTo("{'model':'their-name','messages':[" + HI + "],'max_tokens':8000}");
      assertThat(request.lost()).containsExactlyInAnyOrder("-temperature", "-stop", "-reasoning");
    }

    @Proves("translation.request.user")
    @Test
    @DisplayName("has the end user only as a hash")
    void user() {
      assertThat(chat(HI, "'user':'alice'").user("h1").member("metadata"))
          .isEqualTo("{'user_id':'h1'}");
      assertThat(chat(HI, "'user':'alice'").written()).doesNotContain("alice");
    }

    @Proves("translation.request.tier")
    @Test
    @DisplayName("has the service tier in the two values of the dialect")
    void tier() {
      assertThat(chat(HI, "'service_tier':'default'").member("service_tier"))
          .isEqualTo("'standard_only'");
      assertThat(chat(HI, "'service_tier':'auto'").member("service_tier")).isEqualTo("'auto'");
      MessagesTestRequest flex = chat(HI, "'service_tier':'flex'");
      assertThat(flex.member("service_tier")).isEqualTo("absent");
      assertThat(flex.lost()).containsExactly("-service_tier");
      MessagesTestRequest priority = chat(HI);
      priority.endpoint(priority.endpoint().serviceTier("priority"));
      assertThat(priority.member("service_tier")).isEqualTo("'auto'");
    }

    @Test
    @DisplayName("has them from a responses request, too")
    void fromResponses() {
      MessagesTestRequest request =
          responses(
              "{'role':'user','content':'hi'}",
              "'instructions':'S'",
              "'max_output_tokens':9",
              "'parallel_tool_calls':false",
              "'tools':[{'type':'function','name':'t','parameters':null,'strict':null}]");
      assertThat(request.written())
          .isEqualTo(
              "{'model':'their-name','system':'S','messages':[{'role':'user','content':'hi'}],"
                  + "'max_tokens':9,'tools':[{'name':'t','input_schema':{'type':'object',"
                  + "'properties':{}}}],'tool_choice':{'type':'auto',"
                  + "'disable_parallel_tool_use':true}}");
    }
  }
}
