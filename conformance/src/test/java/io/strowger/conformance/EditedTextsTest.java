package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.authentication.Caller;
import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.inference.Reply;
import io.strowger.core.json.JacksonCodec;
import io.strowger.simulated.Script;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.TextEditor;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.spi.routing.ModelRef;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A text that an editor removes from a request")
@Timeout(60)
class EditedTextsTest {
  private static final TextEditor REDACTOR = (text, kind) -> text.replace("SECRET", "[GONE]");

  private final DialectGateway gateway = new DialectGateway();

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  private static String body(DialectClient client) {
    String schema =
        "{'type':'object','properties':{'city':{'type':'string','description':'SECRET'}}}";
    return switch (client) {
      case CHAT ->
          """
          {'model':'a/b','messages':[{'role':'system','content':'SECRET'},{'role':'developer','content':'SECRET'},
           {'role':'user','name':'SECRET','content':[{'type':'text','text':'a SECRET b'},{'type':'text','text':'SEC'},{'type':'text','text':'RET'}]},
           {'role':'assistant','content':'SECRET','reasoning':'SECRET','tool_calls':[{'id':'c1','type':'function','function':{'name':'f','arguments':'{\\\\"city\\\\":\\\\"\\\\\\\\u0053ECRET\\\\"}'}}]},
           {'role':'tool','tool_call_id':'c1','content':'SECRET'},{'role':'user','content':'SECRET'}],
           'tools':[{'type':'function','function':{'name':'f','description':'SECRET','parameters':%s}}],
           'stop':['SECRET'],'prediction':{'type':'content','content':'SECRET'},'metadata':{'SECRET':'SECRET'}}\
          """
              .formatted(schema);
      case MESSAGES ->
          """
          {'model':'a/b','max_tokens':100,'system':[{'type':'text','text':'SECRET'}],'messages':[{'role':'user','content':[{'type':'text','text':'SECRET'},
           {'type':'document','title':'SECRET','context':'SECRET','source':{'type':'text','media_type':'text/plain','data':'SECRET'}}]},
           {'role':'assistant','content':[{'type':'thinking','thinking':'SECRET','signature':'c2ln'},{'type':'text','text':'SECRET'},
            {'type':'tool_use','id':'c1','name':'f','input':{'city':'SECRET'}}]},
           {'role':'user','content':[{'type':'tool_result','tool_use_id':'c1','content':[{'type':'text','text':'SECRET'}]},{'type':'text','text':'SECRET'}]}],
           'tools':[{'name':'f','description':'SECRET','input_schema':%s}],'stop_sequences':['SECRET']}\
          """
              .formatted(schema);
      case RESPONSES ->
          """
          {'model':'a/b','instructions':'SECRET','input':[{'role':'developer','content':'SECRET'},{'role':'user','content':[{'type':'input_text','text':'SECRET'}]},
           {'type':'message','id':'msg_1','role':'assistant','status':'completed','content':[{'type':'output_text','text':'SECRET','annotations':[]}]},
           {'type':'function_call','id':'fc_1','call_id':'c1','name':'f','arguments':'{\\\\"city\\\\":\\\\"SECRET\\\\"}'},
           {'type':'function_call_output','call_id':'c1','output':'SECRET'},{'role':'user','content':'SECRET'}],
           'tools':[{'type':'function','name':'f','description':'SECRET','parameters':%s}],'metadata':{'SECRET':'SECRET'}}\
          """
              .formatted(schema);
    };
  }

  private static InferenceRequest decoded(DialectClient client) throws MalformedJsonException {
    byte[] bytes =
        body(client).replace("\\\\\"", "\\\"").replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    var document = (Json.Obj) new JacksonCodec().parse(bytes);
    var problems = new Problems(10);
    InferenceRequest request =
        switch (client) {
          case CHAT -> new ChatDecoder((e, at, p) -> {}).decode(document, problems);
          case MESSAGES -> new MessagesDecoder((e, at, p) -> {}).decode(document, problems);
          case RESPONSES -> new ResponsesDecoder((e, at, p) -> {}).decode(document, problems);
        };
    assertThat(problems.list()).isEmpty();
    return request;
  }

  @ParameterizedTest
  @EnumSource(DialectClient.class)
  @DisplayName(
      "is in no body that an upstream of any dialect is sent, whatever the dialect of the request")
  void isNotSent(DialectClient client) throws MalformedJsonException {
    InferenceRequest request = decoded(client);
    assertThat(request.editTexts((text, kind) -> text)).isSameAs(request);
    InferenceRequest edited = request.editTexts(REDACTOR);
    Caller caller =
        gateway.gateway.authenticator().admit("Bearer " + Fixtures.APP_KEY, KeyRequirement.ANY);
    for (DialectUpstream upstream : DialectUpstream.values()) {
      gateway.upstream.script("large", Script.answer("Fine."));
      InferenceRequest modelRequest =
          edited.toBuilder().models(List.of(ModelRef.parse("acme/" + upstream.slug()))).build();
      Reply reply = gateway.gateway.inference().serve(caller, modelRequest, new Cancellation());
      assertThat(reply).isInstanceOf(Reply.Answered.class);
      try (Reply.MeteredAnswer begun = ((Reply.Answered) reply).answer()) {
        while (begun.next() != null) {
          // nothing to do
        }
      }
      assertThat(gateway.sent().toString())
          .as("%s", upstream)
          .contains("GONE")
          .doesNotContain("SECRET");
    }
  }
}
