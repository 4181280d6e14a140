package io.strowger.providers.responses;

import static io.strowger.providers.responses.ResponsesFixtures.HASH;
import static io.strowger.providers.responses.ResponsesFixtures.efforts;
import static io.strowger.providers.responses.ResponsesFixtures.endpoint;
import static io.strowger.providers.responses.ResponsesFixtures.json;
import static io.strowger.providers.responses.ResponsesFixtures.responses;
import static io.strowger.providers.responses.ResponsesFixtures.sent;
import static io.strowger.providers.responses.ResponsesFixtures.supporting;
import static io.strowger.providers.responses.ResponsesFixtures.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The body of a request in the responses dialect")
class ResponsesPassThroughBodyTest {
  private static final String INPUT = "'input':'hi'";
  private static final String TOOL = "{'type':'function','name':'f','parameters':null}";
  private static final ModelInfo.Reasoning NONE = ModelInfo.Reasoning.NONE;

  private static Json.Obj sentJson(String members) {
    return sent(responses("{" + INPUT + members + "}")).json();
  }

  private static @Nullable Json sentMember(String members, String name) {
    return sentJson(members).get(name);
  }

  @Proves("translation.fate.copied")
  @Test
  @DisplayName("keeps the caller's order, spelling and white space, with the upstream's model name")
  void faithful() {
    String body =
        "{ 'temperature' : 1.0 ,'model':'lab/model','input':[ {'role' : 'user',"
            + "'content':'\\u0041 \\n'},{'type':'message','id':'msg_1','role':'assistant',"
            + "'status':'completed','content':[ {'type':'output_text','text':'b',"
            + "'annotations':[ ]} ]},{'type':'function_call','id':'fc_1','call_id':'c',"
            + "'name':'a.b','arguments':''},{'type':'function_call_output','call_id':'c',"
            + "'output':'' } ],'x_unknown':{ 'a' : [1e2 , 2.50] },'top_p':null,'store':false,"
            + "'text':{ 'verbosity':'low' },'tools':[ "
            + TOOL
            + " ],'tool_choice':{'type':'function','name':'f' },'metadata':{ 'k':'v'}}";
    assertThat(sent(responses(body)).text())
        .isEqualTo(
            body.replace("{ 'temperature' : 1.0 ,", "{'temperature':1.0,")
                .replace("lab/model", "their-name")
                .replace('\'', '"'));
    assertThat(sent(responses(body)).losses()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'max_tool_calls':3
          'tools':[{'type':'router:datetime'}]
          'tool_choice':'auto'
          'stream_options':{'include_obfuscation':false}
          """)
  @DisplayName("has no member that makes no sense without another")
  void dependent(String member) {
    String body = "{" + INPUT + "," + member + "}";
    InferenceRequest request =
        InferenceRequest.builder(Dialect.RESPONSES, json(body))
            .messages(responses("{" + INPUT + "}").messages())
            .build();
    assertThat(sent(request).json())
        .isEqualTo(json("{" + INPUT + ",'model':'their-name','store':false}"));
  }

  @Test
  @DisplayName("has store false, whether the caller set it or not")
  void store() {
    assertThat(sentMember("", "store")).isEqualTo(Json.FALSE);
    assertThat(sentMember(",'store':false", "store")).isEqualTo(Json.FALSE);
  }

  @Nested
  @DisplayName("has as its tools")
  class Tools {
    @Test
    @DisplayName("those that the upstream may support, and no choice of others")
    void gateways() {
      Json.Obj body =
          sentJson(
              ",'tools':["
                  + TOOL
                  + ",{'type':'router:datetime'},{'type':'mcp','server_label':'s'}],"
                  + "'max_tool_calls':3,'tool_choice':{'type':'router:datetime'},"
                  + "'parallel_tool_calls':false");
      assertThat(body.get("tools"))
          .isEqualTo(value("[" + TOOL + ",{'type':'mcp','server_label':'s'}]"));
      assertThat(body.has("tool_choice")).isFalse();
      assertThat(body.get("max_tool_calls")).isEqualTo(Json.of(3));
      assertThat(body.get("parallel_tool_calls")).isEqualTo(Json.FALSE);
    }

    @Test
    @DisplayName("no gateway tool in the list of allowed tools")
    void lists() {
      String allowed =
          ",'tools':[%s],'tool_choice':{'type':'allowed_tools','mode':'auto','tools':[%s]}";
      String own = "{'type':'function','name':'f'}";
      String router = "{'type':'router:datetime'}";
      assertThat(sentMember(allowed.formatted(TOOL, own + "," + router), "tool_choice"))
          .isEqualTo(value("{'type':'allowed_tools','mode':'auto','tools':[" + own + "]}"));
      assertThat(sentMember(allowed.formatted(TOOL, router), "tool_choice")).isNull();
    }

    @Test
    @DisplayName("all when none may be called, with the choice none")
    void none() {
      String tools = "{" + INPUT + ",'tools':[" + TOOL + "]%s}";
      for (String choice : List.of("", ",'tool_choice':'required'")) {
        InferenceRequest request = responses(tools.formatted(choice));
        Json.Obj body = sent(request.toBuilder().mayCallTools(false).build()).json();
        assertThat(body.get("tools")).isEqualTo(value("[" + TOOL + "]"));
        assertThat(body.get("tool_choice")).isEqualTo(Json.of("none"));
      }
    }

    @Test
    @DisplayName("none if the endpoint supports none")
    void unsupported() {
      Endpoint without = supporting(Parameter.ALL & ~Parameter.TOOLS.bit());
      String members = ",'tools':[" + TOOL + "],'tool_choice':'auto','parallel_tool_calls':true";
      long withoutChoice = Parameter.ALL & ~Parameter.TOOL_CHOICE.bit();
      ResponsesFixtures.SentBody chosen =
          sent(supporting(withoutChoice), responses("{" + INPUT + members + "}"));
      assertThat(chosen.get("tool_choice")).isNull();
      assertThat(chosen.lost()).containsExactly("tool_choice DROPPED");
      assertThat(sent(without, responses("{" + INPUT + members + "}")).json())
          .isEqualTo(json("{" + INPUT + ",'model':'their-name','store':false}"));
    }
  }

  @Nested
  @DisplayName("has as its items")
  class Items {
    private static @Nullable Json input(String items) {
      return sent(responses("{'input':[" + items + "]}")).get("input");
    }

    @Test
    @DisplayName("reasoning with its id only if it is complete, since nothing is stored")
    void reasoning() {
      assertThat(input("{'type':'reasoning','id':'rs','summary':[]}"))
          .isEqualTo(value("[{'type':'reasoning','summary':[]}]"));
      String complete = "{'type':'reasoning','id':'rs','summary':[],'encrypted_content':'e'}";
      assertThat(input(complete)).isEqualTo(value("[" + complete + "]"));
      String ours =
          complete.replace("'e'}", "'e','format':'openai-responses-v1','signature':null}");
      assertThat(input(ours)).isEqualTo(value("[" + complete + "]"));
    }

    @Test
    @DisplayName("no reasoning of another vendor, which is reported as lost")
    void foreignReasoning() {
      for (String proof :
          List.of(
              "'encrypted_content':'e','format':'google-gemini-v1'",
              "'signature':'s','format':'anthropic-claude-v1'",
              "'signature':'s'")) {
        ResponsesFixtures.SentBody sent =
            sent(
                responses(
                    "{'input':[{'role':'user','content':'a'},"
                        + "{'type':'reasoning','id':'rs','summary':[],"
                        + proof
                        + "}]}"));
        assertThat(sent.get("input")).isEqualTo(value("[{'role':'user','content':'a'}]"));
        assertThat(sent.lost()).containsExactly("reasoning DROPPED");
      }
    }

    @Test
    @DisplayName("the text that a plugin set, and not the original one")
    void changed() {
      InferenceRequest request = responses("{'input':[{'role':'user','content':'old'}]}");
      Message changed = request.messages().get(0).withParts(List.of(new Part.Text("new")));
      assertThat(sent(request.toBuilder().messages(List.of(changed)).build()).text())
          .contains("\"new\"")
          .doesNotContain("old");
    }

    @Test
    @DisplayName("one item for the thoughts with the same id")
    void grouped() {
      List<Part> thoughts =
          List.of(
              thought(Part.Thinking.Kind.SUMMARY, "a", "rs"),
              thought(Part.Thinking.Kind.SUMMARY, "b", "rs"),
              thought(Part.Thinking.Kind.ENCRYPTED, "e", "rs"),
              thought(Part.Thinking.Kind.ENCRYPTED, "f", "rs2"),
              new Part.Text("so"));
      Message message =
          new Message(
              Message.Role.ASSISTANT, thoughts, Message.ContentForm.LIST, Json.Obj.EMPTY, null);
      InferenceRequest request =
          responses("{" + INPUT + "}").toBuilder().messages(List.of(message)).build();
      assertThat(sent(request).get("input"))
          .isEqualTo(
              value(
                  "[{'type':'reasoning','id':'rs','summary':[{'type':'summary_text','text':'a'},"
                      + "{'type':'summary_text','text':'b'}],'encrypted_content':'e'},"
                      + "{'type':'reasoning','id':'rs2','summary':[],'encrypted_content':'f'},"
                      + "{'role':'assistant','content':[{'type':'output_text','text':'so'}]}]"));
    }

    private static Part thought(Part.Thinking.Kind kind, String text, String id) {
      return new Part.Thinking(
          kind, Json.of(text), null, ResponsesReasoningItem.FORMAT, id, Json.Obj.EMPTY, null);
    }
  }

  @Nested
  @DisplayName("has for reasoning")
  class Reasoning {
    private static ResponsesFixtures.SentBody withReasoning(
        String reasoning, ModelInfo.Reasoning model) {
      return sent(responses("{" + INPUT + ",'reasoning':" + reasoning + "}"), model);
    }

    @Test
    @DisplayName("the caller's options if the model supports them")
    void kept() {
      String options = "{'effort':'low','summary':null,'mode':'pro'}";
      assertThat(withReasoning(options, efforts("low")).get("reasoning")).isEqualTo(value(options));
      assertThat(withReasoning(options, NONE).get("reasoning")).isEqualTo(value(options));
      assertThat(withReasoning("null", NONE).get("reasoning")).isEqualTo(Json.NULL);
      assertThat(withReasoning("{'effort':null}", NONE).get("reasoning"))
          .isEqualTo(value("{'effort':null}"));
    }

    @Test
    @DisplayName("an effort for options that only the gateway knows")
    void rewritten() {
      var model = efforts("minimal", "low", "medium", "high");
      assertThat(withReasoning("{'enabled':true}", model).get("reasoning"))
          .isEqualTo(value("{'effort':'medium'}"));
      ResponsesFixtures.SentBody budget =
          withReasoning("{'max_tokens':5000,'summary':'auto'}", model);
      assertThat(budget.get("reasoning")).isEqualTo(value("{'summary':'auto','effort':'low'}"));
      assertThat(budget.lost()).containsExactly("reasoning.max_tokens CHANGED");
      ResponsesFixtures.SentBody off = withReasoning("{'enabled':false}", model);
      assertThat(off.get("reasoning")).isEqualTo(value("{'effort':'minimal'}"));
      assertThat(off.lost()).containsExactly("reasoning.effort CHANGED");
      assertThat(withReasoning("{'enabled':false}", efforts("none", "low")).get("reasoning"))
          .isEqualTo(value("{'effort':'none'}"));
    }

    @Proves("routing.variant.nearest-effort")
    @Test
    @DisplayName("the nearest effort of the model, or a budget if it supports only budgets")
    void nearest() {
      assertThat(withReasoning("{'effort':'xhigh'}", efforts("low", "high")).get("reasoning"))
          .isEqualTo(value("{'effort':'high'}"));
      var mandatory = new ModelInfo.Reasoning(true, List.of("none", "low"), false);
      assertThat(withReasoning("{'effort':'none'}", mandatory).get("reasoning"))
          .isEqualTo(value("{'effort':'low'}"));
      var budgets = new ModelInfo.Reasoning(false, List.of(), true);
      assertThat(withReasoning("{'effort':'low'}", budgets).get("reasoning"))
          .isEqualTo(value("{'max_tokens':6400}"));
      assertThat(withReasoning("{'max_tokens':5000}", budgets).get("reasoning"))
          .isEqualTo(value("{'max_tokens':5000}"));
    }

    @Test
    @DisplayName("nothing if the endpoint does not support it")
    void unsupported() {
      long without =
          Parameter.ALL & ~(Parameter.REASONING.bit() | Parameter.REASONING_EFFORT.bit());
      ResponsesFixtures.SentBody sent =
          sent(supporting(without), responses("{" + INPUT + ",'reasoning':{'effort':'low'}}"));
      assertThat(sent.json()).isEqualTo(json("{" + INPUT + ",'model':'their-name','store':false}"));
      assertThat(sent.lost()).containsExactly("reasoning DROPPED");
      assertThat(sent(supporting(without), responses("{" + INPUT + ",'reasoning':null}")).lost())
          .isEmpty();
    }

    @Test
    @DisplayName("a request for its encrypted content whenever there may be any")
    void include() {
      Json expected = value("['reasoning.encrypted_content']");
      assertThat(withReasoning("{'effort':'low'}", NONE).get("include")).isEqualTo(expected);
      assertThat(sent(responses("{" + INPUT + "}"), efforts("low")).get("include"))
          .isEqualTo(expected);
      assertThat(withReasoning("{'effort':'none'}", NONE).get("include")).isNull();
      assertThat(withReasoning("{'effort':'low'},'include':null", NONE).get("include"))
          .isEqualTo(expected);
      assertThat(
              withReasoning("{'effort':'low'},'include':['file_search_call.results']", NONE)
                  .get("include"))
          .isEqualTo(value("['file_search_call.results','reasoning.encrypted_content']"));
      assertThat(sentMember(",'include':null", "include")).isEqualTo(Json.NULL);
    }
  }

  @Test
  @DisplayName("names the end user only by a hash")
  void user() {
    InferenceRequest named = responses("{" + INPUT + ",'user':'alice'}");
    assertThat(sent(endpoint(), named, 0, HASH, NONE).get("user")).isEqualTo(Json.of(HASH));
    assertThat(sent(endpoint(), named, 0, null, NONE).text()).doesNotContain("alice");
    InferenceRequest pairs = responses("{" + INPUT + ",'metadata':{'user_id':'alice','k':'v'}}");
    ResponsesFixtures.SentBody sent = sent(endpoint(), pairs, 0, HASH, NONE);
    assertThat(sent.get("metadata")).isEqualTo(value("{'user_id':'" + HASH + "','k':'v'}"));
    assertThat(sent.get("user")).isNull();
    assertThat(sent(endpoint(), responses("{" + INPUT + "}"), 0, HASH, NONE).get("user"))
        .isEqualTo(Json.of(HASH));
    InferenceRequest safe = responses("{" + INPUT + ",'safety_identifier':'alice'}");
    sent = sent(endpoint(), safe, 0, HASH, NONE);
    assertThat(sent.get("safety_identifier")).isEqualTo(Json.of(HASH));
    assertThat(sent.get("user")).isNull();
    assertThat(sent(endpoint(), safe, 0, null, NONE).text()).doesNotContain("alice", "safety");
  }

  @ParameterizedTest
  @CsvSource({", 0, ", "50, 0, 50", "50, 20, 20", ", 20, 20", "null, 20, 20", "null, 0, null"})
  @DisplayName("has the limit of the engine, or else of the caller")
  void limit(@Nullable String requested, int cap, @Nullable String limit) {
    String members = requested == null ? "" : ",'max_output_tokens':" + requested;
    Json written =
        sent(endpoint(), responses("{" + INPUT + members + "}"), cap, null, NONE)
            .get("max_output_tokens");
    assertThat(written).isEqualTo(limit == null ? null : value(limit));
  }

  @Test
  @DisplayName("has the endpoint's service tier, but no requested one that selects an endpoint")
  void tier() {
    assertThat(sentMember(",'service_tier':'priority'", "service_tier")).isNull();
    assertThat(sentMember(",'service_tier':'auto'", "service_tier")).isEqualTo(Json.of("auto"));
    var flex = endpoint().toBuilder().serviceTier("flex").build();
    assertThat(sent(flex, responses("{" + INPUT + "}")).get("service_tier"))
        .isEqualTo(Json.of("flex"));
  }

  @Test
  @DisplayName("has no parameter that the endpoint lacks")
  void parameters() {
    Endpoint withoutParameters = supporting(0);
    String members =
        ",'temperature':1,'top_logprobs':2,'top_k':3,'truncation':'auto',"
            + "'text':{'verbosity':'low','format':{'type':'json_object'}}";
    assertThat(sent(withoutParameters, responses("{" + INPUT + members + "}")).json())
        .isEqualTo(json("{" + INPUT + ",'truncation':'auto','model':'their-name','store':false}"));
    Endpoint onlyVerbosity = supporting(Parameter.VERBOSITY.bit());
    assertThat(sent(onlyVerbosity, responses("{" + INPUT + members + "}")).get("text"))
        .isEqualTo(value("{'verbosity':'low'}"));
  }

  @Test
  @DisplayName("has the typed request's stream, and stream options only with it")
  void streams() {
    InferenceRequest streaming =
        responses("{" + INPUT + ",'stream':true,'stream_options':{'include_obfuscation':false}}");
    assertThat(sent(streaming).get("stream_options"))
        .isEqualTo(value("{'include_obfuscation':false}"));
    Json.Obj complete = sent(streaming.toBuilder().streaming(false).build()).json();
    assertThat(complete.get("stream")).isEqualTo(Json.FALSE);
    assertThat(complete.has("stream_options")).isFalse();
  }
}
