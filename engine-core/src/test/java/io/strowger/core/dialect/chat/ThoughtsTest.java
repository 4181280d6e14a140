package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.ChatRequestBodies.chatOf;
import static io.strowger.core.dialect.chat.ChatRequestBodies.decode;
import static io.strowger.core.dialect.chat.ChatRequestBodies.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Part.Thinking.Kind;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A model's reasoning in a chat message")
class ThoughtsTest {
  private static Message assistantMessage(String members) {
    return decode(chatOf("{'role':'assistant'," + members + "}")).messages().getFirst();
  }

  private static Part.Thinking plain(String text) {
    return new Part.Thinking(Json.of(text), null, Json.Obj.EMPTY, null);
  }

  private static Part firstPart(String detail) {
    return assistantMessage("'reasoning_details':[" + detail + "]").parts().getFirst();
  }

  @Test
  @DisplayName("becomes a part for each item, with the kind, the format and the id of the item")
  void kinds() {
    String text =
        "{'type':'reasoning.text','text':'t','signature':'s','format':'anthropic-claude-v1',"
            + "'index':0}";
    String summary = "{'type':'reasoning.summary','summary':'u','id':'i','format':'unknown'}";
    String encrypted =
        "{'type':'reasoning.encrypted','data':'d','id':'call','format':'google-gemini-v1'}";

    assertThat(firstPart(text))
        .isEqualTo(
            new Part.Thinking(
                Kind.TEXT,
                Json.of("t"),
                Json.of("s"),
                "anthropic-claude-v1",
                null,
                json("{'index':0}"),
                json(text)));
    assertThat(firstPart(summary))
        .isEqualTo(
            new Part.Thinking(
                Kind.SUMMARY, Json.of("u"), null, null, "i", Json.Obj.EMPTY, json(summary)));
    assertThat(firstPart(encrypted))
        .isEqualTo(
            new Part.Thinking(
                Kind.ENCRYPTED,
                Json.of("d"),
                null,
                "google-gemini-v1",
                "call",
                Json.Obj.EMPTY,
                json(encrypted)));
  }

  @Test
  @DisplayName("Case 5: is kept when it is signed but empty")
  void signedEmpty() {
    var thought =
        (Part.Thinking)
            firstPart("{'type':'reasoning.text','text':null,'signature':'s','id':null}");

    assertThat(thought.text().isEmpty()).isTrue();
    assertThat(thought.signature()).isEqualTo(Json.of("s"));
  }

  @Proves("chat.message.reasoning.server_tool_call")
  @Test
  @DisplayName("may include the run of a tool of the gateway")
  void serverTool() {
    String run =
        "{'type':'reasoning.server_tool_call','tool_name':'n','arguments':'{}','result':{'x':1},"
            + "'tool_call_id':'c'}";

    assertThat(firstPart(run))
        .isEqualTo(
            new Part.ServerToolRun(
                "c", "n", new Arguments.Text(Json.of("{}")), json("{'x':1}"), json(run)));
    assertThat(
            firstPart(
                "{'type':'reasoning.server_tool_call','tool_name':'n','arguments':{},'result':1}"))
        .isInstanceOfSatisfying(
            Part.ServerToolRun.class,
            toolRun -> {
              assertThat(toolRun.callId()).isEmpty();
              assertThat(toolRun.arguments()).isEqualTo(new Arguments.Value(Json.Obj.EMPTY));
            });
  }

  @Test
  @DisplayName("Cases 6 and 22: comes first and in order, before text, refusal and calls")
  void order() {
    Message message =
        assistantMessage(
            "'tool_calls':[{'id':'1','type':'function','function':{'name':'f','arguments':''}}],"
                + "'refusal':'no','content':'text','name':'n','reasoning_details':["
                + "{'type':'reasoning.encrypted','data':'a'},{'type':'reasoning.text','text':'b'},"
                + "{'type':'reasoning.encrypted','data':'c'}]");

    assertThat(message.parts())
        .extracting(part -> (Object) part.getClass())
        .containsExactly(
            Part.Thinking.class,
            Part.Thinking.class,
            Part.Thinking.class,
            Part.Text.class,
            Part.Refusal.class,
            Part.ToolCall.class);
    assertThat(message.parts().subList(0, 3))
        .extracting(part -> ((Part.Thinking) part).text().text())
        .containsExactly("a", "b", "c");
    assertThat(message.extras()).isEqualTo(json("{'name':'n'}"));
    assertThat(message.contentForm()).isEqualTo(Message.ContentForm.STRING);
  }

  @Test
  @DisplayName("is one part made from the plain text when there are no items")
  void plainText() {
    Message message = assistantMessage("'content':null,'reasoning':'hm','reasoning_details':[]");

    assertThat(message.parts()).containsExactly(plain("hm"));
    assertThat(message.extras()).isEqualTo(json("{'reasoning_details':[]}"));
    assertThat(message.contentForm()).isEqualTo(Message.ContentForm.NULL);
  }

  @Test
  @DisplayName("is not read twice when the plain text repeats the items")
  void repeated() {
    Message message =
        assistantMessage(
            "'reasoning':'hm','reasoning_details':[{'type':'reasoning.summary','summary':'hm'}]");

    assertThat(message.parts()).hasSize(1);
    assertThat(message.extras()).isEqualTo(Json.Obj.EMPTY);
  }

  @Test
  @DisplayName("is read from both when the items are only encrypted")
  void beside() {
    Message message =
        assistantMessage(
            "'reasoning':'hm','reasoning_details':[{'type':'reasoning.encrypted','data':'d'}]");

    assertThat(message.parts()).hasSize(2).first().isEqualTo(plain("hm"));
  }

  @Test
  @DisplayName("is no part where the members are empty, which are kept as extras")
  void nothing() {
    String members = "'content':'x','reasoning':'','refusal':null,'reasoning_details':[]";
    Message message = assistantMessage(members);

    assertThat(message.parts()).hasSize(1);
    assertThat(message.extras())
        .isEqualTo(json("{'reasoning':'','refusal':null,'reasoning_details':[]}"));
  }
}
