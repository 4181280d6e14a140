package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One text of an item while it comes, and what stands beside it. For one thread. */
final class ItemPiece {
  /** What a text is. */
  enum Kind {
    TEXT("response.output_text", "output_text", "text", "content_index"),
    REFUSAL("response.refusal", "refusal", "refusal", "content_index"),
    THOUGHT("response.reasoning_text", "reasoning_text", "text", "content_index"),
    SUMMARY("response.reasoning_summary_text", "summary_text", "text", "summary_index"),
    ARGUMENTS("response.function_call_arguments", "", "arguments", ""),
    INPUT("response.custom_tool_call_input", "", "input", "");

    private final String event;
    private final String part;
    private final String member;
    private final String counter;

    Kind(String event, String part, String member, String counter) {
      this.event = event;
      this.part = part;
      this.member = member;
      this.counter = counter;
    }

    /** What a part of an item is; null when nobody knows. */
    static @Nullable Kind ofPart(Json.Obj part) {
      String type = part.text("type");
      return switch (type == null ? "" : type) {
        case "output_text" -> TEXT;
        case "refusal" -> REFUSAL;
        case "reasoning_text" -> THOUGHT;
        case "summary_text" -> SUMMARY;
        default -> null;
      };
    }

    /** What an event of this type is about; null when it is about no text. */
    static @Nullable Kind ofEvent(String type) {
      int end = type.lastIndexOf('.');
      for (Kind kind : values()) {
        if (end == kind.event.length() && type.startsWith(kind.event)) {
          return kind;
        }
      }
      return null;
    }

    /** The type of an event about it: {@code response.output_text.delta}. */
    String event(String what) {
      return event + "." + what;
    }

    /** The member that holds the text, in its part and in the event that ends it. */
    String member() {
      return member;
    }

    /** What its place among the others of its item is called; empty when there is only one. */
    String counter() {
      return counter;
    }

    /** The list of its item it stands in; empty when it is a member of the item itself. */
    String list() {
      return switch (this) {
        case TEXT, REFUSAL, THOUGHT -> "content";
        case SUMMARY -> "summary";
        case ARGUMENTS, INPUT -> "";
      };
    }

    /** The events that announce it and close it behind its text; empty when there are none. */
    String around() {
      return switch (this) {
        case TEXT, REFUSAL, THOUGHT -> "response.content_part";
        case SUMMARY -> "response.reasoning_summary_part";
        case ARGUMENTS, INPUT -> "";
      };
    }
  }

  /** How far it is told. */
  private enum Stage {
    ANNOUNCED,
    SAID,
    CLOSED
  }

  private final OutputItem item;
  private final Kind kind;
  private final int index;
  private StringBuilder said = new StringBuilder();
  private Json.@Nullable Str whole; // instead of said, while somebody has asked for it
  private final List<Json> annotations = new ArrayList<>();
  private boolean cited; // by this gateway: the upstream knows nothing of it
  private final List<Json> logprobs = new ArrayList<>();
  private final byte[] address;
  private Stage stage = Stage.ANNOUNCED;

  /**
   * @param index among those of its list in the item
   */
  ItemPiece(OutputItem item, Kind kind, int index) {
    this.item = item;
    this.kind = kind;
    this.index = index;
    byte[] object = place().build().toBytes();
    object[0] = ',';
    this.address = Arrays.copyOf(object, object.length - 1);
  }

  Kind kind() {
    return kind;
  }

  int index() {
    return index;
  }

  boolean isOpen() {
    return stage == Stage.ANNOUNCED;
  }

  /** Members that say where it stands. */
  private Json.Obj.Builder place() {
    Json.Obj.Builder place =
        Json.object().put("item_id", item.id()).put("output_index", item.index());
    return kind.counter().isEmpty() ? place : place.put(kind.counter(), index);
  }

  /** The same as JSON, from the comma before it to the last value. */
  byte[] address() {
    return address;
  }

  /** The part of the item; what was said so far. */
  Json.Obj part() {
    Json.Obj.Builder part = Json.object().put("type", kind.part).put(kind.member, text());
    return kind == Kind.TEXT
        ? part.put("annotations", Json.array(annotations))
            .put("logprobs", Json.array(logprobs))
            .build()
        : part.build();
  }

  /** What was said so far: one value for all who repeat it, for it may be long. */
  Json.Str text() {
    Json.Str text = whole;
    if (text == null) {
      text = Json.of(said.toString());
      whole = text;
      said = new StringBuilder(0);
    }
    return text;
  }

  boolean isEmpty() {
    return length() == 0;
  }

  int length() {
    return whole == null ? said.length() : whole.text().length();
  }

  void announce(OutputListener teller) {
    if (!kind.around().isEmpty()) {
      teller.onEvent(kind.around() + ".added", place().put("part", part()).build());
    }
  }

  void appendText(Json.Str text, Json.Arr of, OutputListener teller) {
    append(text);
    remember(of);
    teller.onText(this, text, of);
  }

  /** Takes a text that is told otherwise. */
  void append(Json.Str text) {
    if (whole != null) {
      said = new StringBuilder(whole.text());
      whole = null;
    }
    said.append(text.text());
  }

  void remember(Json.Arr likely) {
    for (int i = 0; i < likely.size(); i++) {
      logprobs.add(likely.get(i));
    }
  }

  void annotate(Json.Obj annotation, OutputListener teller) {
    teller.onEvent(
        "response.output_text.annotation.added",
        place().put("annotation_index", annotations.size()).put("annotation", annotation).build());
    annotations.add(annotation);
    cited = true;
  }

  /** Returns all annotations told; null while they are the upstream's alone. */
  Json.@Nullable Arr corrected() {
    return cited ? Json.array(annotations) : null;
  }

  /** Returns the place the next annotation has among those told. */
  int nextAnnotation() {
    return annotations.size();
  }

  /** Takes an annotation that is told otherwise. */
  void annotated(Json annotation) {
    annotations.add(annotation);
  }

  /** Its text is all there, which is told otherwise. */
  void markComplete() {
    stage = stage == Stage.CLOSED ? stage : Stage.SAID;
  }

  /** It is closed, which is told otherwise. */
  void closed() {
    stage = Stage.CLOSED;
  }

  /** Tells the rest. */
  void close(OutputListener teller) {
    if (stage == Stage.ANNOUNCED) {
      Json.Obj.Builder done = place().put(kind.member, text());
      if (kind == Kind.TEXT) {
        done.put("logprobs", Json.array(logprobs));
      } else if (kind == Kind.ARGUMENTS) {
        done.put("name", item.name());
      }
      teller.onEvent(kind.event("done"), done.build());
    }
    if (stage != Stage.CLOSED && !kind.around().isEmpty()) {
      teller.onEvent(kind.around() + ".done", place().put("part", part()).build());
    }
    stage = Stage.CLOSED;
  }
}
