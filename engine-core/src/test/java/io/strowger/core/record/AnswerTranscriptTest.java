package io.strowger.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What is kept of what an answer says")
class AnswerTranscriptTest {
  @Test
  @DisplayName("is bounded, however long the answer is")
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
  @DisplayName("is what was said until its call was over, and no more")
  void settled() {
    var transcript = new AnswerTranscript(true);
    transcript.accept(new Event.TextDelta("Hello"));
    transcript.accept(new Event.ToolCallDelta(0, "call_1", "weather", Json.of("{}"), null));
    assertThat(transcript.seal()).isBetween(5L, 100L);
    transcript.accept(new Event.TextDelta(" nobody got"));
    transcript.accept(new Event.ToolCallDelta(1, "call_2", "weather", Json.of("{}"), null));
    assertThat(transcript.text()).isEqualTo("Hello");
    assertThat(transcript.toolCalls()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName(
      "has the pages that were cited until its call was over, in its size too, and no more")
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
  @DisplayName("has what was said, whether it came in one piece or in many")
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
