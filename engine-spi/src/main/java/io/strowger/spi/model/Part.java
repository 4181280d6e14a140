package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a message. Immutable.
 *
 * <p>{@code source} is the very JSON the part was read from, in the dialect of its request; it is
 * null in a part that was made or changed, and then the part is written from its fields and {@code
 * extras}, the members this engine does not model; one of an inner object stands under that
 * object's name, as in {@code {"image_url":{"detail":"high"}}}.
 */
public sealed interface Part {
  @Nullable Json source();

  /** Text. */
  record Text(Json.Str text, Json.Obj extras, @Nullable Json source) implements Part {
    public Text(String text) {
      this(Json.of(text), Json.Obj.EMPTY, null);
    }

    /** The same part saying something else. */
    public Text withText(String changed) {
      return new Text(Json.of(changed), extras, null);
    }
  }

  /**
   * An image.
   *
   * @param url an address, or a data URL that holds the image
   */
  record Image(Json.Str url, Json.Obj extras, @Nullable Json source) implements Part {}

  /**
   * Recorded sound.
   *
   * @param data base64
   * @param format {@code wav}, {@code mp3} ...
   */
  record Audio(Json.Str data, String format, Json.Obj extras, @Nullable Json source)
      implements Part {}

  /** A film, by address or data URL. */
  record Video(Json.Str url, Json.Obj extras, @Nullable Json source) implements Part {}

  /**
   * A document: its {@code filename}, {@code file_data} and {@code file_id} members as they came.
   */
  record File(Json.Obj file, Json.Obj extras, @Nullable Json source) implements Part {}

  /**
   * The model wants a function called.
   *
   * @param arguments JSON as text; may be malformed, since a model wrote it
   */
  record ToolCall(
      String id, String name, Json.Str arguments, Json.Obj extras, @Nullable Json source)
      implements Part {}

  /**
   * What a function call gave. Its source is that of the message it fills, so it has none of its
   * own.
   *
   * @param plain the content was one string rather than a list of parts
   */
  record ToolResult(String callId, List<Part> content, boolean plain) implements Part {
    public ToolResult {
      Objects.requireNonNull(callId, "callId");
      content = List.copyOf(content);
    }

    @Override
    public @Nullable Json source() {
      return null;
    }
  }

  /** A part of a type this engine does not know: kept and passed on. */
  record Unknown(String type, Json source) implements Part {}
}
