package io.strowger.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The transcript of an answer")
class AnswerTranscriptTest {
  @Test
  @DisplayName("has a bounded size, however long the answer is")
  void bounded() {
    var transcript = new AnswerTranscript(true);
    var text = new Event.TextDelta("x".repeat(AnswerTranscript.MAX_CHARS / 4 + 1));
    var thought = new Event.ReasoningDelta(text.text(), null);
    for (int i = 0; i < 6; i++) {
      transcript.accept(text);
      transcript.accept(thought);
    }
    assertThat(transcript.text()).hasSize(AnswerTranscript.MAX_CHARS);
    assertThat(transcript.reasoning()).hasSize(AnswerTranscript.MAX_CHARS);
  }

  @Test
  @DisplayName("contains only what was answered before it was sealed")
  void settled() {
    var transcript = new AnswerTranscript(true);
    transcript.accept(new Event.TextDelta("Hello"));
    transcript.accept(new Event.ToolCallDelta(0, "call_1", "weather", Json.of("{}"), null));
    assertThat(transcript.seal()).isBetween(5L, 100L);
    transcript.accept(new Event.TextDelta(" after the end"));
    transcript.accept(new Event.ToolCallDelta(1, "call_2", "weather", Json.of("{}"), null));
    assertThat(transcript.text()).isEqualTo("Hello");
    assertThat(transcript.toolCalls()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("counts only the pages that were cited before it was sealed, also in its size")
  void citedPages(boolean keepsContent) {
    var transcript = new AnswerTranscript(keepsContent);
    transcript.accept(cited("https://a.test/"));
    assertThat(transcript.seal()).isEqualTo("https://a.test/".length());
    transcript.accept(cited("https://b.test/"));
    assertThat(transcript.citedPageCount()).isEqualTo(1);
    assertThat(transcript.seal()).isEqualTo("https://a.test/".length());
  }

  private static Event cited(String url) {
    Json.Obj page = Json.object().put("url", url).build();
    return new Event.Annotation(
        Json.object().put("type", "url_citation").put("url_citation", page).build(), null);
  }

  @Test
  @DisplayName("contains the text, whether it came in one piece or in many")
  void pieces() {
    var one = new AnswerTranscript(true);
    one.accept(new Event.TextDelta(""));
    one.accept(new Event.TextDelta("Hello"));
    assertThat(one.text()).isEqualTo("Hello");
    assertThat(one.textValue().text()).isEqualTo("Hello");
    one.accept(new Event.TextDelta(", "));
    one.accept(new Event.TextDelta("you"));
    assertThat(one.text()).isEqualTo("Hello, you");
    assertThat(one.reasoning()).isEmpty();
    assertThat(new AnswerTranscript(false).textValue().isEmpty()).isTrue();
  }
}
