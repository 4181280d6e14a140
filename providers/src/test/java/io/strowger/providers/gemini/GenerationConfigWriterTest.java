package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.GeminiTestRequest.chat;
import static io.strowger.providers.gemini.GeminiTestRequest.messages;
import static io.strowger.providers.gemini.GeminiTestRequest.responses;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Parameter;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The parameters of a request in the gemini dialect")
class GenerationConfigWriterTest {
  private static final String USER = "{'role':'user','content':'hi'}";
  private static final String CONFIG = "generationConfig";
  private static final String SCHEMA =
      "'type':'json_schema','json_schema':{'name':'n','schema':{'type':'object','properties':"
          + "{'a':{'type':'string'}}}}";

  private static GeminiTestRequest request(String... more) {
    return chat(USER, more);
  }

  @Test
  @DisplayName("are absent when the caller set none")
  void nothing() {
    assertThat(request().written().has(CONFIG)).isFalse();
    assertThat(request().losses()).isEmpty();
  }

  @Proves("translation.request.sampling")
  @Test
  @DisplayName("have the names of the dialect")
  void plain() {
    GeminiTestRequest request =
        request(
            "'temperature':0.7,'top_p':0.9,'top_k':40,'seed':-3,'presence_penalty':0.1",
            "'frequency_penalty':-0.2,'logprobs':true,'top_logprobs':5,'max_tokens':300",
            "'stop':['a','b']");
    assertThat(request.member(CONFIG))
        .isEqualTo(
            "{'maxOutputTokens':300,'temperature':0.7,'topP':0.9,'topK':40,'frequencyPenalty':-0.2,"
                + "'presencePenalty':0.1,'responseLogprobs':true,'logprobs':5,'seed':-3,"
                + "'stopSequences':['a','b']}");
    assertThat(request.losses()).isEmpty();
  }

  @Proves("translation.request.sampling")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'min_p':0.1                          | min_p
          'top_a':0.1                          | top_a
          'repetition_penalty':1.1             | repetition_penalty
          'logit_bias':{'5':1}                 | logit_bias
          'verbosity':'low'                    | verbosity
          'web_search_options':{}              | web_search_options
          'prediction':{'type':'content','content':'x'} | prediction
          'parallel_tool_calls':false          | parallel_tool_calls
          'service_tier':'scale'               | service_tier
          'seed':5000000000                    | seed
          'x_unknown':1                        | x_unknown
          """)
  @DisplayName("are dropped and reported as lost if the dialect has no member for them")
  void dropped(String member, String name) {
    GeminiTestRequest request = request(member);
    assertThat(request.losses()).containsExactly("DROPPED " + name);
    assertThat(request.written().has(CONFIG)).isFalse();
  }

  @Test
  @DisplayName("are dropped if the endpoint does not support them")
  void unsupported() {
    GeminiTestRequest request =
        request("'temperature':1,'seed':1", "'stop':'x'")
            .endpoint(endpoint -> endpoint.parameters(Parameter.SEED.bit()));
    assertThat(request.member(CONFIG)).isEqualTo("{'seed':1}");
    assertThat(request.losses()).containsExactly("DROPPED temperature", "DROPPED stop");
  }

  @Proves("translation.request.stop")
  @Test
  @DisplayName("have at most five stop sequences")
  void stops() {
    GeminiTestRequest five = messages(USER, "'stop_sequences':['1','2','3','4','5']");
    assertThat(five.member(CONFIG)).contains("'stopSequences':['1','2','3','4','5']");
    assertThat(five.losses()).isEmpty();
    GeminiTestRequest six = messages(USER, "'stop_sequences':['1','2','3','4','5','6']");
    assertThat(six.member(CONFIG)).contains("'stopSequences':['1','2','3','4','5']");
    assertThat(six.losses()).containsExactly("CHANGED stop");
  }

  @Proves("translation.request.max-output")
  @Test
  @DisplayName("have the gateway's limit in place of the caller's")
  void cap() {
    assertThat(request("'max_tokens':300").cap(20).member(CONFIG))
        .isEqualTo("{'maxOutputTokens':20}");
    assertThat(messages(USER).member(CONFIG)).isEqualTo("{'maxOutputTokens':900}");
    assertThat(responses(USER, "'max_output_tokens':40").member(CONFIG))
        .isEqualTo("{'maxOutputTokens':40}");
  }

  @Test
  @DisplayName("have logprobs only when they are requested")
  void likelihoods() {
    assertThat(responses(USER, "'top_logprobs':3").member(CONFIG))
        .isEqualTo("{'responseLogprobs':true,'logprobs':3}");
    assertThat(request("'logprobs':false,'top_logprobs':0").member(CONFIG))
        .isEqualTo("{'responseLogprobs':false}");
  }

  @Proves("translation.request.tier")
  @Test
  @DisplayName("name an endpoint's own service tier, never the caller's")
  void tier() {
    assertThat(request("'service_tier':'flex'").member("serviceTier")).isEmpty();
    assertThat(request().endpoint(e -> e.serviceTier("flex")).member("serviceTier"))
        .isEqualTo("'flex'");
    assertThat(request().endpoint(e -> e.serviceTier("fast")).member("serviceTier"))
        .isEqualTo("'priority'");
  }

  @Proves("translation.request.user")
  @Test
  @DisplayName("never name the end user")
  void user() {
    GeminiTestRequest request = request("'user':'jane'").endUser("hash-1");
    assertThat(request.written().toString()).doesNotContain("jane").doesNotContain("hash-1");
    assertThat(request.losses()).containsExactly("DROPPED user");
  }

  @Test
  @DisplayName("have the requested modalities")
  void modalities() {
    assertThat(request("'modalities':['text','image']").member(CONFIG))
        .isEqualTo("{'responseModalities':['TEXT','IMAGE']}");
    assertThat(request("'modalities':['text','image']").losses()).isEmpty();
  }

  @Nested
  @DisplayName("for the format of the answer")
  class Format {
    @Proves({"translation.request.json-schema", "translation.request.json-object"})
    @Test
    @DisplayName("are a media type, and a schema if there is one")
    void json() {
      assertThat(request("'response_format':{'type':'json_object'}").member(CONFIG))
          .isEqualTo("{'responseMimeType':'application/json'}");
      assertThat(request("'response_format':{" + SCHEMA + "}").member(CONFIG))
          .isEqualTo(
              "{'responseMimeType':'application/json','responseSchema':{'type':'OBJECT',"
                  + "'properties':{'a':{'type':'STRING'}}}}");
      assertThat(request("'response_format':{'type':'text'}").member(CONFIG)).isEmpty();
    }

    @Test
    @DisplayName("are only the media type if the endpoint supports no schema")
    void noSchema() {
      GeminiTestRequest request =
          request("'response_format':{" + SCHEMA + "}")
              .endpoint(e -> e.parameters(Parameter.RESPONSE_FORMAT.bit()));
      assertThat(request.member(CONFIG)).isEqualTo("{'responseMimeType':'application/json'}");
      assertThat(request.losses()).containsExactly("CHANGED response_format");
      request.endpoint(e -> e.parameters(0));
      assertThat(request.member(CONFIG)).isEmpty();
      assertThat(request.losses()).containsExactly("DROPPED response_format");
    }
  }

  @Nested
  @DisplayName("for reasoning")
  class Reasoning {
    private static final String CONFIG_START = "{'maxOutputTokens':10000,'thinkingConfig':";

    private static GeminiTestRequest requestWithReasoning(String options) {
      return request("'max_tokens':10000", "'reasoning':{" + options + "}");
    }

    @Proves("translation.request.reasoning")
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        textBlock =
            """
            'effort':'minimal'   | {'thinkingLevel':'MINIMAL','includeThoughts':true}  | true
            'effort':'low'       | {'thinkingLevel':'LOW','includeThoughts':true}      | true
            'effort':'medium'    | {'thinkingLevel':'MEDIUM','includeThoughts':true}   | true
            'effort':'high'      | {'thinkingLevel':'HIGH','includeThoughts':true}     | true
            'effort':'xhigh'     | {'thinkingLevel':'HIGH','includeThoughts':true}     | false
            'effort':'max'       | {'thinkingLevel':'HIGH','includeThoughts':true}     | false
            'max_tokens':2000    | {'thinkingLevel':'LOW','includeThoughts':true}      | false
            'enabled':true       | {'thinkingLevel':'MEDIUM','includeThoughts':true}   | true
            'summary':'auto'     | {'includeThoughts':true}                            | true
            'effort':'none'      | {'thinkingBudget':0}                                | true
            """)
    @DisplayName("are levels for a model that supports only levels")
    void levels(String options, String config, boolean kept) {
      GeminiTestRequest request =
          requestWithReasoning(options).reasoning(false, false, "minimal", "low", "medium", "high");
      assertThat(request.member(CONFIG)).isEqualTo(CONFIG_START + config + "}");
      assertThat(request.losses().isEmpty()).isEqualTo(kept);
    }

    @Proves("routing.variant.nearest-effort")
    @Test
    @DisplayName("are the nearest level that the model supports")
    void nearest() {
      GeminiTestRequest request =
          requestWithReasoning("'effort':'minimal'").reasoning(false, false, "low", "high");
      assertThat(request.member(CONFIG)).contains("'thinkingLevel':'LOW'");
      assertThat(request.losses()).containsExactly("CHANGED reasoning");
    }

    @Proves("translation.request.reasoning")
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        textBlock =
            """
            'effort':'low'                        | {'thinkingBudget':2000,'includeThoughts':true}
            'effort':'high'                       | {'thinkingBudget':8000,'includeThoughts':true}
            'effort':'minimal'                    | {'thinkingBudget':1024,'includeThoughts':true}
            'max_tokens':1500                     | {'thinkingBudget':1500,'includeThoughts':true}
            'enabled':true                        | {'thinkingBudget':5000,'includeThoughts':true}
            'effort':'none'                       | {'thinkingBudget':0}
            'enabled':false                       | {'thinkingBudget':0}
            'effort':'low','exclude':true         | {'thinkingBudget':2000,'includeThoughts':false}
            'exclude':true                        | {'includeThoughts':false}
            """)
    @DisplayName("are budgets for a model that supports budgets")
    void budgets(String options, String config) {
      GeminiTestRequest request = requestWithReasoning(options).reasoning(false, true);
      assertThat(request.member(CONFIG)).isEqualTo(CONFIG_START + config + "}");
      assertThat(request.losses()).isEmpty();
    }

    @Test
    @DisplayName("leave room for the answer, and never exceed the largest budget")
    void room() {
      assertThat(request("'max_tokens':1000", "'reasoning':{'effort':'high'}").member(CONFIG))
          .contains("'thinkingBudget':500,");
      assertThat(request("'max_tokens':100000", "'reasoning':{'effort':'high'}").member(CONFIG))
          .contains("'thinkingBudget':24576,");
      assertThat(request("'reasoning':{'effort':'medium'}").member(CONFIG))
          .contains("'thinkingBudget':16384,");
    }

    @Test
    @DisplayName("are the least possible when it is turned off but mandatory")
    void mandatory() {
      GeminiTestRequest levels =
          requestWithReasoning("'effort':'none'").reasoning(true, false, "low", "high");
      assertThat(levels.member(CONFIG)).contains("{'thinkingLevel':'LOW','includeThoughts':false}");
      GeminiTestRequest budgets = requestWithReasoning("'enabled':false").reasoning(true, true);
      assertThat(budgets.member(CONFIG))
          .contains("{'thinkingBudget':1024,'includeThoughts':false}");
      assertThat(budgets.losses()).containsExactly("CHANGED reasoning");
    }

    @Test
    @DisplayName("are not sent to an endpoint without support for it")
    void unable() {
      GeminiTestRequest request =
          requestWithReasoning("'effort':'low'").endpoint(e -> e.parameters(0));
      assertThat(request.member(CONFIG)).isEqualTo("{'maxOutputTokens':10000}");
      assertThat(request.losses()).containsExactly("DROPPED reasoning");
      assertThat(requestWithReasoning("'effort':'none'").endpoint(e -> e.parameters(0)).losses())
          .isEmpty();
    }

    @Test
    @DisplayName("are the same from the other dialects")
    void otherDialects() {
      assertThat(
              messages(USER, "'thinking':{'type':'adaptive'}")
                  .reasoning(false, true)
                  .member(CONFIG))
          .contains("{'thinkingBudget':-1,'includeThoughts':true}");
      assertThat(
              responses(USER, "'reasoning':{'effort':'high'}")
                  .reasoning(false, false, "low", "high")
                  .member(CONFIG))
          .contains("{'thinkingLevel':'HIGH','includeThoughts':true}");
    }
  }
}
