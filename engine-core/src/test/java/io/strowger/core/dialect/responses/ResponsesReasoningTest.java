package io.strowger.core.dialect.responses;

import static io.strowger.core.dialect.responses.WrittenResponses.items;
import static io.strowger.core.dialect.responses.WrittenResponses.last;
import static io.strowger.core.dialect.responses.WrittenResponses.list;
import static io.strowger.core.dialect.responses.WrittenResponses.member;
import static io.strowger.core.dialect.responses.WrittenResponses.type;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A responses stream of reasoning")
class ResponsesReasoningTest {
  private static final Event END = new Event.Finished(StopReason.END, "stop", null);

  private static Event reasoning(String text, boolean summary) {
    return new Event.ReasoningDelta(Json.of(text), summary, null, null, null);
  }

  @Test
  @DisplayName("has each summary as a part of its own")
  void summary() {
    assertThat(
            items(
                reasoning("a", true),
                new Event.BlockStart(Event.BlockStart.Kind.REASONING, null),
                reasoning("b", true),
                END))
        .map(WrittenResponses::json)
        .map(event -> type(event) + " " + event.longValue("summary_index", -1))
        .containsExactly(
            "output_item.added -1",
            "reasoning_summary_part.added 0",
            "reasoning_summary_text.delta 0",
            "reasoning_summary_text.done 0",
            "reasoning_summary_part.done 0",
            "reasoning_summary_part.added 1",
            "reasoning_summary_text.delta 1",
            "reasoning_summary_text.done 1",
            "reasoning_summary_part.done 1",
            "output_item.done -1");
  }

  @Test
  @DisplayName(
      "has the reasoning text as a part of the content, and its signature in the finished item")
  void reasoningText() {
    List<String> items =
        items(
            reasoning("hm", false),
            new Event.ReasoningSignature(Json.of("sig"), "anthropic-claude-v1", null),
            new Event.TextDelta("hi"),
            END);
    assertThat(items.get(1))
        .contains("'response.content_part.added'")
        .endsWith("'content_index':0,'part':{'type':'reasoning_text','text':''}}");
    assertThat(items.get(2)).contains("'response.reasoning_text.delta'").contains("'delta':'hm'");
    assertThat(items.get(3)).contains("'response.reasoning_text.done'").contains("'text':'hm'");
    assertThat(items.get(4))
        .contains("'response.content_part.done'")
        .endsWith("'content_index':0,'part':{'type':'reasoning_text','text':'hm'}}");
    assertThat(items.get(5))
        .endsWith(
            "'item':{'id':'rs_1700000000-abc_0','type':'reasoning','status':'completed',"
                + "'summary':[],'content':[{'type':'reasoning_text','text':'hm'}],"
                + "'signature':'sig','format':'anthropic-claude-v1'}}");
    assertThat(items.get(6)).contains("'output_index':1").contains("'type':'message'");
  }

  @Test
  @DisplayName("Case 5: keeps the signature of reasoning without a text")
  void signatureOnly() {
    assertThat(
            member(
                last(
                    new Event.ReasoningSignature(Json.of("sig"), "anthropic-claude-v1", null), END),
                "output"))
        .isEqualTo(
            "[{'id':'rs_1700000000-abc_0','type':'reasoning','status':'completed','summary':[],"
                + "'signature':'sig','format':'anthropic-claude-v1'}]");
  }

  @Proves("translation.case.6")
  @Test
  @DisplayName("Case 6: pairs each signature with the text before it")
  void pairs() {
    List<Json.Obj> output =
        list(
            last(
                reasoning("a", false),
                new Event.ReasoningSignature(Json.of("s1"), "anthropic-claude-v1", null),
                reasoning("b", false),
                new Event.ReasoningSignature(Json.of("s2"), "anthropic-claude-v1", null),
                new Event.EncryptedReasoning(Json.of("x"), "anthropic-claude-v1", null, null),
                END),
            "output");
    assertThat(output).hasSize(3);
    assertThat((output.get(0)).text("signature")).isEqualTo("s1");
    assertThat(member(output.get(1), "content")).contains("'b'");
    assertThat((output.get(1)).text("signature")).isEqualTo("s2");
    assertThat((output.get(2)).text("encrypted_content")).isEqualTo("x");
  }

  @Test
  @DisplayName("has encrypted reasoning in the item of its summary, or in an item with its own id")
  void encrypted() {
    List<Json.Obj> output =
        list(
            last(
                reasoning("sum", true),
                new Event.EncryptedReasoning(Json.of("x"), "openai-responses-v1", null, null),
                new Event.EncryptedReasoning(Json.of("y"), "google-gemini-v1", "call_7", null),
                END),
            "output");
    assertThat(output).hasSize(2);
    Json.Obj first = output.get(0);
    assertThat(member(first, "summary")).isEqualTo("[{'type':'summary_text','text':'sum'}]");
    assertThat(first.text("encrypted_content")).isEqualTo("x");
    assertThat(first.text("format")).isEqualTo("openai-responses-v1");
    Json.Obj second = output.get(1);
    assertThat(second.text("id")).isEqualTo("call_7");
    assertThat(second.text("format")).isEqualTo("google-gemini-v1");
  }
}
