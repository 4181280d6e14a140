package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the events of an upstream of this dialect unchanged, except for their sequence numbers
 * and output indexes, and records their content in the output. If a text was changed on the way to
 * the caller, the upstream's closing events for that text are corrected, so that they repeat what
 * the caller received. Confined to one thread.
 */
final class UpstreamFrames {
  private final ResponseOutput output;
  private final OutputListener listener;
  private final Map<Long, OutputItem> openItems = new HashMap<>(); // by the upstream's output index

  UpstreamFrames(ResponseOutput output, OutputListener listener) {
    this.output = output;
    this.listener = listener;
  }

  /** Returns the upstream's frame of an event if it is of this dialect, otherwise null. */
  static Json.@Nullable Obj frame(Event event) {
    Json.Obj frame =
        switch (event) {
          case Event.Started e -> e.frame();
          case Event.TextDelta e -> e.template() == null ? null : e.template().firstFrame();
          case Event.ReasoningDelta e -> e.template() == null ? null : e.template().firstFrame();
          case Event.BlockStart e -> e.frame();
          case Event.BlockStop e -> e.frame();
          case Event.ReasoningSignature e -> e.frame();
          case Event.EncryptedReasoning e -> e.frame();
          case Event.RefusalDelta e -> e.frame();
          case Event.ToolCallDelta e -> e.frame();
          case Event.Annotation e -> e.frame();
          case Event.OtherContent e -> e.frame();
          case Event.UsageReport e -> e.frame();
          case Event.Finished e -> e.frame();
          case Event.Logprobs e -> null;
          case Event.ServerToolRun e -> null;
          case Event.UpstreamBodyEcho e -> null;
          case Event.AudioDelta e -> null;
          case Event.CompleteAnswer e -> null;
          case Event.Failed e -> null;
        };
    String type = frame == null ? null : frame.text("type");
    return type != null && type.startsWith("response.") ? frame : null;
  }

  /**
   * Passes on an event and records its content in the output.
   *
   * @return false when the event has no frame of this dialect, or its item was not announced; then
   *     nothing was written, and the caller must write the event in another way
   */
  boolean passOn(Event event) {
    Json.Obj frame = frame(event);
    if (frame == null) {
      return false;
    }
    String type = String.valueOf(frame.text("type"));
    switch (type) {
      case "response.created" -> beginNextTurn();
      case "response.queued", "response.in_progress" -> {}
      case "response.output_item.added" -> addItem(event, frame);
      default -> {
        if (!frame.has("output_index")) {
          listener.onUpstreamFrame(frame, -1, null);
          return true;
        }
        OutputItem item = openItems.get(frame.longValue("output_index", -1));
        if (item == null) {
          return false;
        }
        handleItemEvent(item, type, frame, event);
      }
    }
    return true;
  }

  private void beginNextTurn() {
    openItems.clear();
    output.beginNextTurn();
  }

  private void addItem(Event event, Json.Obj frame) {
    Json.Obj announced = frame.object("item");
    OutputItem item = output.beginUpstreamItem(announced == null ? Json.Obj.EMPTY : announced);
    openItems.put(frame.longValue("output_index", -1), item);
    if (event instanceof Event.ToolCallDelta call) {
      output.assignCall(call.index(), item);
    }
    listener.onUpstreamFrame(frame, item.index(), null);
  }

  private void handleItemEvent(OutputItem item, String type, Json.Obj frame, Event event) {
    output.markChanged(item);
    ItemText.Kind kind = ItemText.Kind.ofEvent(type);
    if (kind != null) {
      handleTextEvent(item, kind, type, frame, event);
      return;
    }
    switch (type) {
      case "response.content_part.added", "response.reasoning_summary_part.added" -> {
        beginPart(item, frame);
        listener.onUpstreamFrame(frame, item.index(), null);
      }
      case "response.content_part.done", "response.reasoning_summary_part.done" ->
          endPart(item, frame);
      case "response.output_item.done" -> endItem(item, frame);
      case "response.output_text.annotation.added" -> {
        ItemText itemText =
            item.findText(ItemText.Kind.TEXT, (int) frame.longValue("content_index", 0));
        Json.Obj passedFrame = frame;
        if (itemText != null && frame.object("annotation") instanceof Json.Obj annotation) {
          int annotationIndex = itemText.nextAnnotation();
          passedFrame =
              itemText.correctedAnnotations() == null
                  ? frame
                  : frame.with("annotation_index", Json.of(annotationIndex));
          itemText.addAnnotation(annotation);
        }
        listener.onUpstreamFrame(passedFrame, item.index(), null);
      }
      default -> listener.onUpstreamFrame(frame, item.index(), null);
    }
  }

  /** Handles an event for one text of an item: a delta, or the end of the text. */
  private void handleTextEvent(
      OutputItem item, ItemText.Kind kind, String type, Json.Obj frame, Event event) {
    int index = kind.indexMember().isEmpty() ? 0 : (int) frame.longValue(kind.indexMember(), 0);
    ItemText existing = item.findText(kind, index);
    ItemText itemText = existing == null ? beginUnannounced(item, kind, index) : existing;
    if (type.endsWith(".delta")) {
      Json.Str text = eventText(event, frame);
      itemText.append(text);
      Json.Arr logprobs = frame.list("logprobs");
      if (logprobs != null) {
        itemText.addLogprobs(logprobs);
      }
      listener.onUpstreamFrame(frame, item.index(), text);
    } else {
      itemText.markTextDone();
      listener.onUpstreamFrame(OutputItem.withChangedText(frame, itemText), item.index(), null);
    }
    if (kind == ItemText.Kind.REFUSAL) {
      output.markRefusal();
    }
  }

  /** Begins and announces a text that the upstream failed to announce. */
  private ItemText beginUnannounced(OutputItem item, ItemText.Kind kind, int index) {
    ItemText itemText = item.beginText(kind, index);
    itemText.announce(listener);
    return itemText;
  }

  /**
   * Returns the event's own text. Events share a template, and the frame of the template has the
   * text of the event it was made from.
   */
  private static Json.Str eventText(Event event, Json.Obj frame) {
    if (event instanceof Event.TextDelta delta) {
      return delta.text();
    }
    if (event instanceof Event.ReasoningDelta delta) {
      return delta.text();
    }
    return frame.get("delta") instanceof Json.Str text ? text : Json.of("");
  }

  private static void beginPart(OutputItem item, Json.Obj frame) {
    Json.Obj part = frame.object("part");
    ItemText.Kind kind = part == null ? null : ItemText.Kind.ofPart(part);
    if (kind != null) {
      int index = (int) frame.longValue(kind.indexMember(), 0);
      if (item.findText(kind, index) == null) {
        item.beginText(kind, index);
      }
    }
  }

  private void endPart(OutputItem item, Json.Obj frame) {
    Json.Obj part = frame.object("part");
    ItemText.Kind kind = part == null ? null : ItemText.Kind.ofPart(part);
    ItemText itemText =
        kind == null ? null : item.findText(kind, (int) frame.longValue(kind.indexMember(), 0));
    if (part == null || itemText == null) {
      listener.onUpstreamFrame(frame, item.index(), null);
      return;
    }
    itemText.markPartDone();
    Json.Obj corrected = OutputItem.withChangedText(part, itemText);
    listener.onUpstreamFrame(
        corrected == part ? frame : frame.with("part", corrected), item.index(), null);
  }

  private void endItem(OutputItem item, Json.Obj frame) {
    Json.Obj upstreamItem = frame.object("item");
    Json.Obj document = item.withChangedTexts(upstreamItem == null ? Json.Obj.EMPTY : upstreamItem);
    item.closeTexts(listener);
    listener.onUpstreamFrame(
        document == upstreamItem ? frame : frame.with("item", document), item.index(), null);
    output.finishUpstreamItem(item, document);
    openItems.values().remove(item);
  }
}
