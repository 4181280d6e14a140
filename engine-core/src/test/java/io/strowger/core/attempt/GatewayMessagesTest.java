package io.strowger.core.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Translation fact sheet, section 8. */
@DisplayName("A conversation as an adapter sees it")
class GatewayMessagesTest {
  private static final String RUN =
      "{'type':'reasoning.server_tool_call','tool_name':'t','arguments':'{}','result':'secret'}";
  private static final String THOUGHT = "{'type':'reasoning.text' , 'text':'hm'}";

  private static String quoted(String text) {
    return text.replace('\'', '"');
  }

  private static InferenceRequest read(Dialect dialect, String text) {
    Json.Obj document;
    try {
      document = (Json.Obj) new JacksonCodec().parse(quoted(text).getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException e) {
      throw new AssertionError(e);
    }
    var problems = new Problems();
    InferenceRequest read =
        switch (dialect) {
          case CHAT -> new ChatDecoder((e, at, p) -> {}).decode(document, problems);
          case MESSAGES -> new MessagesDecoder((e, at, p) -> {}).decode(document, problems);
          case RESPONSES -> new ResponsesDecoder((e, at, p) -> {}).decode(document, problems);
          case GEMINI -> throw new AssertionError("callers cannot send requests in the dialect it");
        };
    return Objects.requireNonNull(problems.requireValid(read));
  }

  private static InferenceRequest seen(Dialect dialect, String text) {
    return GatewayMembers.removeFrom(read(dialect, text), null);
  }

  /** The sources of the messages, which adapters of the dialect write. */
  private static String sources(InferenceRequest request) {
    return request.messages().stream()
        .map(message -> Objects.requireNonNull(message.source()))
        .map(source -> new String(source.toBytes(), StandardCharsets.UTF_8))
        .toList()
        .toString()
        .replace('"', '\'');
  }

  @Test
  @DisplayName("does not say which model wrote a message, changed or not, and keeps all else")
  void model() {
    InferenceRequest read =
        read(
            Dialect.CHAT,
            "{'model':'a/b','messages':[{'role':'assistant','content': 'a'"
                + " ,'model':'lab/secret','x': 1},{'role':'user','content' : 'b'}],'seed':1}");
    InferenceRequest seen = GatewayMembers.removeFrom(read, null);
    assertThat(sources(seen))
        .isEqualTo("[{'role':'assistant','content':'a','x':1}, {'role':'user','content' : 'b'}]");
    assertThat(seen.messages().get(0).parts()).isSameAs(read.messages().get(0).parts());
    assertThat(seen.messages().get(1)).isSameAs(read.messages().get(1));
    assertThat(seen.members().toString()).isEqualTo(quoted("{'model':'a/b','seed':1}"));
    Message changed = read.messages().get(0).withParts(List.of(new Part.Text("new")));
    Message left =
        GatewayMembers.removeFrom(read.toBuilder().messages(List.of(changed)).build(), null)
            .messages()
            .getFirst();
    assertThat(left.extras().toString()).isEqualTo(quoted("{'x':1}"));
    assertThat(left.source()).isNull();
  }

  @Test
  @DisplayName("holds no run of a tool of the gateway, of the chat dialect")
  void details() {
    InferenceRequest seen =
        seen(
            Dialect.CHAT,
            "{'model':'a/b','messages':[{'role':'assistant','content':'x','model':'m','reasoning_details':["
                + RUN
                + ","
                + THOUGHT
                + "]},{'role':'assistant','content':'y','reasoning_details':["
                + RUN
                + "]}]}");
    assertThat(sources(seen))
        .isEqualTo(
            "[{'role':'assistant','content':'x','reasoning_details':["
                + THOUGHT
                + "]}, {'role':'assistant','content':'y'}]");
    assertThat(seen.messages().getFirst().parts())
        .hasSize(2)
        .noneMatch(Part.ServerToolRun.class::isInstance);
    assertThat(seen.members().has("messages")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'content':null                      | 1
          'content':null,'model':'lab/secret' | 1
          'content':''                        | 1
          'content':[]                        | 1
          'name':'bot'                        | 2
          'content':'x'                       | 2
          'content':null,'audio':{'id':'a'}   | 2
          'content':null,'reasoning':'hm'     | 2
          """)
  @DisplayName("holds no message that had nothing but a run of a tool of the gateway")
  void onlyRun(String members, int messages) {
    InferenceRequest seen =
        seen(
            Dialect.CHAT,
            "{'model':'a/b','messages':[{'role':'user','content':'u'},{'role':'assistant',"
                + members
                + ",'reasoning_details':["
                + RUN
                + "]}]}");
    assertThat(seen.messages()).hasSize(messages);
    assertThat(sources(seen)).doesNotContain("secret").doesNotContain("reasoning_details");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'router:datetime','id':'x'}
          {'type':'router:datetime','id':'x','call_id':'c','arguments':'{}','output':'secret'}
          """)
  @DisplayName("holds no item of a tool of the gateway, of the responses dialect")
  void items(String item) {
    InferenceRequest seen =
        seen(
            Dialect.RESPONSES,
            "{'model':'a/b','input':[" + item + ",{'role':'user','content' : 'a'}]}");
    assertThat(sources(seen)).isEqualTo("[{'role':'user','content' : 'a'}]");
    assertThat(seen.members().has("input")).isFalse();
  }

  @Test
  @DisplayName("declares no tool of the gateway in its middle")
  void declarations() {
    String tool = "{'type':'function','name' : 'f','parameters':null}";
    InferenceRequest seen =
        seen(
            Dialect.RESPONSES,
            "{'model':'a/b','input':[{'type':'additional_tools','tools':["
                + tool
                + ",{'type':'router:datetime'}]}]}");
    assertThat(sources(seen)).isEqualTo("[{'type':'additional_tools','tools':[" + tool + "]}]");
    InferenceRequest theirs =
        read(
            Dialect.RESPONSES,
            "{'model':'a/b','input':[{'type':'additional_tools','tools':[" + tool + "]}]}");
    assertThat(GatewayMembers.removeFrom(theirs, null)).isSameAs(theirs);
  }

  @Proves("messages.block.router_results")
  @Test
  @DisplayName(
      "holds no result of the gateway's shells and no call for it, of the messages dialect")
  void blocks() {
    String vendors = "{'type':'server_tool_use','id':'s2','name':'web_search','input':{}}";
    InferenceRequest seen =
        seen(
            Dialect.MESSAGES,
            "{'model':'a/b','max_tokens':9,'messages':[{'role':'user','content':'hi'},{'role':'assistant','content':["
                + "{'type':'server_tool_use','id':'s1','name':'shell','input':{}},"
                + vendors
                + ",{'type':'router_shell_tool_result','tool_use_id':'s1','content':{}}]},"
                + "{'role':'assistant','content':[{'type':'server_tool_use','id':'s1','name':'shell','input':{}}]}]}");
    assertThat(seen.messages()).hasSize(2);
    assertThat(seen.messages().get(1).parts())
        .extracting(part -> Objects.requireNonNull(part.source()).toString())
        .containsExactly(quoted(vendors));
    assertThat(seen.members().has("messages")).isFalse();
  }
}
