package io.strowger.providers.responses;

import static io.strowger.providers.responses.Bodies.HASH;
import static io.strowger.providers.responses.Bodies.efforts;
import static io.strowger.providers.responses.Bodies.endpoint;
import static io.strowger.providers.responses.Bodies.json;
import static io.strowger.providers.responses.Bodies.responses;
import static io.strowger.providers.responses.Bodies.sent;
import static io.strowger.providers.responses.Bodies.supporting;
import static io.strowger.providers.responses.Bodies.value;
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

@DisplayName("The body of a request of its own dialect")
class ResponsesPassThroughBodyTest {
  private static final String ASK = "'input':'hi'";
  private static final String TOOL = "{'type':'function','name':'f','parameters':null}";
  private static final ModelInfo.Reasoning NONE = ModelInfo.Reasoning.NONE;

  private static Json.Obj leaving(String members) {
    return sent(responses("{" + ASK + members + "}")).json();
  }

  private static @Nullable Json leaving(String members, String name) {
    return leaving(members).get(name);
  }

  @Proves("translation.fate.copied")
  @Test
  @DisplayName("keeps the caller's order, spelling and white space, and names the upstream's model")
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
  @DisplayName("has no member that is of no use without another")
  void useless(String member) {
    String body = "{" + ASK + "," + member + "}";
    InferenceRequest request =
        InferenceRequest.builder(Dialect.RESPONSES, json(body))
            .messages(responses("{" + ASK + "}").messages())
            .build();
    assertThat(sent(request).json())
        .isEqualTo(json("{" + ASK + ",'model':'their-name','store':false}"));
  }

  @Test
  @DisplayName("says that nothing is to be stored, whether the caller did or not")
  void store() {
    assertThat(leaving("", "store")).isEqualTo(Json.FALSE);
    assertThat(leaving(",'store':false", "store")).isEqualTo(Json.FALSE);
  }

  @Nested
  @DisplayName("has of the tools")
  class Tools {
    @Test
    @DisplayName("those the upstream may know, and no choice of another")
    void gateways() {
      Json.Obj body =
          leaving(
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
    @DisplayName("no gateway's tool among those allowed")
    void lists() {
      String allowed =
          ",'tools':[%s],'tool_choice':{'type':'allowed_tools','mode':'auto','tools':[%s]}";
      String own = "{'type':'function','name':'f'}";
      String router = "{'type':'router:datetime'}";
      assertThat(leaving(allowed.formatted(TOOL, own + "," + router), "tool_choice"))
          .isEqualTo(value("{'type':'allowed_tools','mode':'auto','tools':[" + own + "]}"));
      assertThat(leaving(allowed.formatted(TOOL, router), "tool_choice")).isNull();
    }

    @Test
    @DisplayName("all when none may be called, and then says so")
    void none() {
      String tools = "{" + ASK + ",'tools':[" + TOOL + "]%s}";
      for (String choice : List.of("", ",'tool_choice':'required'")) {
        InferenceRequest request = responses(tools.formatted(choice));
        Json.Obj body = sent(request.toBuilder().mayCallTools(false).build()).json();
        assertThat(body.get("tools")).isEqualTo(value("[" + TOOL + "]"));
        assertThat(body.get("tool_choice")).isEqualTo(Json.of("none"));
      }
    }

    @Test
    @DisplayName("none where the endpoint knows none")
    void unsupported() {
      Endpoint without = supporting(Parameter.ALL & ~Parameter.TOOLS.bit());
      String members = ",'tools':[" + TOOL + "],'tool_choice':'auto','parallel_tool_calls':true";
      long withoutChoice = Parameter.ALL & ~Parameter.TOOL_CHOICE.bit();
      Bodies.Sent chosen = sent(supporting(withoutChoice), responses("{" + ASK + members + "}"));
      assertThat(chosen.get("tool_choice")).isNull();
      assertThat(chosen.lost()).containsExactly("tool_choice DROPPED");
      assertThat(sent(without, responses("{" + ASK + members + "}")).json())
          .isEqualTo(json("{" + ASK + ",'model':'their-name','store':false}"));
    }
  }

  @Nested
  @DisplayName("has of the items")
  class Items {
    private static @Nullable Json input(String items) {
      return sent(responses("{'input':[" + items + "]}")).get("input");
    }

    @Test
    @DisplayName("reasoning with its id only when it is all there, since nothing is stored")
    void reasoning() {
      assertThat(input("{'type':'reasoning','id':'rs','summary':[]}"))
          .isEqualTo(value("[{'type':'reasoning','summary':[]}]"));
      String whole = "{'type':'reasoning','id':'rs','summary':[],'encrypted_content':'e'}";
      assertThat(input(whole)).isEqualTo(value("[" + whole + "]"));
      String ours = whole.replace("'e'}", "'e','format':'openai-responses-v1','signature':null}");
      assertThat(input(ours)).isEqualTo(value("[" + whole + "]"));
    }

    @Test
    @DisplayName("no reasoning of another vendor, which is told")
    void foreignReasoning() {
      for (String proof :
          List.of(
              "'encrypted_content':'e','format':'google-gemini-v1'",
              "'signature':'s','format':'anthropic-claude-v1'",
              "'signature':'s'")) {
        Bodies.Sent sent =
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
    @DisplayName("what a plugin changed, and not what was there before")
    void changed() {
      InferenceRequest request = responses("{'input':[{'role':'user','content':'old'}]}");
      Message changed = request.messages().get(0).withParts(List.of(new Part.Text("new")));
      assertThat(sent(request.toBuilder().messages(List.of(changed)).build()).text())
          .contains("\"new\"")
          .doesNotContain("old");
    }

    @Test
    @DisplayName("thoughts that belong together as one")
    void grouped() {
      List<Part> thoughts =
          List.of(
              thought(Part.Thinking.Kind.SUMMARY, "a", "rs"),
              thought(Part.Thinking.Kind.SUMMARY, "b", "rs"),
              thought(Part.Thinking.Kind.ENCRYPTED, "e", "rs"),
              thought(Part.Thinking.Kind.ENCRYPTED, "f", "rs2"),
              new Part.Text("so"));
      Message made =
          new Message(
              Message.Role.ASSISTANT, thoughts, Message.ContentForm.LIST, Json.Obj.EMPTY, null);
      InferenceRequest request =
          responses("{" + ASK + "}").toBuilder().messages(List.of(made)).build();
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
  @DisplayName("says of reasoning")
  class Reasoning {
    private static Bodies.Sent said(String reasoning, ModelInfo.Reasoning model) {
      return sent(responses("{" + ASK + ",'reasoning':" + reasoning + "}"), model);
    }

    @Test
    @DisplayName("what the caller says, when the model can be told that")
    void kept() {
      String said = "{'effort':'low','summary':null,'mode':'pro'}";
      assertThat(said(said, efforts("low")).get("reasoning")).isEqualTo(value(said));
      assertThat(said(said, NONE).get("reasoning")).isEqualTo(value(said));
      assertThat(said("null", NONE).get("reasoning")).isEqualTo(Json.NULL);
      assertThat(said("{'effort':null}", NONE).get("reasoning"))
          .isEqualTo(value("{'effort':null}"));
    }

    @Test
    @DisplayName("an effort for what only the gateway knows")
    void rewritten() {
      var model = efforts("minimal", "low", "medium", "high");
      assertThat(said("{'enabled':true}", model).get("reasoning"))
          .isEqualTo(value("{'effort':'medium'}"));
      Bodies.Sent budget = said("{'max_tokens':5000,'summary':'auto'}", model);
      assertThat(budget.get("reasoning")).isEqualTo(value("{'summary':'auto','effort':'low'}"));
      assertThat(budget.lost()).containsExactly("reasoning.max_tokens CHANGED");
      Bodies.Sent off = said("{'enabled':false}", model);
      assertThat(off.get("reasoning")).isEqualTo(value("{'effort':'minimal'}"));
      assertThat(off.lost()).containsExactly("reasoning.effort CHANGED");
      assertThat(said("{'enabled':false}", efforts("none", "low")).get("reasoning"))
          .isEqualTo(value("{'effort':'none'}"));
    }

    @Proves("routing.variant.nearest-effort")
    @Test
    @DisplayName("the nearest effort the model knows, and a budget to one that takes no other")
    void nearest() {
      assertThat(said("{'effort':'xhigh'}", efforts("low", "high")).get("reasoning"))
          .isEqualTo(value("{'effort':'high'}"));
      var mandatory = new ModelInfo.Reasoning(true, List.of("none", "low"), false);
      assertThat(said("{'effort':'none'}", mandatory).get("reasoning"))
          .isEqualTo(value("{'effort':'low'}"));
      var budgets = new ModelInfo.Reasoning(false, List.of(), true);
      assertThat(said("{'effort':'low'}", budgets).get("reasoning"))
          .isEqualTo(value("{'max_tokens':6400}"));
      assertThat(said("{'max_tokens':5000}", budgets).get("reasoning"))
          .isEqualTo(value("{'max_tokens':5000}"));
    }

    @Test
    @DisplayName("nothing to an endpoint that takes none")
    void unsupported() {
      long without =
          Parameter.ALL & ~(Parameter.REASONING.bit() | Parameter.REASONING_EFFORT.bit());
      Bodies.Sent sent =
          sent(supporting(without), responses("{" + ASK + ",'reasoning':{'effort':'low'}}"));
      assertThat(sent.json()).isEqualTo(json("{" + ASK + ",'model':'their-name','store':false}"));
      assertThat(sent.lost()).containsExactly("reasoning DROPPED");
      assertThat(sent(supporting(without), responses("{" + ASK + ",'reasoning':null}")).lost())
          .isEmpty();
    }

    @Test
    @DisplayName("that it is wanted back encrypted, whenever there may be any")
    void include() {
      Json wanted = value("['reasoning.encrypted_content']");
      assertThat(said("{'effort':'low'}", NONE).get("include")).isEqualTo(wanted);
      assertThat(sent(responses("{" + ASK + "}"), efforts("low")).get("include")).isEqualTo(wanted);
      assertThat(said("{'effort':'none'}", NONE).get("include")).isNull();
      assertThat(said("{'effort':'low'},'include':null", NONE).get("include")).isEqualTo(wanted);
      assertThat(
              said("{'effort':'low'},'include':['file_search_call.results']", NONE).get("include"))
          .isEqualTo(value("['file_search_call.results','reasoning.encrypted_content']"));
      assertThat(leaving(",'include':null", "include")).isEqualTo(Json.NULL);
    }
  }

  @Test
  @DisplayName("names the end user by a hash, or not at all")
  void user() {
    InferenceRequest named = responses("{" + ASK + ",'user':'alice'}");
    assertThat(sent(endpoint(), named, 0, HASH, NONE).get("user")).isEqualTo(Json.of(HASH));
    assertThat(sent(endpoint(), named, 0, null, NONE).text()).doesNotContain("alice");
    InferenceRequest pairs = responses("{" + ASK + ",'metadata':{'user_id':'alice','k':'v'}}");
    Bodies.Sent sent = sent(endpoint(), pairs, 0, HASH, NONE);
    assertThat(sent.get("metadata")).isEqualTo(value("{'user_id':'" + HASH + "','k':'v'}"));
    assertThat(sent.get("user")).isNull();
    assertThat(sent(endpoint(), responses("{" + ASK + "}"), 0, HASH, NONE).get("user"))
        .isEqualTo(Json.of(HASH));
    InferenceRequest safe = responses("{" + ASK + ",'safety_identifier':'alice'}");
    sent = sent(endpoint(), safe, 0, HASH, NONE);
    assertThat(sent.get("safety_identifier")).isEqualTo(Json.of(HASH));
    assertThat(sent.get("user")).isNull();
    assertThat(sent(endpoint(), safe, 0, null, NONE).text()).doesNotContain("alice", "safety");
  }

  @ParameterizedTest
  @CsvSource({", 0, ", "50, 0, 50", "50, 20, 20", ", 20, 20", "null, 20, 20", "null, 0, null"})
  @DisplayName("limits the output by what the engine says, or else the caller")
  void limit(@Nullable String asked, int cap, @Nullable String limit) {
    String members = asked == null ? "" : ",'max_output_tokens':" + asked;
    Json said =
        sent(endpoint(), responses("{" + ASK + members + "}"), cap, null, NONE)
            .get("max_output_tokens");
    assertThat(said).isEqualTo(limit == null ? null : value(limit));
  }

  @Test
  @DisplayName("names the tier of the endpoint that was chosen, and none that has others")
  void tier() {
    assertThat(leaving(",'service_tier':'priority'", "service_tier")).isNull();
    assertThat(leaving(",'service_tier':'auto'", "service_tier")).isEqualTo(Json.of("auto"));
    var flex = endpoint().toBuilder().serviceTier("flex").build();
    assertThat(sent(flex, responses("{" + ASK + "}")).get("service_tier"))
        .isEqualTo(Json.of("flex"));
  }

  @Test
  @DisplayName("has no parameter the endpoint does not know")
  void parameters() {
    Endpoint bare = supporting(0);
    String members =
        ",'temperature':1,'top_logprobs':2,'top_k':3,'truncation':'auto',"
            + "'text':{'verbosity':'low','format':{'type':'json_object'}}";
    assertThat(sent(bare, responses("{" + ASK + members + "}")).json())
        .isEqualTo(json("{" + ASK + ",'truncation':'auto','model':'their-name','store':false}"));
    Endpoint terse = supporting(Parameter.VERBOSITY.bit());
    assertThat(sent(terse, responses("{" + ASK + members + "}")).get("text"))
        .isEqualTo(value("{'verbosity':'low'}"));
  }

  @Test
  @DisplayName("streams as the typed request says, with the options of a stream")
  void streams() {
    InferenceRequest asked =
        responses("{" + ASK + ",'stream':true,'stream_options':{'include_obfuscation':false}}");
    assertThat(sent(asked).get("stream_options")).isEqualTo(value("{'include_obfuscation':false}"));
    Json.Obj whole = sent(asked.toBuilder().streaming(false).build()).json();
    assertThat(whole.get("stream")).isEqualTo(Json.FALSE);
    assertThat(whole.has("stream_options")).isFalse();
  }
}
