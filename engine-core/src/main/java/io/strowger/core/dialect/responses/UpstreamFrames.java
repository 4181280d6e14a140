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
  private final Map<Long, OutputItem> open = new HashMap<>(); // by the upstream's output index

  UpstreamFrames(ResponseOutput output, OutputListener listener) {
    this.output = output;
    this.listener = listener;
  }

  /** Returns the upstream's frame of an event if it is of this dialect, otherwise null. */
  static Json.@Nullable Obj frame(Event event) {
    Json.Obj frame =
        switch (event) {
          case Event.Started e -> e.frame();
          case Event.TextDelta e -> e.template() == null ? null : e.template().example();
          case Event.ReasoningDelta e -> e.template() == null ? null : e.template().example();
          case Event.BlockStart e -> e.frame();
          case Event.BlockStop e -> e.frame();
          case Event.ReasoningSignature e -> e.frame();
          case Event.EncryptedReasoning e -> e.frame();
          case Event.RefusalDelta e -> e.frame();
          case Event.ToolCallDelta e -> e.frame();
          case Event.Annotation e -> e.frame();
          case Event.UnmodelledContent e -> e.frame();
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
  boolean take(Event event) {
    Json.Obj frame = frame(event);
    if (frame == null) {
      return false;
    }
    String type = String.valueOf(frame.text("type"));
    switch (type) {
      case "response.created" -> nextTurn();
      case "response.queued", "response.in_progress" -> {}
      case "response.output_item.added" -> added(event, frame);
      default -> {
        if (!frame.has("output_index")) {
          listener.onUpstreamFrame(frame, -1, null);
          return true;
        }
        OutputItem item = open.get(frame.whole("output_index", -1));
        if (item == null) {
          return false;
        }
        itemEvent(item, type, frame, event);
      }
    }
    return true;
  }

  private void nextTurn() {
    open.clear();
    output.nextTurn();
  }

  private void added(Event event, Json.Obj frame) {
    Json.Obj announced = frame.object("item");
    OutputItem item = output.beginUpstreamItem(announced == null ? Json.Obj.EMPTY : announced);
    open.put(frame.whole("output_index", -1), item);
    if (event instanceof Event.ToolCallDelta call) {
      output.assignCall(call.index(), item);
    }
    listener.onUpstreamFrame(frame, item.index(), null);
  }

  private void itemEvent(OutputItem item, String type, Json.Obj frame, Event event) {
    output.markChanged(item);
    ItemPiece.Kind kind = ItemPiece.Kind.ofEvent(type);
    if (kind != null) {
      text(item, kind, type, frame, event);
      return;
    }
    switch (type) {
      case "response.content_part.added", "response.reasoning_summary_part.added" -> {
        part(item, frame);
        listener.onUpstreamFrame(frame, item.index(), null);
      }
      case "response.content_part.done", "response.reasoning_summary_part.done" ->
          partDone(item, frame);
      case "response.output_item.done" -> done(item, frame);
      case "response.output_text.annotation.added" -> {
        ItemPiece piece = item.find(ItemPiece.Kind.TEXT, (int) frame.whole("content_index", 0));
        Json.Obj told = frame;
        if (piece != null && frame.object("annotation") instanceof Json.Obj annotation) {
          int place = piece.nextAnnotation();
          told =
              piece.correctedAnnotations() == null
                  ? frame
                  : frame.with("annotation_index", Json.of(place));
          piece.addAnnotation(annotation);
        }
        listener.onUpstreamFrame(told, item.index(), null);
      }
      default -> listener.onUpstreamFrame(frame, item.index(), null);
    }
  }

  /** Handles an event for one text of an item: a delta, or the end of the text. */
  private void text(
      OutputItem item, ItemPiece.Kind kind, String type, Json.Obj frame, Event event) {
    int index = kind.counter().isEmpty() ? 0 : (int) frame.whole(kind.counter(), 0);
    ItemPiece found = item.find(kind, index);
    ItemPiece piece = found == null ? announced(item, kind, index) : found;
    if (type.endsWith(".delta")) {
      Json.Str text = said(event, frame);
      piece.append(text);
      Json.Arr logprobs = frame.list("logprobs");
      if (logprobs != null) {
        piece.addLogprobs(logprobs);
      }
      listener.onUpstreamFrame(frame, item.index(), text);
    } else {
      piece.markComplete();
      listener.onUpstreamFrame(OutputItem.withChangedText(frame, piece), item.index(), null);
    }
    if (kind == ItemPiece.Kind.REFUSAL) {
      output.markRefused();
    }
  }

  /** Begins and announces a text that the upstream failed to announce. */
  private ItemPiece announced(OutputItem item, ItemPiece.Kind kind, int index) {
    ItemPiece piece = item.begin(kind, index);
    piece.announce(listener);
    return piece;
  }

  /**
   * Returns the event's own text, since the example of a template may have the text of another
   * event.
   */
  private static Json.Str said(Event event, Json.Obj frame) {
    if (event instanceof Event.TextDelta delta) {
      return delta.text();
    }
    if (event instanceof Event.ReasoningDelta delta) {
      return delta.text();
    }
    return frame.get("delta") instanceof Json.Str text ? text : Json.of("");
  }

  private static void part(OutputItem item, Json.Obj frame) {
    Json.Obj part = frame.object("part");
    ItemPiece.Kind kind = part == null ? null : ItemPiece.Kind.ofPart(part);
    if (kind != null) {
      int index = (int) frame.whole(kind.counter(), 0);
      if (item.find(kind, index) == null) {
        item.begin(kind, index);
      }
    }
  }

  private void partDone(OutputItem item, Json.Obj frame) {
    Json.Obj part = frame.object("part");
    ItemPiece.Kind kind = part == null ? null : ItemPiece.Kind.ofPart(part);
    ItemPiece piece = kind == null ? null : item.find(kind, (int) frame.whole(kind.counter(), 0));
    if (part == null || piece == null) {
      listener.onUpstreamFrame(frame, item.index(), null);
      return;
    }
    piece.markClosed();
    Json.Obj corrected = OutputItem.withChangedText(part, piece);
    listener.onUpstreamFrame(
        corrected == part ? frame : frame.with("part", corrected), item.index(), null);
  }

  private void done(OutputItem item, Json.Obj frame) {
    Json.Obj given = frame.object("item");
    Json.Obj document = item.withChangedTexts(given == null ? Json.Obj.EMPTY : given);
    item.closePieces(listener);
    listener.onUpstreamFrame(
        document == given ? frame : frame.with("item", document), item.index(), null);
    output.finished(item, document);
    open.values().remove(item);
  }
}
