package io.strowger.core.dialect.messages;

import static io.strowger.core.dialect.EncodedAnswers.json;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.END;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.blocks;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.call;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.inputDelta;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.moreArguments;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.stop;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.text;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.textDelta;
import static io.strowger.core.dialect.messages.MessagesFormatTexts.toolUse;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Replies;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Event;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Tool calls in a messages stream")
class ParallelCallsTest {
  @Proves({"messages.answer.3", "translation.case.18"})
  @Test
  @DisplayName(
      "Case 18: that arrive interleaved are written one after the other, and each is stopped")
  void interleaved() {
    assertThat(
            blocks(
                call(0, "a", "f", "{\"x\":"),
                call(1, "b", "g", "{\"y\":"),
                moreArguments(0, "1"),
                moreArguments(1, "2}"),
                new Event.TextDelta("and"),
                moreArguments(0, "}"),
                END))
        .containsExactly(
            toolUse(0, "a", "f"),
            inputDelta(0, "{\\'x\\':"),
            inputDelta(0, "1"),
            inputDelta(0, "}"),
            stop(0),
            toolUse(1, "b", "g"),
            inputDelta(1, "{\\'y\\':"),
            inputDelta(1, "2}"),
            stop(1),
            text(2),
            textDelta(2, "and"),
            stop(2));
  }

  @Test
  @DisplayName("do not wait for ever for a call that is not complete")
  void waitingWithoutEnd() {
    var writer = new MessagesStreamWriter(Replies.answered(), false);
    var out = new JsonOutput(1 << 20);
    writer.write(call(0, "a", "f", "{\"x\":"), out);
    writer.write(call(1, "b", "g", "{\"y\":"), out);
    int lengthBefore = out.length();
    for (int i = 0; i < 5_000; i++) {
      writer.write(moreArguments(1, "1"), out);
    }
    assertThat(out.length()).isGreaterThan(lengthBefore + 5_000);
  }

  @Test
  @DisplayName("are not all that is bounded: the text of a refusal ends after 65,536 characters")
  void longRefusal() {
    var writer = new MessagesStreamWriter(Replies.answered(), false);
    var out = new JsonOutput(1 << 20);
    for (int i = 0; i < 1_000; i++) {
      writer.write(new Event.RefusalDelta(Json.of("x".repeat(1_000)), null), out);
    }
    writer.write(END, out);
    assertThat(out.length()).isBetween(65_536, 70_000);
  }

  /** Returns what is written for each event, as the caller could read it at that moment. */
  private static List<String> outputs(Event... events) {
    var writer = new MessagesStreamWriter(Replies.answered(), false);
    var out = new JsonOutput(64);
    var outputs = new ArrayList<String>();
    for (Event event : events) {
      out.reset();
      writer.write(event, out);
      outputs.add(new String(out.toByteArray(), StandardCharsets.UTF_8).replace('"', '\''));
    }
    return outputs;
  }

  @Proves("translation.case.20")
  @Test
  @DisplayName("Case 20: have each fragment written at once, also those of the second call")
  void atOnce() {
    List<String> outputs =
        outputs(
            call(0, "a", "f", ""),
            moreArguments(0, "{\"x\":"),
            moreArguments(0, "\"}\"}"),
            call(1, "b", "g", ""),
            moreArguments(1, "{\"y\""));
    assertThat(outputs.get(0)).contains("'id':'a'");
    assertThat(outputs.get(1)).contains("'partial_json':'{\\'x\\':'");
    assertThat(outputs.get(2)).contains("'partial_json':'\\'}\\'}'").doesNotContain("_stop");
    assertThat(outputs.get(3)).contains("content_block_stop", "'id':'b'");
    assertThat(outputs.get(4)).contains("'partial_json':'{\\'y\\''");
  }

  @Test
  @DisplayName("wait while another call is open, and are written as soon as that one is complete")
  void waiting() {
    List<String> outputs =
        outputs(
            call(0, "a", "f", "{"),
            call(1, "b", "g", "{}"),
            new Event.TextDelta("t"),
            moreArguments(0, "}"),
            new Event.TextDelta("u"));
    assertThat(outputs.get(1)).isEmpty();
    assertThat(outputs.get(2)).isEmpty();
    assertThat(outputs.get(3))
        .containsSubsequence("'}'", "_stop", "'id':'b'", "'{}'", "_stop", "'text':'t'");
    assertThat(outputs.get(4)).contains("'text':'u'").doesNotContain("_start");
  }

  @Proves("translation.case.19")
  @Test
  @DisplayName(
      "Case 19: without arguments have {} in one fragment, since clients read the input from the "
          + "fragments")
  void withoutArguments() {
    assertThat(
            blocks(
                call(0, "a", "f", ""),
                call(1, "b", "g", " "),
                call(2, "c", "h", "null"),
                call(3, "d", "i", "{}"),
                END))
        .containsExactly(
            toolUse(0, "a", "f"),
            inputDelta(0, "{}"),
            stop(0),
            toolUse(1, "b", "g"),
            inputDelta(1, "{}"),
            stop(1),
            toolUse(2, "c", "h"),
            inputDelta(2, "{}"),
            stop(2),
            toolUse(3, "d", "i"),
            inputDelta(3, "{}"),
            stop(3));
  }

  @Test
  @DisplayName("that never become complete are still stopped at the end")
  void malformed() {
    assertThat(blocks(call(0, "a", "f", "{\"x"), call(1, "b", "g", "7"), END))
        .containsExactly(
            toolUse(0, "a", "f"),
            inputDelta(0, "{\\'x"),
            stop(0),
            toolUse(1, "b", "g"),
            inputDelta(1, "7"),
            stop(1));
  }

  @Test
  @DisplayName("without arguments are closed when the upstream stops them, even while they wait")
  void stopped() {
    assertThat(
            blocks(
                call(0, "a", "f", "{"),
                call(1, "b", "g", ""),
                new Event.BlockStop(null),
                moreArguments(0, "}"),
                new Event.BlockStop(null),
                new Event.TextDelta("t"),
                END))
        .containsExactly(
            toolUse(0, "a", "f"),
            inputDelta(0, "{"),
            inputDelta(0, "}"),
            stop(0),
            toolUse(1, "b", "g"),
            inputDelta(1, "{}"),
            stop(1),
            text(2),
            textDelta(2, "t"),
            stop(2));
  }

  @Test
  @DisplayName("keep arguments that arrive after another block's stop")
  void foreignStop() {
    assertThat(
            blocks(
                call(0, "a", "f", "{"),
                new Event.BlockStop(null),
                new Event.BlockStop(json("{'type':'response.output_item.done'}")),
                moreArguments(0, "}"),
                END))
        .containsExactly(toolUse(0, "a", "f"), inputDelta(0, "{"), inputDelta(0, "}"), stop(0));
  }

  @Test
  @DisplayName("get an id from the gateway when the upstream gave them none")
  void unnamed() {
    Event unnamed = new Event.ToolCallDelta(0, null, null, Json.of("{}"), null);
    assertThat(blocks(unnamed, END)).startsWith(toolUse(0, Replies.ID + "_0", ""));
  }

  @Test
  @DisplayName("have nothing written after their block was stopped")
  void afterTheEnd() {
    assertThat(
            blocks(call(0, "a", "f", "{}"), new Event.TextDelta("t"), moreArguments(0, "\n"), END))
        .containsExactly(
            toolUse(0, "a", "f"),
            inputDelta(0, "{}"),
            stop(0),
            text(1),
            textDelta(1, "t"),
            stop(1));
  }
}
