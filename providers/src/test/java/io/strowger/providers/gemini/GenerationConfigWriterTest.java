package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.Bodies.chat;
import static io.strowger.providers.gemini.Bodies.messages;
import static io.strowger.providers.gemini.Bodies.responses;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Parameter;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The settings of a request in the gemini dialect")
class GenerationConfigWriterTest {
  private static final String USER = "{'role':'user','content':'hi'}";
  private static final String CONFIG = "generationConfig";
  private static final String SCHEMA =
      "'type':'json_schema','json_schema':{'name':'n','schema':{'type':'object','properties':"
          + "{'a':{'type':'string'}}}}";

  private static Bodies asked(String... more) {
    return chat(USER, more);
  }

  @Test
  @DisplayName("are not there when nothing was said")
  void nothing() {
    assertThat(asked().written().has(CONFIG)).isFalse();
    assertThat(asked().losses()).isEmpty();
  }

  @Proves("translation.request.sampling")
  @Test
  @DisplayName("are called as this dialect calls them")
  void plain() {
    Bodies asked =
        asked(
            "'temperature':0.7,'top_p':0.9,'top_k':40,'seed':-3,'presence_penalty':0.1",
            "'frequency_penalty':-0.2,'logprobs':true,'top_logprobs':5,'max_tokens':300",
            "'stop':['a','b']");
    assertThat(asked.member(CONFIG))
        .isEqualTo(
            "{'maxOutputTokens':300,'temperature':0.7,'topP':0.9,'topK':40,'frequencyPenalty':-0.2,"
                + "'presencePenalty':0.1,'responseLogprobs':true,'logprobs':5,'seed':-3,"
                + "'stopSequences':['a','b']}");
    assertThat(asked.losses()).isEmpty();
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
          'unheard_of':1                       | unheard_of
          """)
  @DisplayName("are dropped, and that is recorded, where this dialect has no keyword for them")
  void dropped(String member, String name) {
    Bodies asked = asked(member);
    assertThat(asked.losses()).containsExactly("DROPPED " + name);
    assertThat(asked.written().has(CONFIG)).isFalse();
  }

  @Test
  @DisplayName("are dropped where the endpoint does not take them")
  void unsupported() {
    Bodies asked =
        asked("'temperature':1,'seed':1", "'stop':'x'")
            .endpoint(endpoint -> endpoint.parameters(Parameter.SEED.bit()));
    assertThat(asked.member(CONFIG)).isEqualTo("{'seed':1}");
    assertThat(asked.losses()).containsExactly("DROPPED temperature", "DROPPED stop");
  }

  @Proves("translation.request.stop")
  @Test
  @DisplayName("take five texts that end the answer and no more")
  void stops() {
    Bodies five = messages(USER, "'stop_sequences':['1','2','3','4','5']");
    assertThat(five.member(CONFIG)).contains("'stopSequences':['1','2','3','4','5']");
    assertThat(five.losses()).isEmpty();
    Bodies six = messages(USER, "'stop_sequences':['1','2','3','4','5','6']");
    assertThat(six.member(CONFIG)).contains("'stopSequences':['1','2','3','4','5']");
    assertThat(six.losses()).containsExactly("CHANGED stop");
  }

  @Proves("translation.request.max-output")
  @Test
  @DisplayName("have the limit of the gateway before the caller's")
  void cap() {
    assertThat(asked("'max_tokens':300").cap(20).member(CONFIG))
        .isEqualTo("{'maxOutputTokens':20}");
    assertThat(messages(USER).member(CONFIG)).isEqualTo("{'maxOutputTokens':900}");
    assertThat(responses(USER, "'max_output_tokens':40").member(CONFIG))
        .isEqualTo("{'maxOutputTokens':40}");
  }

  @Test
  @DisplayName("have likely tokens only where likelihoods are wanted")
  void likelihoods() {
    assertThat(responses(USER, "'top_logprobs':3").member(CONFIG))
        .isEqualTo("{'responseLogprobs':true,'logprobs':3}");
    assertThat(asked("'logprobs':false,'top_logprobs':0").member(CONFIG))
        .isEqualTo("{'responseLogprobs':false}");
  }

  @Proves("translation.request.tier")
  @Test
  @DisplayName("name an endpoint's own service tier, never the caller's")
  void tier() {
    assertThat(asked("'service_tier':'flex'").member("serviceTier")).isEmpty();
    assertThat(asked().endpoint(e -> e.serviceTier("flex")).member("serviceTier"))
        .isEqualTo("'flex'");
    assertThat(asked().endpoint(e -> e.serviceTier("fast")).member("serviceTier"))
        .isEqualTo("'priority'");
  }

  @Proves("translation.request.user")
  @Test
  @DisplayName("never tell who the end user is")
  void user() {
    Bodies asked = asked("'user':'jane'").endUser("hash-1");
    assertThat(asked.written().toString()).doesNotContain("jane").doesNotContain("hash-1");
    assertThat(asked.losses()).containsExactly("DROPPED user");
  }

  @Test
  @DisplayName("tell what the answer may be made of")
  void modalities() {
    assertThat(asked("'modalities':['text','image']").member(CONFIG))
        .isEqualTo("{'responseModalities':['TEXT','IMAGE']}");
    assertThat(asked("'modalities':['text','image']").losses()).isEmpty();
  }

  @Nested
  @DisplayName("on the form of the answer")
  class Form {
    @Proves({"translation.request.json-schema", "translation.request.json-object"})
    @Test
    @DisplayName("are a media type, and a schema where there is one")
    void json() {
      assertThat(asked("'response_format':{'type':'json_object'}").member(CONFIG))
          .isEqualTo("{'responseMimeType':'application/json'}");
      assertThat(asked("'response_format':{" + SCHEMA + "}").member(CONFIG))
          .isEqualTo(
              "{'responseMimeType':'application/json','responseSchema':{'type':'OBJECT',"
                  + "'properties':{'a':{'type':'STRING'}}}}");
      assertThat(asked("'response_format':{'type':'text'}").member(CONFIG)).isEmpty();
    }

    @Test
    @DisplayName("are the media type alone where the endpoint takes no schema")
    void noSchema() {
      Bodies asked =
          asked("'response_format':{" + SCHEMA + "}")
              .endpoint(e -> e.parameters(Parameter.RESPONSE_FORMAT.bit()));
      assertThat(asked.member(CONFIG)).isEqualTo("{'responseMimeType':'application/json'}");
      assertThat(asked.losses()).containsExactly("CHANGED response_format");
      asked.endpoint(e -> e.parameters(0));
      assertThat(asked.member(CONFIG)).isEmpty();
      assertThat(asked.losses()).containsExactly("DROPPED response_format");
    }
  }

  @Nested
  @DisplayName("on reasoning")
  class Reasoning {
    private static final String WITH = "{'maxOutputTokens':10000,'thinkingConfig':";

    private static Bodies wish(String wish) {
      return asked("'max_tokens':10000", "'reasoning':{" + wish + "}");
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
    @DisplayName("are levels for a model that knows levels only")
    void levels(String wish, String config, boolean kept) {
      Bodies asked = wish(wish).reasoning(false, false, "minimal", "low", "medium", "high");
      assertThat(asked.member(CONFIG)).isEqualTo(WITH + config + "}");
      assertThat(asked.losses().isEmpty()).isEqualTo(kept);
    }

    @Proves("routing.variant.nearest-effort")
    @Test
    @DisplayName("are the nearest level the model has")
    void nearest() {
      Bodies asked = wish("'effort':'minimal'").reasoning(false, false, "low", "high");
      assertThat(asked.member(CONFIG)).contains("'thinkingLevel':'LOW'");
      assertThat(asked.losses()).containsExactly("CHANGED reasoning");
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
    @DisplayName("are budgets for every other model that can be told")
    void budgets(String wish, String config) {
      Bodies asked = wish(wish).reasoning(false, true);
      assertThat(asked.member(CONFIG)).isEqualTo(WITH + config + "}");
      assertThat(asked.losses()).isEmpty();
    }

    @Test
    @DisplayName("leave room for the answer, and never ask for more than a model takes")
    void room() {
      assertThat(asked("'max_tokens':1000", "'reasoning':{'effort':'high'}").member(CONFIG))
          .contains("'thinkingBudget':500,");
      assertThat(asked("'max_tokens':100000", "'reasoning':{'effort':'high'}").member(CONFIG))
          .contains("'thinkingBudget':24576,");
      assertThat(asked("'reasoning':{'effort':'medium'}").member(CONFIG))
          .contains("'thinkingBudget':16384,");
    }

    @Test
    @DisplayName("are as little as can be where it cannot be switched off")
    void mandatory() {
      Bodies levels = wish("'effort':'none'").reasoning(true, false, "low", "high");
      assertThat(levels.member(CONFIG)).contains("{'thinkingLevel':'LOW','includeThoughts':false}");
      Bodies budgets = wish("'enabled':false").reasoning(true, true);
      assertThat(budgets.member(CONFIG))
          .contains("{'thinkingBudget':1024,'includeThoughts':false}");
      assertThat(budgets.losses()).containsExactly("CHANGED reasoning");
    }

    @Test
    @DisplayName("are not sent to a model nobody knows to reason")
    void unable() {
      Bodies asked = wish("'effort':'low'").endpoint(e -> e.parameters(0));
      assertThat(asked.member(CONFIG)).isEqualTo("{'maxOutputTokens':10000}");
      assertThat(asked.losses()).containsExactly("DROPPED reasoning");
      assertThat(wish("'effort':'none'").endpoint(e -> e.parameters(0)).losses()).isEmpty();
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
