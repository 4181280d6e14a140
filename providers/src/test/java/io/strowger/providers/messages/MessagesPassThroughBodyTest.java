package io.strowger.providers.messages;

import static io.strowger.providers.messages.Asked.HI;
import static io.strowger.providers.messages.Asked.messages;
import static io.strowger.providers.messages.Asked.messagesBody;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A messages request leaves to a messages upstream")
class MessagesPassThroughBodyTest {
  @Proves("translation.fate.copied")
  @Test
  @DisplayName("byte for byte but for the model")
  void bytes() {
    String rest =
        "'max_tokens':5e1,'system':[ {'type':'text' ,'text':'\\u0053'} ],'temperature':1.0,"
            + "'messages':[ {'content' :'hi', 'role':'user'} ],'later':[1.50],"
            + "'tools':[ {'name':'t','input_schema':{'type':'object' }} ],"
            + "'tool_choice':{'type' :'auto'},'thinking':{'type':'adaptive' },'stream':true}";
    Asked asked = messagesBody("{'model':'m'," + rest).reasoning(false, false);
    assertThat(asked.written())
        .isEqualTo(
            "{'model':'their-name',"
                + rest.replace("[ {'name'", "[{'name'").replace("}} ],'tool_c", "}}],'tool_c"));
    assertThat(asked.lost()).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("byte for byte, whatever members it has and in whatever order")
  @ValueSource(
      strings = {
        "'messages':[ {'content' : '\\u0068i', 'role':'user'} ],'max_tokens':5e1",
        "'later':[1.50],'max_tokens':5,'messages':[{'role':'user','content':'hi'}],'stream':false",
        "'max_tokens':5,'messages':[{'role':'user','content':'hi'}],'system':'\\u0061'",
        "'system':[ ],'stream':true,'max_tokens':5,'messages':[{'role':'user','content':'hi'}]"
      })
  void members(String rest) {
    assertThat(messagesBody("{'model':'m'," + rest + "}").written())
        .isEqualTo("{'model':'their-name'," + rest + "}");
  }

  @Test
  @DisplayName("with one message as changed, while the others keep their bytes")
  void oneChanged() {
    String other = HI.replace(":", " :");
    Asked asked = messages("{ 'role':'user','content':'secret','x':1}, " + other);
    List<Message> messages = asked.request().messages();
    Message redacted = messages.getFirst().withParts(List.of(new Part.Text("***")));
    assertThat(
            asked
                .with(
                    asked.request().toBuilder()
                        .messages(List.of(redacted, messages.get(1)))
                        .build())
                .member("messages"))
        .isEqualTo("[{'role':'user','content':'***','x':1}," + other + "]");
  }

  @Test
  @DisplayName("with system, limit and stream as they are set, changed and taken away")
  void scalars() {
    Asked asked = messages(HI);
    Asked set =
        asked.with(
            asked.request().toBuilder()
                .instructions(Message.text(Message.Role.SYSTEM, "s"))
                .maxOutputTokens(7)
                .streaming(true)
                .build());
    String written =
        "{'model':'their-name','messages':[" + HI + "],'system':'s','max_tokens':7,'stream':true}";
    assertThat(set.written()).isEqualTo(written);
    Asked said = messagesBody(written);
    assertThat(
            said.with(
                    said.request().toBuilder()
                        .instructions(null)
                        .maxOutputTokens(0)
                        .streaming(false)
                        .build())
                .written())
        .isEqualTo(
            "{'model':'their-name','messages':[" + HI + "],'max_tokens':8000,'stream':false}");
  }

  @Test
  @DisplayName("with functions that are made here, each with a schema")
  void functions() {
    Asked asked = messages(HI);
    List<Tool> tools =
        List.of(
            new Tool.Function("f", null, null, Asked.json("{'defer_loading':true}"), null),
            new Tool.Function("g", "d", Asked.json("{'type':'object'}"), Json.Obj.EMPTY, null));
    assertThat(asked.with(asked.request().toBuilder().tools(tools).build()).member("tools"))
        .isEqualTo(
            "[{'name':'f','input_schema':{'type':'object','properties':{}},'defer_loading':true},"
                + "{'name':'g','description':'d','input_schema':{'type':'object'}}]");
  }

  @Test
  @DisplayName("without what is of no use without another")
  void useless() {
    assertThat(
            messages(
                    HI,
                    "'max_tokens':5",
                    "'speed':'fast'",
                    "'tools':[{'type':'router:datetime'}]",
                    "'tool_choice':{'type':'auto'}")
                .written())
        .isEqualTo("{'model':'their-name','messages':[" + HI + "],'max_tokens':5}");
  }

  @Test
  @DisplayName("with its limit, its end user as a hash, and its tier as routed")
  void rewritten() {
    Asked asked = messages(HI, "'metadata':{'user_id':'alice','x':'y'}").user("h1");
    assertThat(asked.member("metadata")).isEqualTo("{'user_id':'h1','x':'y'}");
    assertThat(messages(HI, "'metadata':{'user_id':null}").member("metadata")).isEqualTo("absent");
    assertThat(asked.member("max_tokens")).isEqualTo("8000");
    assertThat(asked.cap(7).member("max_tokens")).isEqualTo("7");
    Asked dear = messages(HI, "'speed':'fast'");
    dear.endpoint(dear.endpoint().serviceTier("priority"));
    assertThat(dear.member("speed")).isEqualTo("'fast'");
    assertThat(dear.member("service_tier")).isEqualTo("'auto'");
  }

  @Test
  @DisplayName("without texts that are empty")
  void blocks() {
    Asked asked =
        messages(
            HI
                + ",{'role':'assistant','content':["
                + "{'type':'text','text':''},{'type':'text','text':'ok'}]},"
                + "{'role':'user','content':[{'type':'text','text':''}]},"
                + HI);
    assertThat(asked.member("messages"))
        .isEqualTo(
            "[" + HI + ",{'role':'assistant','content':[{'type':'text','text':'ok'}]}," + HI + "]");
  }

  @Test
  @DisplayName("without thoughts that are unsigned, or signed by another vendor")
  void thoughts() {
    Asked asked =
        messages(
            HI
                + ",{'role':'assistant','content':["
                + "{'type':'thinking','thinking':'a','signature':''},"
                + "{'type':'thinking','thinking':'b','signature':'openai-responses-v1:rs:x'},"
                + "{'type':'redacted_thinking','data':'google-gemini-v1::x'},"
                + "{'type':'thinking','thinking':'','signature':'c2ln'},"
                + "{'type':'redacted_thinking','data':'b3du'},"
                + "{'type':'text','text':'ok'}]},"
                + HI);
    assertThat(asked.member("messages"))
        .contains(
            "'content':[{'type':'thinking','thinking':'','signature':'c2ln'},"
                + "{'type':'redacted_thinking','data':'b3du'},{'type':'text'");
    assertThat(asked.lost()).contains("-reasoning");
  }

  @Proves("routing.other.features")
  @Test
  @DisplayName("with strict on tools only when the caller asked for the feature")
  void strict() {
    Asked asked =
        messages(HI, "'tools':[{'name':'t','input_schema':{'type':'object'},'strict':true}]");
    assertThat(asked.member("tools")).isEqualTo("[{'name':'t','input_schema':{'type':'object'}}]");
    Asked wanting = asked.features("structured-outputs-2025-11-13", "b");
    assertThat(wanting.member("tools")).contains("'strict':true");
    assertThat(Asked.wire().headers(wanting.call()))
        .isEqualTo(
            Map.of(
                "anthropic-version",
                "2023-06-01",
                "anthropic-beta",
                "structured-outputs-2025-11-13,b"));
  }

  @Test
  @DisplayName("told that no tool may be called when it may call none")
  void noCalls() {
    Asked asked = messages(HI, "'tools':[{'name':'t','input_schema':{'type':'object'}}]");
    assertThat(
            asked
                .with(asked.request().toBuilder().mayCallTools(false).build())
                .member("tool_choice"))
        .isEqualTo("{'type':'none'}");
  }

  @Proves("translation.case.23")
  @Test
  @DisplayName("Case 23: with a budget that fits a cap")
  void budget() {
    Asked asked = messages(HI, "'thinking':{'type':'enabled','budget_tokens':4000}").cap(2000);
    assertThat(asked.member("thinking")).isEqualTo("{'type':'enabled','budget_tokens':1999}");
    assertThat(asked.cap(1000).member("thinking")).isEqualTo("absent");
  }

  @Proves("translation.fate.dropped")
  @Test
  @DisplayName("without what the endpoint lacks")
  void lacking() {
    Asked asked =
        messages(
                HI,
                "'max_tokens':5",
                "'temperature':1",
                "'stop_sequences':['a']",
                "'output_config':{'format':{'type':'json_schema','schema':{}}}")
            .lacking(
                Parameter.TEMPERATURE,
                Parameter.STOP,
                Parameter.STRUCTURED_OUTPUTS,
                Parameter.RESPONSE_FORMAT);
    assertThat(asked.written())
        .isEqualTo("{'model':'their-name','messages':[" + HI + "],'max_tokens':5}");
    assertThat(asked.lost())
        .containsExactlyInAnyOrder("-temperature", "-stop_sequences", "-output_config.format");
  }
}
