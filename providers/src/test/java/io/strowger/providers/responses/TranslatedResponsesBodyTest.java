package io.strowger.providers.responses;

import static io.strowger.providers.responses.Bodies.HASH;
import static io.strowger.providers.responses.Bodies.chat;
import static io.strowger.providers.responses.Bodies.efforts;
import static io.strowger.providers.responses.Bodies.endpoint;
import static io.strowger.providers.responses.Bodies.json;
import static io.strowger.providers.responses.Bodies.messages;
import static io.strowger.providers.responses.Bodies.sent;
import static io.strowger.providers.responses.Bodies.supporting;
import static io.strowger.providers.responses.Bodies.value;
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

@DisplayName("The body of a request of another dialect")
class TranslatedResponsesBodyTest {
  private static final String HI = "'messages':[{'role':'user','content':'hi'}]";
  private static final ModelInfo.Reasoning NONE = ModelInfo.Reasoning.NONE;

  private static Bodies.Sent said(String members) {
    return sent(chat("{" + HI + members + "}"));
  }

  private static Bodies.Sent saidInMessages(String members) {
    return sent(messages("{'max_tokens':9," + HI + members + "}"));
  }

  @Test
  @DisplayName("is the conversation, the model, and that nothing is to be stored")
  void least() {
    Json.Obj least =
        json("{'model':'their-name','input':[{'role':'user','content':'hi'}],'store':false}");
    assertThat(said("").json()).isEqualTo(least);
    assertThat(said(",'stream':true,'n':1").json()).isEqualTo(least.with("stream", Json.TRUE));
    assertThat(saidInMessages("").json()).isEqualTo(least.with("max_output_tokens", Json.of(9)));
    assertThat(said("").losses()).isEmpty();
  }

  @Nested
  @DisplayName("says of sampling and limits")
  class Parameters {
    @Test
    @DisplayName("what this dialect has, as it was spelled")
    void kept() {
      Bodies.Sent sent =
          said(
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
    @DisplayName("nothing of what it lacks, which is told")
    void dropped(String member, String what) {
      Bodies.Sent sent = said("," + member);
      assertThat(sent.lost()).containsExactly(what + " DROPPED");
      assertThat(sent.json()).isEqualTo(said("").json());
    }

    @Test
    @DisplayName("nothing the endpoint does not know, which is told")
    void unsupported() {
      InferenceRequest request =
          chat(
              "{"
                  + HI
                  + ",'temperature':1,'verbosity':'low','reasoning':{'effort':'low'},"
                  + "'response_format':{'type':'json_object'},'logprobs':true,"
                  + "'tools':[{'type':'function','function':{'name':'f'}}]}");
      Bodies.Sent sent = sent(supporting(0), request);
      assertThat(sent.json()).isEqualTo(said("").json());
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
    @DisplayName("how likely tokens were, as something to include")
    void logprobs() {
      Json.Obj body = said(",'logprobs':true,'top_logprobs':3").json();
      assertThat(body.get("include")).isEqualTo(value("['message.output_text.logprobs']"));
      assertThat(body.get("top_logprobs")).isEqualTo(Json.of(3));
      assertThat(said(",'logprobs':false").get("include")).isNull();
    }

    @Test
    @DisplayName("the end user by a hash, the tier of the endpoint, the engine's own limit")
    void routed() {
      var flex = endpoint().toBuilder().serviceTier("flex").build();
      InferenceRequest asked =
          chat(
              "{"
                  + HI
                  + ",'user':'alice','metadata':{'user_id':'alice'},'max_tokens':50,"
                  + "'service_tier':'auto'}");
      Bodies.Sent sent = sent(flex, asked, 20, HASH, NONE);
      assertThat(sent.text()).doesNotContain("alice");
      assertThat(sent.get("safety_identifier")).isEqualTo(Json.of(HASH));
      assertThat(sent.get("metadata")).isEqualTo(value("{'user_id':'" + HASH + "'}"));
      assertThat(sent.get("service_tier")).isEqualTo(Json.of("flex"));
      assertThat(sent.get("max_output_tokens")).isEqualTo(Json.of(20));
      assertThat(said(",'service_tier':'priority'").get("service_tier")).isNull();
      assertThat(saidInMessages(",'service_tier':'standard_only'").get("service_tier"))
          .isEqualTo(Json.of("default"));
    }
  }

  @Nested
  @DisplayName("says of the form of the answer")
  class Format {
    private static @Nullable Json format(Bodies.Sent sent) {
      return sent.json().object("text") instanceof Json.Obj text ? text.get("format") : null;
    }

    @Test
    @DisplayName("a schema flat, with a name whether it has one or not")
    void schema() {
      assertThat(
              format(
                  said(
                      ",'response_format':{'type':'json_schema','json_schema':{'name':'n',"
                          + "'description':'d','schema':{'type':'object'},'strict':true}}")))
          .isEqualTo(
              value(
                  "{'type':'json_schema','name':'n','description':'d',"
                      + "'schema':{'type':'object'},'strict':true}"));
      assertThat(
              format(
                  saidInMessages(
                      ",'output_config':{'format':{'type':'json_schema',"
                          + "'schema':{'type':'object'}}}")))
          .isEqualTo(value("{'type':'json_schema','name':'answer','schema':{'type':'object'}}"));
    }

    @Test
    @DisplayName("an object, nothing of plain text, and nothing of what it lacks")
    void others() {
      assertThat(format(said(",'response_format':{'type':'json_object'}")))
          .isEqualTo(value("{'type':'json_object'}"));
      assertThat(said(",'response_format':{'type':'text'}").get("text")).isNull();
      Bodies.Sent grammar = said(",'response_format':{'type':'grammar','grammar':'g'}");
      assertThat(grammar.get("text")).isNull();
      assertThat(grammar.lost()).containsExactly("response_format DROPPED");
    }
  }

  @Nested
  @DisplayName("declares tools")
  class Tools {
    @Proves({"translation.request.tool", "translation.request.no-parameters"})
    @Test
    @DisplayName("flat, with parameters if only as a null, and strict only when that was said")
    void flat() {
      assertThat(
              said(",'tools':[{'type':'function','function':{'name':'f','description':'d',"
                      + "'parameters':{'type':'object'},'strict':true}},"
                      + "{'type':'function','function':{'name':'g'}}]")
                  .get("tools"))
          .isEqualTo(
              value(
                  "[{'type':'function','name':'f','description':'d',"
                      + "'parameters':{'type':'object'},'strict':true},"
                      + "{'type':'function','name':'g','parameters':null,'strict':false}]"));
      Bodies.Sent marked =
          saidInMessages(
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
    @DisplayName("but none the gateway runs")
    void gateways() {
      Bodies.Sent sent =
          said(",'tools':[{'type':'router:datetime'}],'tool_choice':{'type':'router:datetime'}");
      assertThat(sent.json()).isEqualTo(said("").json());
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
    @DisplayName("and says which may be called in its own words")
    void choice(String chat, String here) {
      String tools = ",'tools':[{'type':'function','function':{'name':'f'}}],'tool_choice':";
      Bodies.Sent sent = said(tools + chat + ",'parallel_tool_calls':false");
      assertThat(sent.get("tool_choice")).isEqualTo(value(here));
      assertThat(sent.get("parallel_tool_calls")).isEqualTo(Json.FALSE);
    }

    @Test
    @DisplayName("and says the same of a choice in the messages dialect")
    void messagesChoice() {
      String tools = ",'tools':[{'name':'f','input_schema':{'type':'object'}}],'tool_choice':";
      Bodies.Sent any = saidInMessages(tools + "{'type':'any','disable_parallel_tool_use':true}");
      assertThat(any.get("tool_choice")).isEqualTo(Json.of("required"));
      assertThat(any.get("parallel_tool_calls")).isEqualTo(Json.FALSE);
      assertThat(saidInMessages(tools + "{'type':'tool','name':'f'}").get("tool_choice"))
          .isEqualTo(value("{'type':'function','name':'f'}"));
    }

    @Test
    @DisplayName("that may not be called now, and says so")
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
  @DisplayName("says of reasoning")
  class Reasoning {
    private static Bodies.Sent wanted(String members, ModelInfo.Reasoning model) {
      return sent(chat("{" + HI + members + "}"), model);
    }

    @Proves("translation.request.reasoning")
    @Test
    @DisplayName("the effort, and that it is wanted back encrypted and in sum")
    void effort() {
      Json.Obj body = wanted(",'reasoning':{'effort':'low'}", NONE).json();
      assertThat(body.get("reasoning")).isEqualTo(value("{'effort':'low','summary':'auto'}"));
      assertThat(body.get("include")).isEqualTo(value("['reasoning.encrypted_content']"));
      assertThat(wanted(",'reasoning_effort':'high'", efforts("low", "medium")).get("reasoning"))
          .isEqualTo(value("{'effort':'medium','summary':'auto'}"));
      assertThat(wanted(",'reasoning':{'effort':'low','exclude':true}", NONE).get("reasoning"))
          .isEqualTo(value("{'effort':'low'}"));
    }

    @Test
    @DisplayName("an effort for a budget, and the budget where the model takes one")
    void budget() {
      InferenceRequest thinking =
          messages(
              "{'max_tokens':10000," + HI + ",'thinking':{'type':'enabled','budget_tokens':4000}}");
      Bodies.Sent sent = sent(thinking, efforts("low", "medium", "high"));
      assertThat(sent.get("reasoning")).isEqualTo(value("{'effort':'medium','summary':'auto'}"));
      assertThat(sent.lost()).containsExactly("reasoning.max_tokens CHANGED");
      assertThat(sent(thinking, new ModelInfo.Reasoning(false, List.of(), true)).get("reasoning"))
          .isEqualTo(value("{'max_tokens':4000,'summary':'auto'}"));
    }

    @Test
    @DisplayName("that there is to be none, as far as the model can be told")
    void off() {
      InferenceRequest off = messages("{'max_tokens':9," + HI + ",'thinking':{'type':'disabled'}}");
      assertThat(sent(off, NONE).get("reasoning")).isNull();
      assertThat(sent(off, efforts("none", "low")).get("reasoning"))
          .isEqualTo(value("{'effort':'none'}"));
      Bodies.Sent mandatory = sent(off, new ModelInfo.Reasoning(true, List.of("low"), false));
      assertThat(mandatory.get("reasoning")).isEqualTo(value("{'effort':'low'}"));
      assertThat(mandatory.lost()).containsExactly("reasoning.effort CHANGED");
      assertThat(mandatory.get("include")).isEqualTo(value("['reasoning.encrypted_content']"));
    }

    @Test
    @DisplayName("nothing when nothing was said, but keeps what the model thinks by itself")
    void silent() {
      Json.Obj body = wanted("", efforts("low")).json();
      assertThat(body.has("reasoning")).isFalse();
      assertThat(body.get("include")).isEqualTo(value("['reasoning.encrypted_content']"));
    }
  }
}
