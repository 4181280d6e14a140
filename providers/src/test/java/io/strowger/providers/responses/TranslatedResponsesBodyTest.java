package io.strowger.providers.responses;

import static io.strowger.providers.responses.ResponsesFixtures.HASH;
import static io.strowger.providers.responses.ResponsesFixtures.chat;
import static io.strowger.providers.responses.ResponsesFixtures.efforts;
import static io.strowger.providers.responses.ResponsesFixtures.endpoint;
import static io.strowger.providers.responses.ResponsesFixtures.json;
import static io.strowger.providers.responses.ResponsesFixtures.messages;
import static io.strowger.providers.responses.ResponsesFixtures.sent;
import static io.strowger.providers.responses.ResponsesFixtures.supporting;
import static io.strowger.providers.responses.ResponsesFixtures.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The responses body of a request in another dialect")
class TranslatedResponsesBodyTest {
  private static final String HI = "'messages':[{'role':'user','content':'hi'}]";
  private static final ModelInfo.Reasoning NONE = ModelInfo.Reasoning.NONE;

  private static ResponsesFixtures.SentBody fromChat(String members) {
    return sent(chat("{" + HI + members + "}"));
  }

  private static ResponsesFixtures.SentBody fromMessages(String members) {
    return sent(messages("{'max_tokens':9," + HI + members + "}"));
  }

  @Test
  @DisplayName("has at least the model, the conversation, and store false")
  void minimal() {
    Json.Obj minimal =
        json("{'model':'their-name','input':[{'role':'user','content':'hi'}],'store':false}");
    assertThat(fromChat("").json()).isEqualTo(minimal);
    assertThat(fromChat(",'stream':true,'n':1").json())
        .isEqualTo(minimal.with("stream", Json.TRUE));
    assertThat(fromMessages("").json()).isEqualTo(minimal.with("max_output_tokens", Json.of(9)));
    assertThat(fromChat("").losses()).isEmpty();
  }

  @Nested
  @DisplayName("has as its parameters")
  class Parameters {
    @Test
    @DisplayName("those of the dialect, in the caller's spelling")
    void kept() {
      ResponsesFixtures.SentBody sent =
          fromChat(
              ",'temperature':1.0,'top_p':0.5,'top_k':3,'frequency_penalty':1,"
                  + "'presence_penalty':-1,'max_tokens':50,'verbosity':'low','metadata':{'k':'v'},"
                  + "'prompt_cache_key':'p','modalities':['text']");
      assertThat(sent.json())
          .isEqualTo(
              json(
                  "{'model':'their-name','input':[{'role':'user','content':'hi'}],"
                      + "'max_output_tokens':50,'temperature':1.0,'top_p':0.5,'top_k':3,"
                      + "'frequency_penalty':1,'presence_penalty':-1,'text':{'verbosity':'low'},"
                      + "'metadata':{'k':'v'},'prompt_cache_key':'p','store':false}"));
      assertThat(sent.losses()).isEmpty();
    }

    @Proves("translation.request.sampling")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        textBlock =
            """
            'stop':['a']                                     | stop
            'seed':7                                         | seed
            'logit_bias':{'1':2}                             | logit_bias
            'repetition_penalty':1.5                         | repetition_penalty
            'min_p':0.1                                      | min_p
            'prediction':{'type':'content','content':'x'}    | prediction
            'image_config':{'a':'b'}                         | image_config
            'cache_control':{'type':'ephemeral'}             | cache_control
            """)
    @DisplayName("none that the dialect lacks, which are reported as lost")
    void dropped(String member, String what) {
      ResponsesFixtures.SentBody sent = fromChat("," + member);
      assertThat(sent.lost()).containsExactly(what + " DROPPED");
      assertThat(sent.json()).isEqualTo(fromChat("").json());
    }

    @Test
    @DisplayName("none that the endpoint lacks, which are reported as lost")
    void unsupported() {
      InferenceRequest request =
          chat(
              "{"
                  + HI
                  + ",'temperature':1,'verbosity':'low','reasoning':{'effort':'low'},"
                  + "'response_format':{'type':'json_object'},'logprobs':true,"
                  + "'tools':[{'type':'function','function':{'name':'f'}}]}");
      ResponsesFixtures.SentBody sent = sent(supporting(0), request);
      assertThat(sent.json()).isEqualTo(fromChat("").json());
      assertThat(sent.lost())
          .containsExactlyInAnyOrder(
              "tools DROPPED",
              "temperature DROPPED",
              "logprobs DROPPED",
              "verbosity DROPPED",
              "response_format DROPPED",
              "reasoning DROPPED");
    }

    @Test
    @DisplayName("logprobs in the include list")
    void logprobs() {
      Json.Obj body = fromChat(",'logprobs':true,'top_logprobs':3").json();
      assertThat(body.get("include")).isEqualTo(value("['message.output_text.logprobs']"));
      assertThat(body.get("top_logprobs")).isEqualTo(Json.of(3));
      assertThat(fromChat(",'logprobs':false").get("include")).isNull();
    }

    @Test
    @DisplayName("the end user as a hash, the tier of the endpoint, and the engine's limit")
    void routed() {
      var flex = endpoint().toBuilder().serviceTier("flex").build();
      InferenceRequest request =
          chat(
              "{"
                  + HI
                  + ",'user':'alice','metadata':{'user_id':'alice'},'max_tokens':50,"
                  + "'service_tier':'auto'}");
      ResponsesFixtures.SentBody sent = sent(flex, request, 20, HASH, NONE);
      assertThat(sent.text()).doesNotContain("alice");
      assertThat(sent.get("safety_identifier")).isEqualTo(Json.of(HASH));
      assertThat(sent.get("metadata")).isEqualTo(value("{'user_id':'" + HASH + "'}"));
      assertThat(sent.get("service_tier")).isEqualTo(Json.of("flex"));
      assertThat(sent.get("max_output_tokens")).isEqualTo(Json.of(20));
      assertThat(fromChat(",'service_tier':'priority'").get("service_tier")).isNull();
      assertThat(fromMessages(",'service_tier':'standard_only'").get("service_tier"))
          .isEqualTo(Json.of("default"));
    }
  }

  @Nested
  @DisplayName("has as the format of the answer")
  class Format {
    private static @Nullable Json format(ResponsesFixtures.SentBody sent) {
      return sent.json().object("text") instanceof Json.Obj text ? text.get("format") : null;
    }

    @Test
    @DisplayName("a flat schema, with a default name if it has none")
    void schema() {
      assertThat(
              format(
                  fromChat(
                      ",'response_format':{'type':'json_schema','json_schema':{'name':'n',"
                          + "'description':'d','schema':{'type':'object'},'strict':true}}")))
          .isEqualTo(
              value(
                  "{'type':'json_schema','name':'n','description':'d',"
                      + "'schema':{'type':'object'},'strict':true}"));
      assertThat(
              format(
                  fromMessages(
                      ",'output_config':{'format':{'type':'json_schema',"
                          + "'schema':{'type':'object'}}}")))
          .isEqualTo(value("{'type':'json_schema','name':'answer','schema':{'type':'object'}}"));
    }

    @Test
    @DisplayName("a JSON object, but neither plain text nor a format that the dialect lacks")
    void others() {
      assertThat(format(fromChat(",'response_format':{'type':'json_object'}")))
          .isEqualTo(value("{'type':'json_object'}"));
      assertThat(fromChat(",'response_format':{'type':'text'}").get("text")).isNull();
      ResponsesFixtures.SentBody grammar =
          fromChat(",'response_format':{'type':'grammar','grammar':'g'}");
      assertThat(grammar.get("text")).isNull();
      assertThat(grammar.lost()).containsExactly("response_format DROPPED");
    }
  }

  @Nested
  @DisplayName("declares tools")
  class Tools {
    @Proves({"translation.request.tool", "translation.request.no-parameters"})
    @Test
    @DisplayName("flat, with parameters or null, and with strict false unless the caller set it")
    void flat() {
      assertThat(
              fromChat(
                      ",'tools':[{'type':'function','function':{'name':'f','description':'d',"
                          + "'parameters':{'type':'object'},'strict':true}},"
                          + "{'type':'function','function':{'name':'g'}}]")
                  .get("tools"))
          .isEqualTo(
              value(
                  "[{'type':'function','name':'f','description':'d',"
                      + "'parameters':{'type':'object'},'strict':true},"
                      + "{'type':'function','name':'g','parameters':null,'strict':false}]"));
      ResponsesFixtures.SentBody marked =
          fromMessages(
              ",'tools':[{'name':'f','input_schema':{'type':'object'},"
                  + "'cache_control':{'type':'ephemeral'}}]");
      assertThat(marked.get("tools"))
          .isEqualTo(
              value(
                  "[{'type':'function','name':'f','parameters':{'type':'object'},"
                      + "'strict':false}]"));
      assertThat(marked.lost()).containsExactly("tools.cache_control DROPPED");
    }

    @Test
    @DisplayName("but none that the gateway runs")
    void gateways() {
      ResponsesFixtures.SentBody sent =
          fromChat(
              ",'tools':[{'type':'router:datetime'}],'tool_choice':{'type':'router:datetime'}");
      assertThat(sent.json()).isEqualTo(fromChat("").json());
    }

    @Proves("translation.request.tool_choice")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        textBlock =
            """
            'auto'                                   | 'auto'
            'none'                                   | 'none'
            'required'                               | 'required'
            {'type':'function','function':{'name':'f'}} | {'type':'function','name':'f'}
            """)
    @DisplayName("and the tool choice in the form of the dialect")
    void choice(String chat, String responses) {
      String tools = ",'tools':[{'type':'function','function':{'name':'f'}}],'tool_choice':";
      ResponsesFixtures.SentBody sent = fromChat(tools + chat + ",'parallel_tool_calls':false");
      assertThat(sent.get("tool_choice")).isEqualTo(value(responses));
      assertThat(sent.get("parallel_tool_calls")).isEqualTo(Json.FALSE);
    }

    @Test
    @DisplayName("and a tool choice of the messages dialect")
    void messagesChoice() {
      String tools = ",'tools':[{'name':'f','input_schema':{'type':'object'}}],'tool_choice':";
      ResponsesFixtures.SentBody any =
          fromMessages(tools + "{'type':'any','disable_parallel_tool_use':true}");
      assertThat(any.get("tool_choice")).isEqualTo(Json.of("required"));
      assertThat(any.get("parallel_tool_calls")).isEqualTo(Json.FALSE);
      assertThat(fromMessages(tools + "{'type':'tool','name':'f'}").get("tool_choice"))
          .isEqualTo(value("{'type':'function','name':'f'}"));
    }

    @Test
    @DisplayName("with the choice none if they may not be called")
    void none() {
      InferenceRequest request =
          chat(
              "{"
                  + HI
                  + ",'tools':[{'type':'function','function':{'name':'f'}}],"
                  + "'tool_choice':'required'}");
      Json.Obj body = sent(request.toBuilder().mayCallTools(false).build()).json();
      assertThat(body.has("tools")).isTrue();
      assertThat(body.get("tool_choice")).isEqualTo(Json.of("none"));
    }
  }

  @Nested
  @DisplayName("has for reasoning")
  class Reasoning {
    private static ResponsesFixtures.SentBody sentWith(String members, ModelInfo.Reasoning model) {
      return sent(chat("{" + HI + members + "}"), model);
    }

    @Proves("translation.request.reasoning")
    @Test
    @DisplayName("the effort, and a request for its summary and its encrypted content")
    void effort() {
      Json.Obj body = sentWith(",'reasoning':{'effort':'low'}", NONE).json();
      assertThat(body.get("reasoning")).isEqualTo(value("{'effort':'low','summary':'auto'}"));
      assertThat(body.get("include")).isEqualTo(value("['reasoning.encrypted_content']"));
      assertThat(sentWith(",'reasoning_effort':'high'", efforts("low", "medium")).get("reasoning"))
          .isEqualTo(value("{'effort':'medium','summary':'auto'}"));
      assertThat(sentWith(",'reasoning':{'effort':'low','exclude':true}", NONE).get("reasoning"))
          .isEqualTo(value("{'effort':'low'}"));
    }

    @Test
    @DisplayName("an effort in place of a budget, unless the model supports budgets")
    void budget() {
      InferenceRequest thinking =
          messages(
              "{'max_tokens':10000," + HI + ",'thinking':{'type':'enabled','budget_tokens':4000}}");
      ResponsesFixtures.SentBody sent = sent(thinking, efforts("low", "medium", "high"));
      assertThat(sent.get("reasoning")).isEqualTo(value("{'effort':'medium','summary':'auto'}"));
      assertThat(sent.lost()).containsExactly("reasoning.max_tokens CHANGED");
      assertThat(sent(thinking, new ModelInfo.Reasoning(false, List.of(), true)).get("reasoning"))
          .isEqualTo(value("{'max_tokens':4000,'summary':'auto'}"));
    }

    @Test
    @DisplayName("the effort none, or the least that the model supports")
    void off() {
      InferenceRequest off = messages("{'max_tokens':9," + HI + ",'thinking':{'type':'disabled'}}");
      assertThat(sent(off, NONE).get("reasoning")).isNull();
      assertThat(sent(off, efforts("none", "low")).get("reasoning"))
          .isEqualTo(value("{'effort':'none'}"));
      ResponsesFixtures.SentBody mandatory =
          sent(off, new ModelInfo.Reasoning(true, List.of("low"), false));
      assertThat(mandatory.get("reasoning")).isEqualTo(value("{'effort':'low'}"));
      assertThat(mandatory.lost()).containsExactly("reasoning.effort CHANGED");
      assertThat(mandatory.get("include")).isEqualTo(value("['reasoning.encrypted_content']"));
    }

    @Test
    @DisplayName("a request only for its encrypted content if the caller set nothing")
    void unset() {
      Json.Obj body = sentWith("", efforts("low")).json();
      assertThat(body.has("reasoning")).isFalse();
      assertThat(body.get("include")).isEqualTo(value("['reasoning.encrypted_content']"));
    }
  }
}
