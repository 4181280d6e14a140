package io.strowger.providers.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.ContentForm;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.spi.routing.ModelRef;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The document of a responses request")
class ResponsesRequestWriterTest {
  private static InferenceRequest request(String text) {
    try {
      byte[] bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
      var problems = new Problems();
      InferenceRequest request =
          new ResponsesDecoder((entry, at, found) -> {})
              .decode((Json.Obj) new JacksonCodec().parse(bytes), problems);
      problems.throwIfAny();
      return request;
    } catch (MalformedJsonException malformed) {
      throw new AssertionError(text, malformed);
    }
  }

  private static String written(InferenceRequest.Builder request) {
    return written(request.build());
  }

  private static String written(InferenceRequest request) {
    byte[] bytes = ResponsesRequestWriter.document(request).toBytes();
    return new String(bytes, StandardCharsets.UTF_8).replace('"', '\'');
  }

  private static String writtenFrom(Message... messages) {
    return written(
        request("{'input':[{'role':'user','content':''}]}").toBuilder()
            .messages(List.of(messages)));
  }

  private static Message message(Role role, Part... parts) {
    return new Message(role, List.of(parts), ContentForm.LIST, Json.Obj.EMPTY, null);
  }

  @Test
  @DisplayName("has the caller's members in the caller's order, each with its original bytes")
  void unchanged() {
    String document =
        "{'x':[1,  2],'stream':false,'models':['a', 'b'],'input':[ {'role':'user', 'content':'h'},"
            + " {'type':'reasoning','id':'r','summary':[ ]}],'instructions':null,'model':'c',"
            + "'tools':[ {'type':'shell'} ],'max_output_tokens':16.0,'plugins':[ ],'user':'u',"
            + "'provider':{ 'order':['p'] },'session_id':'s'}";
    assertThat(written(request(document))).isEqualTo(document);
  }

  @Test
  @DisplayName("is made only from a request in the responses dialect")
  void otherDialect() {
    InferenceRequest chat = InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY).build();
    assertThatThrownBy(() -> ResponsesRequestWriter.document(chat))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the request must be in the responses dialect, was in CHAT");
  }

  @Nested
  @DisplayName("follows the typed request in its")
  class Members {
    @Test
    @DisplayName("models, at the position of the first of both members")
    void models() {
      InferenceRequest request = request("{'models':['b','a'],'input':'i','model':'a'}");
      assertThat(written(request)).isEqualTo("{'models':['b','a'],'input':'i','model':'a'}");
      assertThat(written(request.toBuilder().models(List.of(ModelRef.parse("z:free")))))
          .isEqualTo("{'model':'z:free','input':'i'}");
      assertThat(
              written(
                  request.toBuilder().models(List.of(ModelRef.parse("y"), ModelRef.parse("z")))))
          .isEqualTo("{'model':'y','models':['z'],'input':'i'}");
      assertThat(written(request.toBuilder().models(List.of()))).isEqualTo("{'input':'i'}");
    }

    @Test
    @DisplayName("token limit")
    void limit() {
      InferenceRequest request = request("{'max_output_tokens':null,'input':'i'}");
      assertThat(written(request)).isEqualTo("{'max_output_tokens':null,'input':'i'}");
      assertThat(written(request.toBuilder().maxOutputTokens(9)))
          .isEqualTo("{'max_output_tokens':9,'input':'i'}");
      assertThat(written(request("{'input':'i'}").toBuilder().maxOutputTokens(9)))
          .isEqualTo("{'input':'i','max_output_tokens':9}");
      assertThat(
              written(
                  request("{'input':'i','max_output_tokens':9}").toBuilder().maxOutputTokens(0)))
          .isEqualTo("{'input':'i'}");
    }

    @Test
    @DisplayName("streaming, session and user")
    void scalars() {
      InferenceRequest request = request("{'input':'i','user':'u','stream':true}");
      assertThat(written(request.toBuilder().streaming(false).user("v").sessionId("s")))
          .isEqualTo("{'input':'i','user':'v','stream':false,'session_id':'s'}");
      assertThat(written(request.toBuilder().user(null))).isEqualTo("{'input':'i','stream':true}");
      assertThat(written(request("{'input':'i'}").toBuilder().streaming(true)))
          .isEqualTo("{'input':'i','stream':true}");
    }

    @Test
    @DisplayName("instructions, as one string")
    void instructions() {
      InferenceRequest request = request("{'instructions':'old','input':'i'}");
      assertThat(written(request.toBuilder().instructions(null))).isEqualTo("{'input':'i'}");
      assertThat(written(request.toBuilder().instructions(Message.text(Role.SYSTEM, "new"))))
          .isEqualTo("{'instructions':'new','input':'i'}");
      assertThat(
              written(
                  request.toBuilder()
                      .instructions(message(Role.SYSTEM, new Part.Text("a"), new Part.Text("b")))))
          .isEqualTo("{'instructions':'a\\n\\nb','input':'i'}");
    }

    @Test
    @DisplayName("tools and plugins")
    void lists() {
      InferenceRequest request =
          request("{'input':'i','tools':[{'type':'shell'} , {'type':'mcp' }],'plugins':[]}");
      var tools = new ArrayList<Tool>(request.tools());
      tools.set(
          0, new Tool.Function("f", "d", null, Json.object().put("strict", true).build(), null));
      assertThat(written(request.toBuilder().tools(tools)))
          .isEqualTo(
              "{'input':'i','tools':[{'type':'function','name':'f','description':'d',"
                  + "'parameters':null,'strict':true},{'type':'mcp' }],'plugins':[]}");
      assertThat(written(request.toBuilder().tools(List.of())))
          .isEqualTo("{'input':'i','plugins':[]}");
      var server = new Tool.Server("router:datetime", Json.Obj.EMPTY, null);
      assertThat(written(request("{'input':'i'}").toBuilder().tools(List.of(server))))
          .isEqualTo("{'input':'i','tools':[{'type':'router:datetime'}]}");
    }
  }

  @Nested
  @DisplayName("has an input that")
  class Input {
    @Test
    @DisplayName("is a string for one text of one user, and a list otherwise")
    void prompt() {
      InferenceRequest request = request("{'input':'old'}");
      Message first = request.messages().get(0);
      Message changed = first.withParts(List.of(new Part.Text("new")));
      assertThat(written(request.toBuilder().messages(List.of(changed))))
          .isEqualTo("{'input':'new'}");
      assertThat(
              written(
                  request.toBuilder().messages(List.of(Message.text(Role.SYSTEM, "first"), first))))
          .isEqualTo(
              "{'input':[{'role':'system','content':'first'},{'role':'user','content':'old'}]}");
    }

    @Test
    @DisplayName("never has the original text of a changed message")
    void changed() {
      InferenceRequest request =
          request(
              "{'input':[{'type':'message','role':'user','id':'i','content':["
                  + "{'type':'input_text','text':'OLD','x':1},{'type':'input_image', "
                  + "'file_id':'f'}]},{ 'type':'tomorrow' }]}");
      var messages = new ArrayList<>(request.messages());
      Message first = messages.get(0);
      var parts = new ArrayList<>(first.parts());
      parts.set(0, ((Part.Text) parts.get(0)).withText("NEW"));
      messages.set(0, first.withParts(parts));
      messages.set(1, messages.get(1).withParts(messages.get(1).parts()));
      assertThat(written(request.toBuilder().messages(messages)))
          .isEqualTo(
              "{'input':[{'type':'message','role':'user','content':["
                  + "{'type':'input_text','text':'NEW','x':1},{'type':'input_image', "
                  + "'file_id':'f'}],'id':'i'},{ 'type':'tomorrow' }]}");
    }

    @Test
    @DisplayName("has separate items for the calls, results and thoughts of a message")
    void several() {
      assertThat(
              writtenFrom(
                  message(
                      Role.ASSISTANT,
                      new Part.Thinking(Json.of("hm"), Json.of("sig"), Json.Obj.EMPTY, null),
                      new Part.Text("so"),
                      new Part.ToolCall("c", "f", Json.of("{}"), Json.Obj.EMPTY, null)),
                  new Message(
                      Role.TOOL,
                      List.of(new Part.ToolResult("c", List.of(new Part.Text("r")), true)),
                      ContentForm.ABSENT,
                      Json.Obj.EMPTY,
                      null)))
          .isEqualTo(
              "{'input':[{'type':'reasoning','summary':[],'content':[{'type':'reasoning_text',"
                  + "'text':'hm'}],'signature':'sig'},{'role':'assistant','content':["
                  + "{'type':'output_text','text':'so'}]},{'type':'function_call','call_id':'c',"
                  + "'name':'f','arguments':'{}'},{'type':'function_call_output','call_id':'c',"
                  + "'output':'r'}]}");
    }

    @Test
    @DisplayName("has a message even without content")
    void empty() {
      assertThat(writtenFrom(message(Role.USER)))
          .isEqualTo("{'input':[{'role':'user','content':[]}]}");
      assertThat(
              writtenFrom(
                  new Message(Role.USER, List.of(), ContentForm.STRING, Json.Obj.EMPTY, null)))
          .isEqualTo("{'input':[{'role':'user','content':''}]}");
    }

    @Test
    @DisplayName("has every kind of part")
    void parts() {
      Json.Obj none = Json.Obj.EMPTY;
      assertThat(
              writtenFrom(
                  message(
                      Role.USER,
                      new Part.Image(new Media.Inline("image/png", Json.of("QQ==")), none, null),
                      new Part.Image(new Media.FileId("f"), none, null),
                      new Part.Audio(Json.of("QQ=="), "wav", none, null),
                      new Part.Video(Json.of("v"), none, null),
                      new Part.File(Json.object().put("file_id", "f").build(), none, null))))
          .isEqualTo(
              "{'input':[{'role':'user','content':["
                  + "{'type':'input_image','image_url':'data:image/png;base64,QQ=='},"
                  + "{'type':'input_image','file_id':'f'},"
                  + "{'type':'input_audio','input_audio':{'data':'QQ==','format':'wav'}},"
                  + "{'type':'input_video','video_url':'v'},"
                  + "{'type':'input_file','file_id':'f'}]}]}");
    }
  }
}
