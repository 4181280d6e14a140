package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.Documents.chatOf;
import static io.strowger.core.dialect.chat.Documents.good;
import static io.strowger.core.dialect.chat.Documents.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Part.Thinking.Kind;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Messages: what a model thought")
class ThoughtsTest {
  private static Message said(String members) {
    return good(chatOf("{'role':'assistant'," + members + "}")).messages().getFirst();
  }

  private static Part.Thinking plain(String text) {
    return new Part.Thinking(Json.of(text), null, Json.Obj.EMPTY, null);
  }

  private static Part first(String detail) {
    return said("'reasoning_details':[" + detail + "]").parts().getFirst();
  }

  @Test
  @DisplayName("is a thought for each kind of item, with whose it is and what it hangs on")
  void kinds() {
    String text =
        "{'type':'reasoning.text','text':'t','signature':'s','format':'anthropic-claude-v1',"
            + "'index':0}";
    String summary = "{'type':'reasoning.summary','summary':'u','id':'i','format':'unknown'}";
    String encrypted =
        "{'type':'reasoning.encrypted','data':'d','id':'call','format':'google-gemini-v1'}";

    assertThat(first(text))
        .isEqualTo(
            new Part.Thinking(
                Kind.TEXT,
                Json.of("t"),
                Json.of("s"),
                "anthropic-claude-v1",
                null,
                json("{'index':0}"),
                json(text)));
    assertThat(first(summary))
        .isEqualTo(
            new Part.Thinking(
                Kind.SUMMARY, Json.of("u"), null, null, "i", Json.Obj.EMPTY, json(summary)));
    assertThat(first(encrypted))
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
  @DisplayName("Case 5: is kept when it is signed and says nothing")
  void signedEmpty() {
    var thought =
        (Part.Thinking) first("{'type':'reasoning.text','text':null,'signature':'s','id':null}");

    assertThat(thought.text().isEmpty()).isTrue();
    assertThat(thought.signature()).isEqualTo(Json.of("s"));
  }

  @Proves("chat.message.reasoning.server_tool_call")
  @Test
  @DisplayName("may be that a tool of the gateway ran")
  void serverTool() {
    String run =
        "{'type':'reasoning.server_tool_call','tool_name':'n','arguments':'{}','result':{'x':1},"
            + "'tool_call_id':'c'}";

    assertThat(first(run))
        .isEqualTo(
            new Part.ServerToolRun(
                "c", "n", new Arguments.Text(Json.of("{}")), json("{'x':1}"), json(run)));
    assertThat(
            first(
                "{'type':'reasoning.server_tool_call','tool_name':'n','arguments':{},'result':1}"))
        .isInstanceOfSatisfying(
            Part.ServerToolRun.class,
            made -> {
              assertThat(made.callId()).isEmpty();
              assertThat(made.arguments()).isEqualTo(new Arguments.Value(Json.Obj.EMPTY));
            });
  }

  @Test
  @DisplayName("Cases 6 and 22: comes first and in its order, then text, refusal and calls")
  void order() {
    Message message =
        said(
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
  @DisplayName("is one plain thought when there are no items")
  void plainText() {
    Message message = said("'content':null,'reasoning':'hm','reasoning_details':[]");

    assertThat(message.parts()).containsExactly(plain("hm"));
    assertThat(message.extras()).isEqualTo(json("{'reasoning_details':[]}"));
    assertThat(message.contentForm()).isEqualTo(Message.ContentForm.NULL);
  }

  @Test
  @DisplayName("is not taken twice when the plain text repeats the items")
  void repeated() {
    Message message =
        said("'reasoning':'hm','reasoning_details':[{'type':'reasoning.summary','summary':'hm'}]");

    assertThat(message.parts()).hasSize(1);
    assertThat(message.extras()).isEqualTo(Json.Obj.EMPTY);
  }

  @Test
  @DisplayName("is in both when the items have nothing to read")
  void beside() {
    Message message =
        said("'reasoning':'hm','reasoning_details':[{'type':'reasoning.encrypted','data':'d'}]");

    assertThat(message.parts()).hasSize(2).first().isEqualTo(plain("hm"));
  }

  @Test
  @DisplayName("is nothing where the members say nothing, which stay as they are")
  void nothing() {
    String members = "'content':'x','reasoning':'','refusal':null,'reasoning_details':[]";
    Message message = said(members);

    assertThat(message.parts()).hasSize(1);
    assertThat(message.extras())
        .isEqualTo(json("{'reasoning':'','refusal':null,'reasoning_details':[]}"));
  }
}
