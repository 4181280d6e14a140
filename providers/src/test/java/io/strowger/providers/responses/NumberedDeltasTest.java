package io.strowger.providers.responses;

import static io.strowger.providers.responses.ResponsesStreams.COMPLETED;
import static io.strowger.providers.responses.ResponsesStreams.CREATED;
import static io.strowger.providers.responses.ResponsesStreams.item;
import static io.strowger.providers.responses.ResponsesStreams.kinds;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Deltas that differ only in text, number and padding")
class NumberedDeltasTest {
  private static final String ADDED = item("added", 0, "{'type':'message','id':'m','content':[]}");

  private static String delta(int number, int part, String text, String more) {
    return "{'type':'response.output_text.delta','sequence_number':%d,'output_index':0,"
            .formatted(number)
        + "'content_index':%d,'delta':'%s'%s}".formatted(part, text, more);
  }

  private static List<String> texts(List<Event> events) {
    return events.stream()
        .filter(Event.TextDelta.class::isInstance)
        .map(event -> ((Event.TextDelta) event).text().text())
        .toList();
  }

  @Test
  @DisplayName("give their own texts, including escapes")
  void texts() throws IOException {
    List<Event> events =
        new ResponsesStreams()
            .read(
                CREATED,
                ADDED,
                delta(9, 0, "Gr", ",'logprobs':[],'obfuscation':'abc'"),
                delta(10, 0, "\\u00fc\\\\ß", ",'logprobs':[],'obfuscation':''"),
                delta(11, 0, "", ",'logprobs':[],'obfuscation':'zzzzzz'"),
                delta(12, 1, "🦊", ",'logprobs':[],'obfuscation':'a'"),
                COMPLETED);
    assertThat(texts(events)).containsExactly("Gr", "ü\\ß", "", "🦊");
  }

  @Test
  @DisplayName("keep their padding for a caller of the same dialect")
  void padding() throws IOException {
    List<Event> events =
        new ResponsesStreams(true)
            .read(
                CREATED,
                ADDED,
                delta(9, 0, "a", ",'obfuscation':'one'"),
                delta(10, 0, "b", ",'obfuscation':'two'"),
                delta(11, 0, "c", ",'obfuscation':'three'"),
                COMPLETED);
    List<Json.Obj> frames =
        events.stream()
            .filter(Event.TextDelta.class::isInstance)
            .map(event -> Objects.requireNonNull(ResponsesStreams.frame(event)))
            .toList();
    assertThat(frames)
        .extracting(frame -> frame.text("delta") + " " + frame.text("obfuscation"))
        .containsExactly("a one", "b two", "c three");
    assertThat(events.stream().filter(Event.TextDelta.class::isInstance))
        .extracting(
            event ->
                Objects.requireNonNull(((Event.TextDelta) event).template())
                    .firstFrame()
                    .text("obfuscation"))
        .containsExactly("one", "two", "three");
  }

  @Test
  @DisplayName("give their logprobs, even if nothing else differs")
  void logprobs() throws IOException {
    String logprobs = ",'logprobs':[{'token':'a','logprob':-0.5}]";
    List<Event> events =
        new ResponsesStreams()
            .read(
                CREATED,
                ADDED,
                delta(1, 0, "a", ",'logprobs':[]"),
                delta(2, 0, "a", logprobs),
                delta(3, 0, "a", logprobs),
                COMPLETED);
    assertThat(texts(events)).containsExactly("a", "a", "a");
    assertThat(kinds(events)).filteredOn("Logprobs"::equals).hasSize(2);
  }

  @Test
  @DisplayName("are not repeated by the frame with the whole text")
  void once() throws IOException {
    List<Event> events =
        new ResponsesStreams()
            .read(
                CREATED,
                ADDED,
                delta(1, 0, "a", ""),
                delta(2, 0, "b", ""),
                "{'type':'response.output_text.done','sequence_number':3,'output_index':0,"
                    + "'content_index':0,'text':'ab'}",
                COMPLETED);
    assertThat(texts(events)).containsExactly("a", "b");
  }
}
