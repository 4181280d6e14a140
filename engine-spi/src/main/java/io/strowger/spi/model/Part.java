package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a message. Immutable.
 *
 * <p>{@code source} is the JSON the part was read from, in the dialect of its request; it is null
 * in a part that was made or changed. Such a part is written from its fields and {@code extras},
 * the members without a typed form. The extras of an inner object stand under that object's name,
 * as in {@code {"image_url":{"detail":"high"}}} or {@code {"source":{"x":1}}}.
 */
public sealed interface Part {
  @Nullable Json source();

  /** Text. */
  record Text(Json.Str text, Json.Obj extras, @Nullable Json source) implements Part {
    public Text(String text) {
      this(Json.of(text), Json.Obj.EMPTY, null);
    }

    /** Returns this part with another text. */
    public Text withText(String newText) {
      return new Text(Json.of(newText), extras, null);
    }
  }

  /** An image. */
  record Image(Media media, Json.Obj extras, @Nullable Json source) implements Part {
    /**
     * @param url an address, or a data URL that holds the image
     */
    public Image(Json.Str url, Json.Obj extras, @Nullable Json source) {
      this(new Media.Url(url), extras, source);
    }
  }

  /**
   * Recorded audio.
   *
   * @param data the recording in base64
   * @param format the format of the recording, such as {@code wav} or {@code mp3}
   */
  record Audio(Json.Str data, String format, Json.Obj extras, @Nullable Json source)
      implements Part {}

  /** A video, by address or data URL. */
  record Video(Json.Str url, Json.Obj extras, @Nullable Json source) implements Part {}

  /**
   * A document, such as a PDF.
   *
   * @param file the object that holds or locates the document: {@code file} of the chat dialect
   *     with {@code filename}, {@code file_data} and {@code file_id}, or {@code source} of the
   *     messages dialect
   */
  record File(Json.Obj file, Json.Obj extras, @Nullable Json source) implements Part {}

  /** A function call that the model asks for. */
  record ToolCall(
      String id, String name, Arguments arguments, Json.Obj extras, @Nullable Json source)
      implements Part {
    /**
     * @param arguments JSON as text; may be malformed, since a model wrote it
     */
    public ToolCall(
        String id, String name, Json.Str arguments, Json.Obj extras, @Nullable Json source) {
      this(id, name, new Arguments.Text(arguments), extras, source);
    }
  }

  /**
   * The result of a function call: a whole message in the chat dialect, one block of many in the
   * messages dialect.
   *
   * @param form the form of the content; a list for several parts or for one that is not text
   * @param isError whether the call failed; the content then says how
   * @param extras as in every part; empty where the result is a whole message
   * @param source as in every part; null where the result is a whole message, which then has the
   *     source
   */
  record ToolResult(
      String callId,
      List<Part> content,
      Message.ContentForm form,
      boolean isError,
      Json.Obj extras,
      @Nullable Json source)
      implements Part {
    public ToolResult {
      Objects.requireNonNull(callId, "callId");
      content = List.copyOf(content);
    }

    /**
     * Creates a result that is a whole message.
     *
     * @param isString whether the content is one string rather than a list of parts
     */
    public ToolResult(String callId, List<Part> content, boolean isString) {
      this(
          callId,
          content,
          isString ? Message.ContentForm.STRING : Message.ContentForm.LIST,
          false,
          Json.Obj.EMPTY,
          null);
    }

    /** Returns whether the content is one string rather than a list of parts. */
    public boolean isString() {
      return form == Message.ContentForm.STRING;
    }
  }

  /**
   * Reasoning of a model, to be sent back to it unchanged. A model's reasoning is a list of these,
   * in order.
   *
   * @param kind what {@code text} contains
   * @param text the reasoning; may be empty even when there is a signature
   * @param signature proves to the vendor that its model wrote the text; null when there is none
   * @param format the vendor's format, such as {@code anthropic-claude-v1}: signatures and
   *     encrypted texts are sent back to that vendor only; null when the vendor is unknown
   * @param id the vendor's id of the item it belongs to, or the id of the tool call it came with;
   *     null when there is neither
   */
  record Thinking(
      Kind kind,
      Json.Str text,
      Json.@Nullable Str signature,
      @Nullable String format,
      @Nullable String id,
      Json.Obj extras,
      @Nullable Json source)
      implements Part {
    /** The form of a piece of reasoning. */
    public enum Kind {
      /** The model's own words. */
      TEXT,
      /** A summary of them. */
      SUMMARY,
      /** Encrypted data that only the vendor can read. */
      ENCRYPTED
    }

    /** Creates reasoning in the model's own words, without a format and an id. */
    public Thinking(
        Json.Str text, Json.@Nullable Str signature, Json.Obj extras, @Nullable Json source) {
      this(Kind.TEXT, text, signature, null, null, extras, source);
    }
  }

  /** A refusal by the model. */
  record Refusal(Json.Str text, @Nullable Json source) implements Part {}

  /**
   * A citation of the preceding text.
   *
   * @param body in the chat dialect's form, {@code {"type":"url_citation","url_citation":{...}}},
   *     whatever dialect it came in
   */
  record Citation(Json.Obj body, @Nullable Json source) implements Part {}

  /**
   * The log probabilities of the tokens of the preceding text.
   *
   * @param content items as the chat dialect has them: {@code token}, {@code logprob}, {@code
   *     bytes}, {@code top_logprobs}
   */
  record Logprobs(Json.Arr content) implements Part {
    @Override
    public @Nullable Json source() {
      return null;
    }
  }

  /**
   * A tool the gateway ran in an earlier answer, as the caller sends it back: its call and its
   * result.
   */
  record ServerToolRun(
      String callId, String tool, Arguments arguments, Json result, @Nullable Json source)
      implements Part {}

  /**
   * A part without a typed form, whether or not the engine knows its type: passed on within its
   * dialect.
   */
  record Unknown(String type, Json source) implements Part {}
}
