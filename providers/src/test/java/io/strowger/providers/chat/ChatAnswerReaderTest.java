package io.strowger.providers.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Part.Thinking;
import io.strowger.spi.model.StopReason;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A complete answer")
class ChatAnswerReaderTest {

  private static Answer read(String message, String choice, SafeNames names) {
    Json.Obj document =
        ChatFixtures.json(
            "{'choices':[{'message':{'role':'assistant',"
                + message
                + "},'finish_reason':'stop'"
                + choice
                + "}]}");
    return Objects.requireNonNull(ChatAnswerReader.of(document, names));
  }

  private static List<Part> parts(String message) {
    return read(message, "", new SafeNames()).parts();
  }

  @Test
  @DisplayName("has its thoughts first, each with its signature and the format of its vendor")
  void thoughts() {
    List<Part> parts =
        parts(
            "'content':'x','reasoning':'ab','reasoning_details':["
                + "{'type':'reasoning.text','text':'a','signature':'s','format':"
                + "'anthropic-claude-v1','index':0},"
                + "{'type':'reasoning.encrypted','data':'d','id':'r1','format':'unknown'},"
                + "{'type':'reasoning.summary','summary':'b'},{'type':'reasoning.later'}]");
    assertThat(parts).hasSize(5);
    assertThat((Thinking) parts.get(0))
        .satisfies(
            thought -> {
              assertThat(thought.kind()).isEqualTo(Thinking.Kind.TEXT);
              assertThat(thought.text()).isEqualTo(Json.of("a"));
              assertThat(thought.signature()).isEqualTo(Json.of("s"));
              assertThat(thought.format()).isEqualTo("anthropic-claude-v1");
              assertThat(thought.extras()).isEqualTo(ChatFixtures.json("{'index':0}"));
            });
    assertThat((Thinking) parts.get(1))
        .satisfies(
            thought -> {
              assertThat(thought.kind()).isEqualTo(Thinking.Kind.ENCRYPTED);
              assertThat(thought.text()).isEqualTo(Json.of("d"));
              assertThat(thought.id()).isEqualTo("r1");
              assertThat(thought.format()).isNull();
            });
    assertThat(((Thinking) parts.get(2)).kind()).isEqualTo(Thinking.Kind.SUMMARY);
    assertThat(parts.get(3)).isInstanceOf(Part.Unknown.class);
    assertThat(parts.get(4)).isEqualTo(new Part.Text("x"));
  }

  @Test
  @DisplayName("has plain reasoning once, under any of its names, also beside encrypted reasoning")
  void plainReasoning() {
    Part plain = new Thinking(Json.of("hm"), null, Json.Obj.EMPTY, null);
    assertThat(parts("'content':'','reasoning':'hm','reasoning_content':'hm'"))
        .containsExactly(plain);
    assertThat(parts("'content':null,'reasoning_content':'hm'")).containsExactly(plain);
    assertThat(
            parts(
                "'content':null,'reasoning':'hm','reasoning_details':["
                    + "{'type':'reasoning.encrypted','data':'d'}]"))
        .hasSize(2)
        .first()
        .isEqualTo(plain);
  }

  @Test
  @DisplayName("has citations and logprobs after the text, then refusals, images and tool calls")
  void orderOfParts() {
    Answer answer =
        read(
            "'tool_calls':[{'id':'c','type':'function','function':{'name':'f'}},7],"
                + "'content':'x','annotations':[{'type':'url_citation','url_citation':{'url':'u'}},"
                + "{'type':'file'}],'refusal':'no','images':[{'type':'image_url','image_url':"
                + "{'url':'data:image/png;base64,QQ=='}}],'audio':{'id':'a'}",
            ",'logprobs':{'content':[{'token':'x'}]}",
            new SafeNames());
    List<Part> parts = answer.parts();
    assertThat(parts.stream().map(part -> part.getClass().getSimpleName()))
        .containsExactly(
            "Text",
            "Citation",
            "Unknown",
            "Logprobs",
            "Refusal",
            "Image",
            "Unknown",
            "ToolCall",
            "Unknown");
    assertThat(((Part.Image) parts.get(5)).media())
        .isEqualTo(new Media.Inline("image/png", Json.of("QQ==")));
    assertThat(answer.stopReason()).isEqualTo(StopReason.TOOL_CALLS);
  }

  @Test
  @DisplayName("Case 19: has an empty object as the arguments of a call without arguments")
  void noArguments() {
    for (String arguments :
        List.of("", ",'arguments':null", ",'arguments':' '", ",'arguments':{}")) {
      Part part =
          parts("'tool_calls':[{'id':'c','function':{'name':'f'" + arguments + "}}]").get(0);
      assertThat(((Part.ToolCall) part).arguments().text()).isEqualTo("{}");
    }
  }

  @Proves("translation.case.22")
  @Test
  @DisplayName("Case 22: keeps its text when its list of tool calls is empty")
  void noCalls() {
    assertThat(parts("'content':'x','tool_calls':[]")).containsExactly(new Part.Text("x"));
  }

  @Test
  @DisplayName("has the names that the caller gave the tools")
  void names() {
    var names = new SafeNames();
    String call =
        "'tool_calls':[{'id':'c','function':{'name':'"
            + names.toSafe("a.b")
            + "','arguments':''}}]";
    assertThat(((Part.ToolCall) read(call, "", names).parts().get(0)).name()).isEqualTo("a.b");
  }
}
