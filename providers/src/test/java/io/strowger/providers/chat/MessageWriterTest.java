package io.strowger.providers.chat;

import static io.strowger.providers.chat.ChatFixtures.call;
import static io.strowger.providers.chat.ChatFixtures.json;
import static io.strowger.providers.chat.ChatFixtures.parsed;
import static io.strowger.providers.chat.ChatFixtures.request;
import static io.strowger.providers.chat.ChatFixtures.written;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A message that was changed is written")
class MessageWriterTest {
  private static final String MESSAGES = "'messages':[{'role':'user','content':'hi'}]";

  private Json.Obj sent(Message message) {
    InferenceRequest request = request("{" + MESSAGES + "}");
    Json.Obj body = parsed(written(call(request.toBuilder().messages(List.of(message)).build())));
    return (Json.Obj) Objects.requireNonNull(body.list("messages")).get(0);
  }

  private Message read(String message) {
    return request("{'messages':[" + message + "]}").messages().get(0);
  }

  @Test
  @DisplayName("with its content as a string if it was one")
  void string() {
    Message message = read("{'role':'user','content':'old','name':'n'}");
    assertThat(sent(message.withParts(List.of(new Part.Text("new")))))
        .isEqualTo(json("{'role':'user','content':'new','name':'n'}"));
  }

  @Test
  @DisplayName("with each member once, even if the caller sent an empty one beside its content")
  void emptyBesideDetails() {
    String detail = "{'type':'reasoning.text','text':'t'}";
    Message message =
        read(
            "{'role':'assistant','content':'c','reasoning':'','refusal':'','tool_calls':[],"
                + "'reasoning_details':["
                + detail
                + "]}");
    var parts = new ArrayList<>(message.parts());
    parts.add(new Part.Refusal(Json.of("no"), null));
    parts.add(
        new Part.ToolCall("id", "f", new Arguments.Text(Json.of("{}")), Json.Obj.EMPTY, null));
    Json.Obj sent = sent(message.withParts(parts));
    assertThat(sent.list("reasoning_details")).containsExactly(json(detail));
    assertThat(sent.has("reasoning")).isFalse();
    assertThat(sent.text("refusal")).isEqualTo("no");
    assertThat(sent.list("tool_calls")).hasSize(1);
  }

  @Test
  @DisplayName("with the original bytes of its unchanged parts")
  void parts() {
    Message message =
        read(
            "{'role':'user','content':[{'type':'text','text':'old'},{ 'type':'image_url',"
                + "'image_url':{'url':'http://i','detail':'low'}}]}");
    var parts = new ArrayList<>(message.parts());
    parts.set(0, ((Part.Text) parts.get(0)).withText("new"));
    InferenceRequest request = request("{" + MESSAGES + "}");
    Message changed = message.withParts(parts);
    assertThat(written(call(request.toBuilder().messages(List.of(changed)).build())))
        .contains("{ \"type\":\"image_url\"")
        .contains("\"new\"")
        .doesNotContain("old");
  }

  @Test
  @DisplayName("with every kind of part from its fields, with unknown members kept")
  void everyPart() {
    String content =
        "[{'type':'text','text':'t','cache_control':{'type':'ephemeral'}},"
            + "{'type':'image_url','image_url':{'url':'https://u','detail':'low'},'x':1},"
            + "{'type':'input_audio','input_audio':{'data':'AA','format':'wav','y':2}},"
            + "{'type':'video_url','video_url':{'url':'https://v'}},"
            + "{'type':'file','file':{'file_id':'f'}}]";
    Message message = read("{'role':'user','content':" + content + "}");
    List<Part> bare = message.parts().stream().map(MessageWriterTest::withoutSource).toList();
    assertThat(sent(message.withParts(bare)).get("content"))
        .isEqualTo(json("{'c':" + content + "}").get("c"));
  }

  private static Part withoutSource(Part part) {
    return switch (part) {
      case Part.Text p -> new Part.Text(p.text(), p.extras(), null);
      case Part.Image p -> new Part.Image(p.media(), p.extras(), null);
      case Part.Audio p -> new Part.Audio(p.data(), p.format(), p.extras(), null);
      case Part.Video p -> new Part.Video(p.url(), p.extras(), null);
      case Part.File p -> new Part.File(p.file(), p.extras(), null);
      case Part.ToolCall p -> new Part.ToolCall(p.id(), p.name(), p.arguments(), p.extras(), null);
      case Part.ToolResult p -> p;
      case Part.Thinking p -> p;
      case Part.Refusal p -> p;
      case Part.Citation p -> p;
      case Part.Logprobs p -> p;
      case Part.ServerToolRun p -> p;
      case Part.Unknown p -> p;
    };
  }

  @Test
  @DisplayName("with its tool calls after its content")
  void toolCalls() {
    String calls =
        "[{'id':'c1','type':'function','function':{'name':'f','arguments':'{}','x':1},'y':2}]";
    Message message =
        read("{'role':'assistant','content':'old','tool_calls':" + calls + ",'refusal':null}");
    List<Part> parts = List.of(new Part.Text("new"), withoutSource(message.parts().get(1)));
    assertThat(sent(message.withParts(parts)))
        .isEqualTo(
            json("{'role':'assistant','content':'new','refusal':null,'tool_calls':" + calls + "}"));
  }

  @Test
  @DisplayName("with its thoughts in order, each with its signature, and its refusal")
  void thoughts() {
    Part signed =
        new Part.Thinking(
            Part.Thinking.Kind.TEXT,
            Json.of(""),
            Json.of("s"),
            "anthropic-claude-v1",
            null,
            json("{'index':0}"),
            null);
    Part encrypted =
        new Part.Thinking(
            Part.Thinking.Kind.ENCRYPTED, Json.of("d"), null, null, "c1", json("{}"), null);
    Message message = read("{'role':'assistant','content':'old'}");
    assertThat(
            sent(
                message.withParts(
                    List.of(
                        encrypted,
                        signed,
                        new Part.Text("new"),
                        new Part.Refusal(Json.of("no"), null)))))
        .isEqualTo(
            json(
                "{'role':'assistant','content':'new','refusal':'no','reasoning_details':["
                    + "{'type':'reasoning.encrypted','data':'d','id':'c1'},"
                    + "{'type':'reasoning.text','text':'','signature':'s',"
                    + "'format':'anthropic-claude-v1','index':0}]}"));
  }

  @Test
  @DisplayName("with a single unsigned thought as plain reasoning")
  void plainThought() {
    Message message = read("{'role':'assistant','content':null}");
    Part thought = new Part.Thinking(Json.of("hm"), null, json("{}"), null);
    assertThat(sent(message.withParts(List.of(thought))))
        .isEqualTo(json("{'role':'assistant','content':null,'reasoning':'hm'}"));
  }

  @Test
  @DisplayName("with a tool's result, as a string or in parts")
  void toolResults() {
    Message plain = read("{'role':'tool','tool_call_id':'c1','content':'old'}");
    var changed = new Part.ToolResult("c1", List.of(new Part.Text("new")), true);
    assertThat(sent(plain.withParts(List.of(changed))))
        .isEqualTo(json("{'role':'tool','tool_call_id':'c1','content':'new'}"));
    var parts = new Part.ToolResult("c1", List.of(new Part.Text("new")), false);
    assertThat(sent(plain.withParts(List.of(parts))).get("content"))
        .isEqualTo(json("{'c':[{'type':'text','text':'new'}]}").get("c"));
  }

  @Test
  @DisplayName("with null, absent or empty content unchanged")
  void noContent() {
    Message nothing =
        new Message(
            Message.Role.ASSISTANT, List.of(), Message.ContentForm.NULL, Json.Obj.EMPTY, null);
    assertThat(sent(nothing)).isEqualTo(json("{'role':'assistant','content':null}"));
    Message absent =
        new Message(
            Message.Role.ASSISTANT, List.of(), Message.ContentForm.ABSENT, Json.Obj.EMPTY, null);
    assertThat(sent(absent)).isEqualTo(json("{'role':'assistant'}"));
    Message empty =
        new Message(Message.Role.USER, List.of(), Message.ContentForm.STRING, Json.Obj.EMPTY, null);
    assertThat(sent(empty)).isEqualTo(json("{'role':'user','content':''}"));
  }
}
