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

/** Tests what {@link GatewayMembers} removes from messages. Translation fact sheet, section 8. */
@DisplayName("A conversation in a request to an adapter")
class GatewayMessagesTest {
  private static final String TOOL_RUN =
      "{'type':'reasoning.server_tool_call','tool_name':'t','arguments':'{}','result':'secret'}";
  private static final String REASONING = "{'type':'reasoning.text' , 'text':'hm'}";

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
    InferenceRequest decoded =
        switch (dialect) {
          case CHAT -> new ChatDecoder((e, at, p) -> {}).decode(document, problems);
          case MESSAGES -> new MessagesDecoder((e, at, p) -> {}).decode(document, problems);
          case RESPONSES -> new ResponsesDecoder((e, at, p) -> {}).decode(document, problems);
          case GEMINI -> throw new AssertionError("callers cannot send the Gemini dialect");
        };
    return Objects.requireNonNull(problems.requireValid(decoded));
  }

  private static InferenceRequest forAdapter(Dialect dialect, String text) {
    return GatewayMembers.removeFrom(read(dialect, text), null);
  }

  /** Returns the sources of the messages, which adapters of the same dialect send unchanged. */
  private static String sources(InferenceRequest request) {
    return request.messages().stream()
        .map(message -> Objects.requireNonNull(message.source()))
        .map(source -> new String(source.toBytes(), StandardCharsets.UTF_8))
        .toList()
        .toString()
        .replace('"', '\'');
  }

  @Test
  @DisplayName("does not name the model that wrote a message, and keeps everything else")
  void model() {
    InferenceRequest read =
        read(
            Dialect.CHAT,
            "{'model':'a/b','messages':[{'role':'assistant','content': 'a'"
                + " ,'model':'lab/secret','x': 1},{'role':'user','content' : 'b'}],'seed':1}");
    InferenceRequest request = GatewayMembers.removeFrom(read, null);
    assertThat(sources(request))
        .isEqualTo("[{'role':'assistant','content':'a','x':1}, {'role':'user','content' : 'b'}]");
    assertThat(request.messages().get(0).parts()).isSameAs(read.messages().get(0).parts());
    assertThat(request.messages().get(1)).isSameAs(read.messages().get(1));
    assertThat(request.members().toString()).isEqualTo(quoted("{'model':'a/b','seed':1}"));
    Message changed = read.messages().get(0).withParts(List.of(new Part.Text("new")));
    Message sent =
        GatewayMembers.removeFrom(read.toBuilder().messages(List.of(changed)).build(), null)
            .messages()
            .getFirst();
    assertThat(sent.extras().toString()).isEqualTo(quoted("{'x':1}"));
    assertThat(sent.source()).isNull();
  }

  @Test
  @DisplayName("has no runs of the gateway's tools in the chat dialect")
  void details() {
    InferenceRequest request =
        forAdapter(
            Dialect.CHAT,
            "{'model':'a/b','messages':[{'role':'assistant','content':'x','model':'m','reasoning_details':["
                + TOOL_RUN
                + ","
                + REASONING
                + "]},{'role':'assistant','content':'y','reasoning_details':["
                + TOOL_RUN
                + "]}]}");
    assertThat(sources(request))
        .isEqualTo(
            "[{'role':'assistant','content':'x','reasoning_details':["
                + REASONING
                + "]}, {'role':'assistant','content':'y'}]");
    assertThat(request.messages().getFirst().parts())
        .hasSize(2)
        .noneMatch(Part.ServerToolRun.class::isInstance);
    assertThat(request.members().has("messages")).isFalse();
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
  @DisplayName("has no message that contained only a run of the gateway's tools")
  void onlyRun(String members, int messages) {
    InferenceRequest request =
        forAdapter(
            Dialect.CHAT,
            "{'model':'a/b','messages':[{'role':'user','content':'u'},{'role':'assistant',"
                + members
                + ",'reasoning_details':["
                + TOOL_RUN
                + "]}]}");
    assertThat(request.messages()).hasSize(messages);
    assertThat(sources(request)).doesNotContain("secret").doesNotContain("reasoning_details");
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
  @DisplayName("has no items of the gateway's tools in the responses dialect")
  void items(String item) {
    InferenceRequest request =
        forAdapter(
            Dialect.RESPONSES,
            "{'model':'a/b','input':[" + item + ",{'role':'user','content' : 'a'}]}");
    assertThat(sources(request)).isEqualTo("[{'role':'user','content' : 'a'}]");
    assertThat(request.members().has("input")).isFalse();
  }

  @Test
  @DisplayName("has no declarations of the gateway's tools among its items")
  void declarations() {
    String tool = "{'type':'function','name' : 'f','parameters':null}";
    InferenceRequest request =
        forAdapter(
            Dialect.RESPONSES,
            "{'model':'a/b','input':[{'type':'additional_tools','tools':["
                + tool
                + ",{'type':'router:datetime'}]}]}");
    assertThat(sources(request)).isEqualTo("[{'type':'additional_tools','tools':[" + tool + "]}]");
    InferenceRequest withoutGatewayTools =
        read(
            Dialect.RESPONSES,
            "{'model':'a/b','input':[{'type':'additional_tools','tools':[" + tool + "]}]}");
    assertThat(GatewayMembers.removeFrom(withoutGatewayTools, null)).isSameAs(withoutGatewayTools);
  }

  @Proves("messages.block.router_results")
  @Test
  @DisplayName("has no results of the gateway's shell and no calls of it in the messages dialect")
  void blocks() {
    String vendorCall = "{'type':'server_tool_use','id':'s2','name':'web_search','input':{}}";
    InferenceRequest request =
        forAdapter(
            Dialect.MESSAGES,
            "{'model':'a/b','max_tokens':9,'messages':[{'role':'user','content':'hi'},{'role':'assistant','content':["
                + "{'type':'server_tool_use','id':'s1','name':'shell','input':{}},"
                + vendorCall
                + ",{'type':'router_shell_tool_result','tool_use_id':'s1','content':{}}]},"
                + "{'role':'assistant','content':[{'type':'server_tool_use','id':'s1','name':'shell','input':{}}]}]}");
    assertThat(request.messages()).hasSize(2);
    assertThat(request.messages().get(1).parts())
        .extracting(part -> Objects.requireNonNull(part.source()).toString())
        .containsExactly(quoted(vendorCall));
    assertThat(request.members().has("messages")).isFalse();
  }
}
