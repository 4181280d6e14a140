package io.strowger.providers.messages;

import static io.strowger.providers.messages.MessagesTestRequest.HI;
import static io.strowger.providers.messages.MessagesTestRequest.chat;
import static io.strowger.providers.messages.MessagesTestRequest.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.tck.conformance.Proves;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A complete answer of the messages dialect")
class MessagesAnswerReaderTest {
  private static Answer read(String content, String more) {
    var reader = new MessagesAnswerReader(AnswerMapping.forCall(chat(HI).call()));
    return Objects.requireNonNull(reader.of(json("{'content':[" + content + "]" + more + "}")));
  }

  @Test
  @DisplayName("has its blocks in order, including unknown ones")
  void blocks() {
    Answer answer =
        read(
            "{'type':'thinking','thinking':'','signature':'s'},"
                + "{'type':'redacted_thinking','data':'d'},"
                + "{'type':'text','text':'Hi','citations':["
                + "{'type':'web_search_result_location','url':'u','title':'t','cited_text':'c'},"
                + "{'type':'char_location','cited_text':'x'}]},"
                + "{'type':'bash_code_execution_tool_result','content':{}},"
                + "{'type':'tool_use','id':'t1','name':'look','input':null}",
            ",'stop_reason':'tool_use'");
    assertThat(answer.parts())
        .extracting(part -> part.getClass().getSimpleName())
        .containsExactly("Thinking", "Thinking", "Text", "Citation", "Unknown", "ToolCall");
    assertThat(((Part.Citation) answer.parts().get(3)).body())
        .isEqualTo(
            json("{'type':'url_citation','url_citation':{'url':'u','title':'t','content':'c'}}"));
    assertThat(((Part.ToolCall) answer.parts().getLast()).arguments().text()).isEqualTo("{}");
    assertThat(answer.nativeReason()).isEqualTo("tool_use");
  }

  @Proves({"translation.stop.PAUSE", "translation.stop.COMPACTION"})
  @ParameterizedTest
  @CsvSource({
    "end_turn,END",
    "max_tokens,LENGTH",
    "model_context_window_exceeded,CONTEXT_WINDOW",
    "stop_sequence,STOP_SEQUENCE",
    "tool_use,END",
    "pause_turn,PAUSE",
    "refusal,CONTENT_FILTER",
    "compaction,COMPACTION",
    "later,END"
  })
  @DisplayName("has a stop reason for each stop_reason")
  void reasons(String nativeReason, StopReason reason) {
    assertThat(read("", ",'stop_reason':'" + nativeReason + "'").stopReason()).isEqualTo(reason);
  }

  @Test
  @DisplayName("is a refusal when it has a category, with the explanation as a part")
  void refusal() {
    Answer answer =
        read(
            "",
            ",'stop_reason':'refusal','stop_details':{'type':'refusal','category':'cyber',"
                + "'explanation':'No.'}");
    assertThat(answer.stopReason()).isEqualTo(StopReason.REFUSAL);
    assertThat(answer.parts()).singleElement().isInstanceOf(Part.Refusal.class);
  }

  @Proves({"translation.usage.messages", "translation.case.12", "translation.case.13"})
  @Test
  @DisplayName("Case 12: Case 13: has a usage whose counts do not include each other")
  void usage() {
    Usage used =
        Objects.requireNonNull(
            read(
                    "",
                    ",'usage':{'input_tokens':7,'cache_read_input_tokens':10000,"
                        + "'cache_creation_input_tokens':500,'cache_creation':{"
                        + "'ephemeral_5m_input_tokens':300,'ephemeral_1h_input_tokens':200},"
                        + "'output_tokens':100,'output_tokens_details':{'thinking_tokens':60},"
                        + "'server_tool_use':{'web_search_requests':2}}")
                .usage());
    assertThat(used)
        .isEqualTo(
            Usage.builder()
                .freshInput(7)
                .cacheRead(10000)
                .cacheWrite5m(300)
                .cacheWrite1h(200)
                .outputText(40)
                .reasoning(60)
                .searches(2)
                .build());
    assertThat(used.promptTokens()).isEqualTo(10507);
    assertThat(used.completionTokens()).isEqualTo(100);
  }

  @Test
  @DisplayName("tolerates nulls and wrong counts, and adds the usage of a compaction to the totals")
  void oddUsage() {
    assertThat(
            read(
                    "",
                    ",'usage':{'input_tokens':-1,'cache_read_input_tokens':null,"
                        + "'cache_creation':null,'output_tokens':3,"
                        + "'output_tokens_details':{'thinking_tokens':9},'iterations':["
                        + "{'type':'compaction','input_tokens':100,'output_tokens':20},"
                        + "{'type':'message','input_tokens':5,'output_tokens':5}]}")
                .usage())
        .isEqualTo(Usage.builder().freshInput(100).reasoning(3).outputText(20).build());
  }
}
