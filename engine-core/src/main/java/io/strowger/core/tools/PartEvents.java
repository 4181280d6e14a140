package io.strowger.core.tools;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the parts of an unstreamed turn to the events of a stream. Pure functions. */
final class PartEvents {
  private PartEvents() {}

  /**
   * Returns the events of parts. Images, files and other parts without an event are left out; parts
   * of an unknown type become frames of their dialect.
   *
   * @param dialect the dialect of the answer
   */
  static List<Event> of(List<Part> parts, Dialect dialect) {
    var events = new ArrayList<Event>();
    int calls = 0;
    for (Part part : parts) {
      switch (part) {
        case Part.Text p -> events.add(new Event.TextDelta(p.text(), null));
        case Part.Thinking p -> addThinking(p, events);
        case Part.Refusal p -> events.add(new Event.RefusalDelta(p.text(), null));
        case Part.Citation p -> events.add(new Event.Annotation(p.body(), null));
        case Part.Logprobs p -> events.add(new Event.Logprobs(p.content()));
        case Part.ServerToolRun p -> events.add(new Event.ServerToolRun(p));
        case Part.ToolCall p ->
            events.add(
                new Event.ToolCallDelta(calls++, p.id(), p.name(), p.arguments().asString(), null));
        case Part.Image p -> {}
        case Part.Audio p -> {}
        case Part.Video p -> {}
        case Part.File p -> {}
        case Part.ToolResult p -> {}
        case Part.Unknown p -> addUnknown(p, dialect, events);
      }
    }
    return events;
  }

  private static void addUnknown(Part.Unknown part, Dialect dialect, List<Event> events) {
    switch (dialect) {
      case CHAT -> {
        Json.Obj delta = Json.object().put(part.type(), part.source()).build();
        Json.Obj choice = Json.object().put("index", 0).put("delta", delta).build();
        events.add(
            new Event.OtherContent(Json.object().put("choices", Json.array(choice)).build()));
      }
      case MESSAGES -> {
        events.add(
            new Event.OtherContent(
                Json.object()
                    .put("type", "content_block_start")
                    .put("index", 0)
                    .put("content_block", part.source())
                    .build()));
        events.add(new Event.BlockStop(null));
      }
      case RESPONSES -> {
        events.add(itemFrame("response.output_item.added", part.source()));
        events.add(itemFrame("response.output_item.done", part.source()));
      }
      case GEMINI -> {} // no caller speaks it
    }
  }

  private static Event itemFrame(String type, Json item) {
    return new Event.OtherContent(
        Json.object().put("type", type).put("output_index", 0).put("item", item).build());
  }

  private static void addThinking(Part.Thinking thought, List<Event> events) {
    @Nullable String format = thought.format();
    switch (thought.kind()) {
      case ENCRYPTED ->
          events.add(new Event.EncryptedReasoning(thought.text(), format, thought.id(), null));
      case SUMMARY ->
          events.add(new Event.ReasoningDelta(thought.text(), true, format, thought.id(), null));
      case TEXT -> {
        events.add(new Event.ReasoningDelta(thought.text(), false, format, thought.id(), null));
        if (thought.signature() != null) {
          events.add(new Event.ReasoningSignature(thought.signature(), format, null));
        }
      }
    }
  }
}
