package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One streamed text of an output item, with its annotations and logprobs. Confined to one thread.
 */
final class ItemText {
  /** The kind of a text. */
  enum Kind {
    TEXT("response.output_text", "output_text", "text", "content_index"),
    REFUSAL("response.refusal", "refusal", "refusal", "content_index"),
    REASONING_TEXT("response.reasoning_text", "reasoning_text", "text", "content_index"),
    SUMMARY("response.reasoning_summary_text", "summary_text", "text", "summary_index"),
    ARGUMENTS("response.function_call_arguments", "", "arguments", ""),
    INPUT("response.custom_tool_call_input", "", "input", "");

    private final String event;
    private final String part;
    private final String textMember;
    private final String indexMember;

    Kind(String event, String part, String textMember, String indexMember) {
      this.event = event;
      this.part = part;
      this.textMember = textMember;
      this.indexMember = indexMember;
    }

    /** Returns the kind of a part of an item; null when it is not known. */
    static @Nullable Kind ofPart(Json.Obj part) {
      String type = part.text("type");
      return switch (type == null ? "" : type) {
        case "output_text" -> TEXT;
        case "refusal" -> REFUSAL;
        case "reasoning_text" -> REASONING_TEXT;
        case "summary_text" -> SUMMARY;
        default -> null;
      };
    }

    /** Returns the kind of text that an event type refers to; null for other event types. */
    static @Nullable Kind ofEvent(String type) {
      int end = type.lastIndexOf('.');
      for (Kind kind : values()) {
        if (end == kind.event.length() && type.startsWith(kind.event)) {
          return kind;
        }
      }
      return null;
    }

    /** Returns the type of an event for this kind, such as {@code response.output_text.delta}. */
    String eventType(String suffix) {
      return event + "." + suffix;
    }

    /** Returns the member that holds the text, in its part and in the event that ends it. */
    String textMember() {
      return textMember;
    }

    /**
     * Returns the event member with the text's index in its list; empty when an item has only one
     * such text.
     */
    String indexMember() {
      return indexMember;
    }

    /**
     * Returns the item's list that holds the text; empty when the text is itself a member of the
     * item.
     */
    String listMember() {
      return switch (this) {
        case TEXT, REFUSAL, REASONING_TEXT -> "content";
        case SUMMARY -> "summary";
        case ARGUMENTS, INPUT -> "";
      };
    }

    /** Returns the prefix of the events before and after the text; empty when there are none. */
    String partEventPrefix() {
      return switch (this) {
        case TEXT, REFUSAL, REASONING_TEXT -> "response.content_part";
        case SUMMARY -> "response.reasoning_summary_part";
        case ARGUMENTS, INPUT -> "";
      };
    }
  }

  /**
   * Which of the closing events of the text the listener has received: none, that of the text, all.
   */
  private enum Stage {
    OPEN,
    TEXT_DONE,
    CLOSED
  }

  private final OutputItem item;
  private final Kind kind;
  private final int index;
  private StringBuilder buffer = new StringBuilder();
  // replaces the buffer once the text is read, until more is appended
  private Json.@Nullable Str cachedText;
  private final List<Json> annotations = new ArrayList<>();
  private boolean hasOwnAnnotation; // whether the gateway added an annotation
  private final List<Json> logprobs = new ArrayList<>();
  private final byte[] locationJson;
  private Stage stage = Stage.OPEN;

  /**
   * @param index the index of the text in its list of the item, from 0
   */
  ItemText(OutputItem item, Kind kind, int index) {
    this.item = item;
    this.kind = kind;
    this.index = index;
    byte[] object = location().build().toBytes();
    object[0] = ',';
    this.locationJson = Arrays.copyOf(object, object.length - 1);
  }

  Kind kind() {
    return kind;
  }

  int index() {
    return index;
  }

  boolean isOpen() {
    return stage == Stage.OPEN;
  }

  /** Returns the members that identify the text's place in the output. */
  private Json.Obj.Builder location() {
    Json.Obj.Builder place =
        Json.object().put("item_id", item.id()).put("output_index", item.index());
    return kind.indexMember().isEmpty() ? place : place.put(kind.indexMember(), index);
  }

  /**
   * Returns the members that identify the text's place as JSON, from the comma before the first
   * member to the last value. The caller must not change the array.
   */
  byte[] locationJson() {
    return locationJson;
  }

  /** Returns the part of the item, with the text so far. */
  Json.Obj part() {
    Json.Obj.Builder part = Json.object().put("type", kind.part).put(kind.textMember, text());
    return kind == Kind.TEXT
        ? part.put("annotations", Json.array(annotations))
            .put("logprobs", Json.array(logprobs))
            .build()
        : part.build();
  }

  /** Returns the text so far; the value is shared, since the text may be long. */
  Json.Str text() {
    Json.Str text = cachedText;
    if (text == null) {
      text = Json.of(buffer.toString());
      cachedText = text;
      buffer = new StringBuilder(0);
    }
    return text;
  }

  boolean isEmpty() {
    return length() == 0;
  }

  int length() {
    return cachedText == null ? buffer.length() : cachedText.text().length();
  }

  void announce(OutputListener listener) {
    if (!kind.partEventPrefix().isEmpty()) {
      listener.onEvent(kind.partEventPrefix() + ".added", location().put("part", part()).build());
    }
  }

  void appendText(Json.Str text, Json.Arr tokenLogprobs, OutputListener listener) {
    append(text);
    addLogprobs(tokenLogprobs);
    listener.onText(this, text, tokenLogprobs);
  }

  /** Appends a text without notifying the listener. */
  void append(Json.Str text) {
    if (cachedText != null) {
      buffer = new StringBuilder(cachedText.text());
      cachedText = null;
    }
    buffer.append(text.text());
  }

  void addLogprobs(Json.Arr tokenLogprobs) {
    for (int i = 0; i < tokenLogprobs.size(); i++) {
      logprobs.add(tokenLogprobs.get(i));
    }
  }

  void annotate(Json.Obj annotation, OutputListener listener) {
    listener.onEvent(
        "response.output_text.annotation.added",
        location()
            .put("annotation_index", annotations.size())
            .put("annotation", annotation)
            .build());
    annotations.add(annotation);
    hasOwnAnnotation = true;
  }

  /** Returns all annotations sent so far; null while all of them are the upstream's. */
  Json.@Nullable Arr correctedAnnotations() {
    return hasOwnAnnotation ? Json.array(annotations) : null;
  }

  /** Returns the index of the next annotation. */
  int nextAnnotation() {
    return annotations.size();
  }

  /** Adds an annotation without notifying the listener. */
  void addAnnotation(Json annotation) {
    annotations.add(annotation);
  }

  /** Records that the event that ends the text was sent. Does not notify the listener. */
  void markTextDone() {
    stage = stage == Stage.CLOSED ? stage : Stage.TEXT_DONE;
  }

  /** Records that the event that ends the text's part was sent. Does not notify the listener. */
  void markPartDone() {
    stage = Stage.CLOSED;
  }

  /** Closes the text and sends the listener the events that are still missing. */
  void close(OutputListener listener) {
    if (stage == Stage.OPEN) {
      Json.Obj.Builder event = location().put(kind.textMember, text());
      if (kind == Kind.TEXT) {
        event.put("logprobs", Json.array(logprobs));
      } else if (kind == Kind.ARGUMENTS) {
        event.put("name", item.name());
      }
      listener.onEvent(kind.eventType("done"), event.build());
    }
    if (stage != Stage.CLOSED && !kind.partEventPrefix().isEmpty()) {
      listener.onEvent(kind.partEventPrefix() + ".done", location().put("part", part()).build());
    }
    stage = Stage.CLOSED;
  }
}
