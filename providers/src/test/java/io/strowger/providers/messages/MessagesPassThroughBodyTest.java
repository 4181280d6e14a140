package io.strowger.providers.messages;

import static io.strowger.providers.messages.MessagesTestRequest.HI;
import static io.strowger.providers.messages.MessagesTestRequest.messages;
import static io.strowger.providers.messages.MessagesTestRequest.messagesBody;
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

@DisplayName("A messages request is sent to a messages upstream")
class MessagesPassThroughBodyTest {
  @Proves("translation.fate.copied")
  @Test
  @DisplayName("byte for byte except for the model")
  void bytes() {
    String rest =
        "'max_tokens':5e1,'system':[ {'type':'text' ,'text':'\\u0053'} ],'temperature':1.0,"
            + "'messages':[ {'content' :'hi', 'role':'user'} ],'later':[1.50],"
            + "'tools':[ {'name':'t','input_schema':{'type':'object' }} ],"
            + "'tool_choice':{'type' :'auto'},'thinking':{'type':'adaptive' },'stream':true}";
    MessagesTestRequest request = messagesBody("{'model':'m'," + rest).reasoning(false, false);
    assertThat(request.written())
        .isEqualTo(
            "{'model':'their-name',"
                + rest.replace("[ {'name'", "[{'name'").replace("}} ],'tool_c", "}}],'tool_c"));
    assertThat(request.lost()).isEmpty();
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
  @DisplayName("with a changed message written again, and the bytes of the others")
  void oneChanged() {
    String other = HI.replace(":", " :");
    MessagesTestRequest request = messages("{ 'role':'user','content':'secret','x':1}, " + other);
    List<Message> messages = request.decoded().messages();
    Message redacted = messages.getFirst().withParts(List.of(new Part.Text("***")));
    assertThat(
            request
                .with(
                    request.decoded().toBuilder()
                        .messages(List.of(redacted, messages.get(1)))
                        .build())
                .member("messages"))
        .isEqualTo("[{'role':'user','content':'***','x':1}," + other + "]");
  }

  @Test
  @DisplayName("with system, limit and stream as a plugin set or removed them")
  void scalars() {
    MessagesTestRequest request = messages(HI);
    MessagesTestRequest set =
        request.with(
            request.decoded().toBuilder()
                .instructions(Message.text(Message.Role.SYSTEM, "s"))
                .maxOutputTokens(7)
                .streaming(true)
                .build());
    String written =
        "{'model':'their-name','messages':[" + HI + "],'system':'s','max_tokens':7,'stream':true}";
    assertThat(set.written()).isEqualTo(written);
    MessagesTestRequest withMembers = messagesBody(written);
    assertThat(
            withMembers
                .with(
                    withMembers.decoded().toBuilder()
                        .instructions(null)
                        .maxOutputTokens(0)
                        .streaming(false)
                        .build())
                .written())
        .isEqualTo(
            "{'model':'their-name','messages':[" + HI + "],'max_tokens':8000,'stream':false}");
  }

  @Test
  @DisplayName("with functions that a plugin added, each with a schema")
  void functions() {
    MessagesTestRequest request = messages(HI);
    List<Tool> tools =
        List.of(
            new Tool.Function(
                "f", null, null, MessagesTestRequest.json("{'defer_loading':true}"), null),
            new Tool.Function(
                "g", "d", MessagesTestRequest.json("{'type':'object'}"), Json.Obj.EMPTY, null));
    assertThat(request.with(request.decoded().toBuilder().tools(tools).build()).member("tools"))
        .isEqualTo(
            "[{'name':'f','input_schema':{'type':'object','properties':{}},'defer_loading':true},"
                + "{'name':'g','description':'d','input_schema':{'type':'object'}}]");
  }

  @Test
  @DisplayName("without members that make no sense without others")
  void dependent() {
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
  @DisplayName("with a limit, its end user as a hash, and the tier of the endpoint")
  void rewritten() {
    MessagesTestRequest request = messages(HI, "'metadata':{'user_id':'alice','x':'y'}").user("h1");
    assertThat(request.member("metadata")).isEqualTo("{'user_id':'h1','x':'y'}");
    assertThat(messages(HI, "'metadata':{'user_id':null}").member("metadata")).isEqualTo("absent");
    assertThat(request.member("max_tokens")).isEqualTo("8000");
    assertThat(request.cap(7).member("max_tokens")).isEqualTo("7");
    MessagesTestRequest priority = messages(HI, "'speed':'fast'");
    priority.endpoint(priority.endpoint().serviceTier("priority"));
    assertThat(priority.member("speed")).isEqualTo("'fast'");
    assertThat(priority.member("service_tier")).isEqualTo("'auto'");
  }

  @Test
  @DisplayName("without empty texts")
  void blocks() {
    MessagesTestRequest request =
        messages(
            HI
                + ",{'role':'assistant','content':["
                + "{'type':'text','text':''},{'type':'text','text':'ok'}]},"
                + "{'role':'user','content':[{'type':'text','text':''}]},"
                + HI);
    assertThat(request.member("messages"))
        .isEqualTo(
            "[" + HI + ",{'role':'assistant','content':[{'type':'text','text':'ok'}]}," + HI + "]");
  }

  @Test
  @DisplayName("without thoughts that are unsigned, or signed by another vendor")
  void thoughts() {
    MessagesTestRequest request =
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
    assertThat(request.member("messages"))
        .contains(
            "'content':[{'type':'thinking','thinking':'','signature':'c2ln'},"
                + "{'type':'redacted_thinking','data':'b3du'},{'type':'text'");
    assertThat(request.lost()).contains("-reasoning");
  }

  @Proves("routing.other.features")
  @Test
  @DisplayName("with strict tools only if the caller requested that feature")
  void strict() {
    MessagesTestRequest request =
        messages(HI, "'tools':[{'name':'t','input_schema':{'type':'object'},'strict':true}]");
    assertThat(request.member("tools"))
        .isEqualTo("[{'name':'t','input_schema':{'type':'object'}}]");
    MessagesTestRequest withFeature = request.features("structured-outputs-2025-11-13", "b");
    assertThat(withFeature.member("tools")).contains("'strict':true");
    assertThat(MessagesTestRequest.codec().headers(withFeature.call()))
        .isEqualTo(
            Map.of(
                "anthropic-version",
                "2023-06-01",
                "anthropic-beta",
                "structured-outputs-2025-11-13,b"));
  }

  @Test
  @DisplayName("with the tool choice none if it may not call tools")
  void noCalls() {
    MessagesTestRequest request =
        messages(HI, "'tools':[{'name':'t','input_schema':{'type':'object'}}]");
    assertThat(
            request
                .with(request.decoded().toBuilder().mayCallTools(false).build())
                .member("tool_choice"))
        .isEqualTo("{'type':'none'}");
  }

  @Proves("translation.case.23")
  @Test
  @DisplayName("Case 23: with a thinking budget below the cap")
  void budget() {
    MessagesTestRequest request =
        messages(HI, "'thinking':{'type':'enabled','budget_tokens':4000}").cap(2000);
    assertThat(request.member("thinking")).isEqualTo("{'type':'enabled','budget_tokens':1999}");
    assertThat(request.cap(1000).member("thinking")).isEqualTo("absent");
  }

  @Proves("translation.fate.dropped")
  @Test
  @DisplayName("without parameters that the endpoint lacks")
  void lacking() {
    MessagesTestRequest request =
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
    assertThat(request.written())
        .isEqualTo("{'model':'their-name','messages':[" + HI + "],'max_tokens':5}");
    assertThat(request.lost())
        .containsExactlyInAnyOrder("-temperature", "-stop_sequences", "-output_config.format");
  }
}
