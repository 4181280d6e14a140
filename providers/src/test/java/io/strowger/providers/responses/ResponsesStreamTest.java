package io.strowger.providers.responses;

import static io.strowger.providers.responses.ResponsesFixtures.json;
import static io.strowger.providers.responses.ResponsesStreams.COMPLETED;
import static io.strowger.providers.responses.ResponsesStreams.CREATED;
import static io.strowger.providers.responses.ResponsesStreams.delta;
import static io.strowger.providers.responses.ResponsesStreams.frame;
import static io.strowger.providers.responses.ResponsesStreams.item;
import static io.strowger.providers.responses.ResponsesStreams.kinds;
import static io.strowger.providers.responses.ResponsesStreams.sse;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.AnswerCollector;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.tck.conformance.Proves;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("A streamed response")
class ResponsesStreamTest {
  private static final String CALL = "{'type':'function_call','call_id':'%s','name':'%s'%s}";

  private final ResponsesStreams streams = new ResponsesStreams();

  /** A stream with every kind of item. */
  private static final List<String> RECORDED =
      List.of(
          CREATED,
          frame("response.in_progress", "'response':{}"),
          item("added", 0, "{'type':'reasoning','id':'rs','summary':[]}"),
          frame("response.reasoning_summary_part.added", "'output_index':0,'summary_index':0"),
          delta("response.reasoning_summary_text", 0, "Hm"),
          delta("response.reasoning_summary_text", 0, "m."),
          frame(
              "response.reasoning_summary_text.done",
              "'output_index':0,'summary_index':0,'text':'Hmm.'"),
          frame("response.reasoning_summary_part.done", "'output_index':0,'summary_index':0"),
          item("done", 0, "{'type':'reasoning','id':'rs','encrypted_content':'enc'}"),
          item("added", 1, "{'type':'message','id':'m','content':[]}"),
          frame(
              "response.content_part.added",
              "'output_index':1,'content_index':0,'part':{'type':'output_text','text':''}"),
          delta("response.output_text", 1, "Hé"),
          delta("response.output_text", 1, "l\\\\\\ud83e\\udd8a o"),
          frame(
              "response.output_text.annotation.added",
              "'output_index':1,'annotation':{'type':'url_citation','url':'http://x'}"),
          frame(
              "response.output_text.done",
              "'output_index':1,'content_index':0,'text':'Hél\\\\\\ud83e\\udd8a o'"),
          frame("response.content_part.done", "'output_index':1,'content_index':0"),
          item("done", 1, "{'type':'message','id':'m'}"),
          item("added", 2, CALL.formatted("c1", "f", ",'arguments':''")),
          delta("response.function_call_arguments", 2, "{"),
          delta("response.function_call_arguments", 2, "}"),
          frame("response.function_call_arguments.done", "'output_index':2,'arguments':'{}'"),
          item("done", 2, CALL.formatted("c1", "f", ",'arguments':'{}'")),
          COMPLETED);

  @Test
  @DisplayName("gives every event once and in order, the stop reason last")
  void everything() throws IOException {
    assertThat(kinds(streams.read(RECORDED.toArray(String[]::new))))
        .containsExactly(
            "Started",
            "Started",
            "BlockStop",
            "BlockStart",
            "ReasoningDelta",
            "ReasoningDelta",
            "BlockStop",
            "BlockStop",
            "EncryptedReasoning",
            "BlockStop",
            "BlockStart",
            "TextDelta",
            "TextDelta",
            "Annotation",
            "BlockStop",
            "BlockStop",
            "BlockStop",
            "ToolCallDelta",
            "ToolCallDelta",
            "ToolCallDelta",
            "BlockStop",
            "BlockStop",
            "UsageReport",
            "Finished");
  }

  @Test
  @DisplayName("has every frame on exactly one event")
  void frames() throws IOException {
    List<Json.Obj> frames = new ArrayList<>();
    for (Event event : streams.read(RECORDED.toArray(String[]::new))) {
      Json.Obj frame = ResponsesStreams.frame(event);
      if (frame != null) {
        frames.add(frame);
      }
    }
    assertThat(frames).isEqualTo(RECORDED.stream().map(ResponsesFixtures::json).toList());
  }

  @Tag("full")
  @Test
  @DisplayName("gives the same events wherever the network splits it")
  void everySplit() throws IOException {
    assertSameWhenSplit(1);
  }

  @Test
  @DisplayName("gives the same events when the network splits it at some positions")
  void splits() throws IOException {
    assertSameWhenSplit(31);
  }

  private void assertSameWhenSplit(int step) throws IOException {
    List<String> unsplit = describe(streams.read(RECORDED.toArray(String[]::new)));
    int length = sse(RECORDED.toArray(String[]::new)).length();
    for (int split = 1; split < length; split += step) {
      assertThat(describe(new ResponsesStreams().readSplit(split, RECORDED.toArray(String[]::new))))
          .as("split after byte %d", split)
          .isEqualTo(unsplit);
    }
  }

  private static List<String> describe(List<Event> events) {
    return events.stream()
        .map(event -> event.getClass().getSimpleName() + ResponsesStreams.frame(event))
        .toList();
  }

  @Test
  @DisplayName("is collected into an answer")
  void collected() throws IOException {
    var collector = new AnswerCollector();
    streams.read(RECORDED.toArray(String[]::new)).forEach(collector::add);
    Answer answer = collector.answer(Dialect.RESPONSES);
    assertThat(answer.parts())
        .map(part -> part.getClass().getSimpleName())
        .containsExactly("Thinking", "Thinking", "Text", "Citation", "ToolCall");
    var summary = (Part.Thinking) answer.parts().get(0);
    assertThat(summary.kind()).isEqualTo(Part.Thinking.Kind.SUMMARY);
    assertThat(summary.text().text()).isEqualTo("Hmm.");
    var encrypted = (Part.Thinking) answer.parts().get(1);
    assertThat(List.of(encrypted.text().text(), Objects.requireNonNull(encrypted.format())))
        .containsExactly("enc", "openai-responses-v1");
    assertThat(encrypted.id()).isEqualTo("rs");
    assertThat(((Part.Text) answer.parts().get(2)).text().text())
        .isEqualTo("H\u00e9l\\\ud83e\udd8a o");
    assertThat(answer.stopReason()).isEqualTo(StopReason.TOOL_CALLS);
    assertThat(answer.nativeReason()).isEqualTo("completed");
    assertThat(answer.usage())
        .isEqualTo(Usage.builder().freshInput(7).cacheRead(3).outputText(6).reasoning(2).build());
  }

  @Test
  @DisplayName("gives no content event before its first content")
  void lifecycle() throws IOException {
    List<Event> events =
        streams.read(
            CREATED,
            frame("response.queued", "'response':{}"),
            frame("response.in_progress", "'response':{}"),
            frame("response.something_new", "'x':1"),
            item("added", 0, "{'type':'message'}"),
            delta("response.output_text", 0, "a"),
            frame("response.something_new", "'x':1"),
            COMPLETED);
    assertThat(events.subList(0, 5)).noneMatch(Event::isContent);
    assertThat(kinds(events).subList(3, 7))
        .containsExactly("Started", "BlockStop", "TextDelta", "OtherContent");
  }

  @Nested
  @DisplayName("gives tool calls")
  class Calls {
    private List<Event.ToolCallDelta> calls(String... frames) throws IOException {
      return streams.read(frames).stream()
          .filter(Event.ToolCallDelta.class::isInstance)
          .map(Event.ToolCallDelta.class::cast)
          .toList();
    }

    private static String describe(Event.ToolCallDelta call) {
      return call.index() + " " + call.id() + " " + call.name() + " " + call.arguments().text();
    }

    @Proves("translation.case.18")
    @Test
    @DisplayName("Case 18: with indexes of their own, each with its fragments, interleaved or not")
    void interleaved() throws IOException {
      assertThat(
              calls(
                  item("added", 3, CALL.formatted("a", "f", "")),
                  item("added", 5, CALL.formatted("b", "g", "")),
                  delta("response.function_call_arguments", 5, "{1"),
                  delta("response.function_call_arguments", 3, "{2"),
                  delta("response.function_call_arguments", 5, "}"),
                  frame("response.function_call_arguments.done", "'output_index':3"),
                  frame("response.function_call_arguments.done", "'output_index':5"),
                  COMPLETED))
          .map(Calls::describe)
          .containsExactly(
              "0 a f ",
              "1 b g ",
              "1 null null {1",
              "0 null null {2",
              "1 null null }",
              "0 null null ");
    }

    @Test
    @DisplayName("Case 19: also one without arguments")
    void noArguments() throws IOException {
      assertThat(
              calls(
                  item("added", 0, CALL.formatted("a", "f", ",'arguments':''")),
                  frame("response.function_call_arguments.done", "'output_index':0,'arguments':''"),
                  item("done", 0, CALL.formatted("a", "f", ",'arguments':''")),
                  COMPLETED))
          .map(Calls::describe)
          .containsExactly("0 a f ");
    }

    @Test
    @DisplayName("once, whether their arguments come in fragments, at the end, or with the item")
    void atTheEnd() throws IOException {
      String added = item("added", 0, CALL.formatted("a", "f", ""));
      String done = item("done", 0, CALL.formatted("a", "f", ",'arguments':'{}'"));
      String argumentsDone =
          frame("response.function_call_arguments.done", "'output_index':0,'arguments':'{}'");
      assertThat(calls(added, argumentsDone, done, COMPLETED))
          .map(Calls::describe)
          .containsExactly("0 a f ", "0 null null {}");
      assertThat(calls(added, done, COMPLETED))
          .map(Calls::describe)
          .containsExactly("0 a f ", "0 null null {}");
      assertThat(calls(done, COMPLETED)).map(Calls::describe).containsExactly("0 a f {}");
      assertThat(calls(added, added, done, done, COMPLETED))
          .map(Calls::describe)
          .containsExactly("0 a f ", "0 null null {}");
      assertThat(calls(delta("response.function_call_arguments", 0, "{}"), done, COMPLETED))
          .map(Calls::describe)
          .containsExactly("0 a f {}");
    }
  }

  @Test
  @DisplayName("gives a text that arrives only at the end of its part")
  void onlyDone() throws IOException {
    List<Event> events =
        streams.read(
            frame("response.output_text.done", "'output_index':0,'content_index':0,'text':'a'"),
            frame("response.output_text.done", "'output_index':0,'content_index':0,'text':'a'"),
            frame("response.refusal.done", "'output_index':0,'content_index':1,'refusal':'no'"),
            COMPLETED);
    assertThat(kinds(events))
        .containsExactly(
            "TextDelta",
            "BlockStop",
            "BlockStop",
            "RefusalDelta",
            "BlockStop",
            "UsageReport",
            "Finished");
    assertThat(((Event.TextDelta) events.getFirst()).template()).as("no template").isNull();
    assertThat(((Event.Finished) events.getLast()).reason()).isEqualTo(StopReason.REFUSAL);
  }

  @Test
  @DisplayName("gives plain reasoning, refusals, logprobs and unknown items")
  void others() throws IOException {
    List<Event> events =
        streams.read(
            frame(
                "response.content_part.added", "'output_index':0,'part':{'type':'reasoning_text'}"),
            delta("response.reasoning_text", 0, "Hm"),
            frame("response.content_part.added", "'output_index':1,'part':{'type':'refusal'}"),
            delta("response.refusal", 1, "no"),
            frame(
                "response.output_text.delta",
                "'output_index':2,'delta':'a','logprobs':[{'token':'a','logprob':-1}]"),
            item("done", 3, "{'type':'image_generation_call','result':'QQ=='}"),
            COMPLETED);
    assertThat(kinds(events))
        .containsExactly(
            "BlockStart",
            "ReasoningDelta",
            "BlockStart",
            "RefusalDelta",
            "TextDelta",
            "Logprobs",
            "OtherContent",
            "UsageReport",
            "Finished");
    assertThat(((Event.ReasoningDelta) events.get(1)).summary()).isFalse();
    assertThat(((Event.Logprobs) events.get(5)).content().get(0))
        .isEqualTo(json("{'token':'a','logprob':-1}"));
  }

  @Test
  @DisplayName("does not repeat the logprobs in its frames for a caller of the same dialect")
  void framed() throws IOException {
    String withLogprobs =
        frame(
            "response.output_text.delta",
            "'output_index':2,'delta':'a','logprobs':[{'token':'a','logprob':-1}]");
    assertThat(kinds(new ResponsesStreams(true).read(withLogprobs, COMPLETED)))
        .containsExactly("TextDelta", "UsageReport", "Finished");
  }

  @Test
  @DisplayName("ends with the reason of a response that is incomplete")
  void incomplete() throws IOException {
    List<Event> events =
        streams.read(
            frame(
                "response.incomplete",
                "'response':{'status':'incomplete','incomplete_details':"
                    + "{'reason':'max_output_tokens'}}"));
    var finished = (Event.Finished) events.getLast();
    assertThat(finished.reason()).isEqualTo(StopReason.LENGTH);
    assertThat(finished.nativeReason()).isEqualTo("max_output_tokens");
    assertThat(kinds(streams.read(frame("response.completed", "'response':{}"))))
        .containsExactly("Finished");
  }
}
