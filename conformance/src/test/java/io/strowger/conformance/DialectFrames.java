package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Reassembles an answer from the frames of a stream, as a strict client would: frames out of order,
 * overlapping blocks and sequence numbers with a gap are failures.
 */
final class DialectFrames {
  private DialectFrames() {}

  /** Returns the JSON of each frame, in order; other lines are checked and left out. */
  static List<JsonNode> read(DialectClient client, String body) {
    var frames = new ArrayList<JsonNode>();
    boolean done = false;
    for (String event : body.split("\n\n")) {
      String name = "";
      for (String line : event.split("\n")) {
        if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.equals("data: [DONE]")) {
          done = true;
        } else if (line.startsWith("data: ")) {
          assertThat(done).as("a frame after [DONE]").isFalse();
          JsonNode frame = DialectClient.parse(line.substring(6));
          assertThat(name).isIn("", frame.path("type").asText());
          assertThat(client == DialectClient.MESSAGES && name.isEmpty())
              .as("an event without a name")
              .isFalse();
          frames.add(frame);
        } else {
          assertThat(line).startsWith(":");
        }
      }
    }
    boolean failed = frames.getLast().has("error");
    assertThat(done).as("[DONE]").isEqualTo(client == DialectClient.CHAT && !failed);
    return frames;
  }

  /** Returns the answer as it would be if it were not streamed. */
  static JsonNode assemble(DialectClient client, List<JsonNode> frames) {
    return switch (client) {
      case CHAT -> chat(frames);
      case MESSAGES -> messages(frames);
      case RESPONSES -> responses(frames);
    };
  }

  private static JsonNode chat(List<JsonNode> chunks) {
    ObjectNode answer = (ObjectNode) DialectClient.json("{'choices':[{'message':{}}]}");
    ObjectNode choice = (ObjectNode) answer.at("/choices/0");
    ObjectNode message = (ObjectNode) choice.path("message");
    for (JsonNode chunk : chunks) {
      for (String name : List.of("id", "model", "usage", "provider", "router_metadata")) {
        if (chunk.hasNonNull(name)) {
          answer.set(name, chunk.path(name));
        }
      }
      JsonNode from = chunk.at("/choices/0");
      append(message, from.path("delta"), "content");
      append(message, from.path("delta"), "reasoning");
      append(message, from.path("delta"), "refusal");
      from.path("delta").path("tool_calls").forEach(call -> fragment(message, call));
      from.path("delta").path("reasoning_details").forEach(detail -> detail(message, detail));
      if (from.hasNonNull("finish_reason")) {
        assertThat(choice.has("finish_reason")).as("a second finish reason").isFalse();
        choice.set("finish_reason", from.path("finish_reason"));
        choice.set("native_finish_reason", from.path("native_finish_reason"));
      }
    }
    assertThat(chunks.getLast().path("choices"))
        .as("choices of the last chunk, which has the usage")
        .isEmpty();
    message.put("role", "assistant");
    return answer;
  }

  private static void fragment(ObjectNode message, JsonNode call) {
    ArrayNode calls = message.withArray("tool_calls");
    int index = call.path("index").asInt(-1);
    if (index == calls.size()) {
      assertThat(call.path("id").asText()).isNotEmpty();
      calls.add(call.deepCopy());
      return;
    }
    assertThat(index).isBetween(0, calls.size() - 1);
    assertThat(call.has("id") || call.has("type"))
        .as("an id or type in a later fragment")
        .isFalse();
    append((ObjectNode) calls.get(index).path("function"), call.path("function"), "arguments");
  }

  private static void detail(ObjectNode message, JsonNode detail) {
    ArrayNode details = message.withArray("reasoning_details");
    for (JsonNode known : details) {
      if (known.path("index").equals(detail.path("index"))
          && known.path("type").equals(detail.path("type"))) {
        for (String name : List.of("text", "summary", "data", "signature")) {
          append((ObjectNode) known, detail, name);
        }
        for (String name : List.of("id", "format")) {
          if (detail.hasNonNull(name)) {
            ((ObjectNode) known).set(name, detail.path(name));
          }
        }
        return;
      }
    }
    details.add(detail.deepCopy());
  }

  private static void append(ObjectNode to, JsonNode from, String name) {
    if (from.hasNonNull(name)) {
      to.put(name, to.path(name).asText("") + from.path(name).asText());
    }
  }

  private static JsonNode messages(List<JsonNode> events) {
    assertThat(events.getFirst().path("type").asText()).isEqualTo("message_start");
    assertThat(events.getLast().path("type").asText()).isEqualTo("message_stop");
    ObjectNode answer = events.getFirst().path("message").deepCopy();
    ArrayNode content = answer.withArray("content");
    assertThat(content).isEmpty();
    var input = new StringBuilder();
    boolean open = false;
    for (JsonNode event : events) {
      switch (event.path("type").asText()) {
        case "content_block_start" -> {
          assertThat(open).as("a block is open at the start of the next").isFalse();
          open = true;
          assertThat(event.path("index").asInt()).isEqualTo(content.size());
          content.add(event.path("content_block").deepCopy());
          input.setLength(0);
        }
        case "content_block_delta" -> {
          assertThat(open).as("a block is open at a delta").isTrue();
          assertThat(event.path("index").asInt()).isEqualTo(content.size() - 1);
          ObjectNode block = (ObjectNode) content.get(content.size() - 1);
          JsonNode delta = event.path("delta");
          append(block, delta, "text");
          append(block, delta, "thinking");
          append(block, delta, "signature");
          input.append(delta.path("partial_json").asText(""));
        }
        case "content_block_stop" -> {
          assertThat(open).as("a block is open at its end").isTrue();
          open = false;
          if (!input.isEmpty()) {
            ((ObjectNode) content.get(content.size() - 1))
                .set("input", DialectClient.parse(input.toString()));
          }
          input.setLength(0);
        }
        case "message_delta" -> {
          assertThat(open).as("a block is open at the end of the message").isFalse();
          answer.setAll((ObjectNode) event.path("delta"));
          ((ObjectNode) answer.path("usage")).setAll((ObjectNode) event.path("usage"));
        }
        case "message_stop" -> {
          if (event.has("router_metadata")) {
            answer.set("router_metadata", event.path("router_metadata"));
          }
        }
        default -> assertThat(event.path("type").asText()).isIn("message_start", "ping");
      }
    }
    return answer;
  }

  /**
   * Asserts that every delta belongs to an open part, and that the final response equals the
   * reassembled items.
   */
  private static JsonNode responses(List<JsonNode> events) {
    ArrayNode output = DialectClient.array();
    var open = new ArrayList<String>();
    long number = -1;
    for (JsonNode event : events) {
      assertThat(event.path("sequence_number").asLong()).isEqualTo(number + 1);
      number = event.path("sequence_number").asLong();
      item(event, output, open);
    }
    assertThat(open).as("parts that are still open").isEmpty();
    JsonNode answer = events.getLast().path("response");
    assertThat(output)
        .as("the output reassembled from the stream")
        .isEqualTo(answer.path("output"));
    return answer;
  }

  private static void item(JsonNode event, ArrayNode output, List<String> open) {
    String type = event.path("type").asText().replaceFirst("^response\\.", "");
    JsonNode item = output.path(event.path("output_index").asInt(-1));
    switch (type) {
      case "output_item.added" -> {
        assertThat(event.path("output_index").asInt(-1)).isEqualTo(output.size());
        output.add(event.path("item").deepCopy());
      }
      case "output_item.done" -> output.set(event.path("output_index").asInt(), event.path("item"));
      case "content_part.added" -> part(event, item, "content", open);
      case "reasoning_summary_part.added" -> part(event, item, "summary", open);
      case "content_part.done", "reasoning_summary_part.done" -> {
        assertThat(open.remove(place(event))).as("%s", event).isTrue();
        String list = type.startsWith("content") ? "content" : "summary";
        int index = event.path(counter(list)).asInt(-1);
        assertThat(item.path(list).path(index)).as("%s", event).isEqualTo(event.path("part"));
      }
      case "output_text.delta", "reasoning_text.delta" ->
          delta(event, item, "content", "text", open);
      case "refusal.delta" -> delta(event, item, "content", "refusal", open);
      case "reasoning_summary_text.delta" -> delta(event, item, "summary", "text", open);
      case "function_call_arguments.delta" -> {
        assertThat(item.path("type").asText()).isEqualTo("function_call");
        ((ObjectNode) item)
            .put("arguments", item.path("arguments").asText() + event.path("delta").asText());
      }
      case "function_call_arguments.done" ->
          assertThat(event.path("arguments")).isEqualTo(item.path("arguments"));
      default -> {}
    }
  }

  private static String counter(String list) {
    return list.equals("content") ? "content_index" : "summary_index";
  }

  private static String place(JsonNode event) {
    return "%s/%s/%s"
        .formatted(
            event.path("output_index"), event.path("content_index"), event.path("summary_index"));
  }

  private static void part(JsonNode event, JsonNode item, String list, List<String> open) {
    ArrayNode parts = ((ObjectNode) item).withArray(list);
    assertThat(event.path(counter(list)).asInt(-1)).as("%s", event).isEqualTo(parts.size());
    assertThat(event.path("item_id")).isEqualTo(item.path("id"));
    parts.add(event.path("part").deepCopy());
    open.add(place(event));
  }

  private static void delta(
      JsonNode event, JsonNode item, String list, String member, List<String> open) {
    assertThat(open).as("open parts at the delta %s", event).contains(place(event));
    JsonNode part = item.path(list).path(event.path(counter(list)).asInt(-1));
    append(
        (ObjectNode) part,
        ((ObjectNode) event.deepCopy()).set(member, event.path("delta")),
        member);
  }
}
