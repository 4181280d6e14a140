package io.strowger.conformance.dialects;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.TestJson;
import io.strowger.providers.sse.SseReader;
import io.strowger.spi.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/**
 * Asserts that a finished stream keeps to the framing rules of its dialect, whatever it contains.
 */
public final class StreamAssertions {
  private static final String DONE = "[DONE]";

  private StreamAssertions() {}

  /** Asserts the rules for a finished stream; one that failed midway may leave blocks open. */
  public static void assertWellFormed(CallerDialect caller, byte[] stream, boolean failed) {
    List<String> data = data(stream);
    switch (caller) {
      case CHAT -> chat(data, failed);
      case MESSAGES -> messages(frames(data), failed);
      case RESPONSES -> responses(frames(data), failed);
    }
  }

  private static List<String> data(byte[] stream) {
    var data = new ArrayList<String>();
    var reader = new SseReader(new ByteArrayInputStream(stream));
    try {
      while (reader.next()) {
        byte[] one = Arrays.copyOfRange(reader.buffer(), reader.start(), reader.end());
        data.add(new String(one, StandardCharsets.UTF_8));
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    assertThat(reader.isTruncated()).as("the last event is whole").isFalse();
    return data;
  }

  private static List<Json.Obj> frames(List<String> data) {
    return data.stream().map(one -> TestJson.parse(one.getBytes(StandardCharsets.UTF_8))).toList();
  }

  /**
   * Exactly one {@code finish_reason} and nothing after it; the id of a tool call in its first
   * piece and in no other; {@code [DONE]} exactly when the stream did not fail.
   */
  private static void chat(List<String> data, boolean failed) {
    assertThat(data.contains(DONE)).isEqualTo(!failed);
    int finishes = 0;
    var calls = new HashSet<Long>();
    for (Json.Obj frame : frames(failed ? data : data.subList(0, data.size() - 1))) {
      Json.Arr choices = frame.list("choices");
      if (choices == null || choices.isEmpty()) {
        continue;
      }
      Json.Obj choice = (Json.Obj) choices.get(0);
      if (choice.longValue("index", 0) != 0) {
        continue;
      }
      assertThat(finishes).as("no content after the finish: %s", frame).isZero();
      String reason = choice.text("finish_reason");
      finishes += reason == null || reason.isEmpty() ? 0 : 1;
      Json.Obj delta = choice.object("delta");
      Json.Arr pieces = delta == null ? null : delta.list("tool_calls");
      for (Json piece : pieces == null ? List.<Json>of() : pieces) {
        Json.Obj call = (Json.Obj) piece;
        boolean first = calls.add(call.longValue("index", 0));
        assertThat(call.has("id"))
            .as("the id is in the first piece only: %s", call)
            .isEqualTo(first);
      }
    }
    assertThat(finishes).isEqualTo(1);
  }

  /** Block indexes have no gaps, one block is open at a time, and all are closed before the end. */
  private static void messages(List<Json.Obj> frames, boolean failed) {
    long blocks = 0;
    boolean open = false;
    for (Json.Obj frame : frames) {
      String type = Objects.requireNonNull(frame.text("type"));
      switch (type) {
        case "content_block_start" -> {
          assertThat(open).as("another block is open").isFalse();
          assertThat(frame.longValue("index", -1)).isEqualTo(blocks);
          open = true;
        }
        case "content_block_delta" -> {
          assertThat(open).as("a block is open: %s", frame).isTrue();
          assertThat(frame.longValue("index", -1)).isEqualTo(blocks);
        }
        case "content_block_stop" -> {
          assertThat(open).isTrue();
          assertThat(frame.longValue("index", -1)).isEqualTo(blocks++);
          open = false;
        }
        case "message_delta", "message_stop" -> assertThat(open).isFalse();
        default -> {}
      }
    }
    List<String> types = frames.stream().map(frame -> frame.text("type")).toList();
    if (failed) {
      assertThat(types).endsWith("error");
      assertThat(types).filteredOn("error"::equals).hasSize(1);
    } else {
      assertThat(types).startsWith("message_start").endsWith("message_delta", "message_stop");
      for (String once : List.of("message_start", "message_delta", "message_stop")) {
        assertThat(types).filteredOn(once::equals).as(once).hasSize(1);
      }
    }
  }

  /**
   * Sequence numbers have no gaps, items are added in order and each is completed, and there is
   * exactly one final event.
   */
  private static void responses(List<Json.Obj> frames, boolean failed) {
    var open = new HashMap<Long, Boolean>();
    long sequence = 0;
    for (Json.Obj frame : frames) {
      assertThat(frame.longValue("sequence_number", -1)).as("%s", frame).isEqualTo(sequence++);
      String type = Objects.requireNonNull(frame.text("type"));
      if (type.equals("response.output_item.added")) {
        assertThat(frame.longValue("output_index", -1)).isEqualTo(open.size());
        open.put(frame.longValue("output_index", -1), true);
      } else if (frame.has("output_index")) {
        long at = frame.longValue("output_index", -1);
        assertThat(open).as("the item is open: %s", frame).containsEntry(at, true);
        open.put(at, !type.equals("response.output_item.done"));
      }
    }
    List<String> types = frames.stream().map(frame -> frame.text("type")).toList();
    List<String> finalTypes =
        List.of("response.completed", "response.incomplete", "response.failed", "error");
    assertThat(finalTypes).contains(types.getLast());
    assertThat(types).filteredOn(finalTypes::contains).hasSize(1);
    if (!failed) {
      assertThat(open.values()).doesNotContain(true);
    }
  }
}
