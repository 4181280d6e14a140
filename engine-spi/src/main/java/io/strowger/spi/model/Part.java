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
 * object's name, as in {@code {"image_url":{"detail":"high"}}} or {@code {"source":{"x":1}}}.
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
   * Recorded sound.
   *
   * @param data base64
   * @param format {@code wav}, {@code mp3} ...
   */
  record Audio(Json.Str data, String format, Json.Obj extras, @Nullable Json source)
      implements Part {}

  /** A video, by address or data URL. */
  record Video(Json.Str url, Json.Obj extras, @Nullable Json source) implements Part {}

  /**
   * A document, such as a PDF.
   *
   * @param file what says where it is, as its dialect has it: {@code file} of the chat dialect with
   *     {@code filename}, {@code file_data} and {@code file_id}, {@code source} of the messages
   *     dialect
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
   * What a function call gave: all of a message in the chat dialect, one block among others in the
   * messages dialect.
   *
   * @param form of the content; a list when there are several parts or one that is no text
   * @param error the call failed, and the content says how
   * @param extras as of every part; none where the result fills its message
   * @param source as of every part; null where the result fills its message, whose source it then
   *     is
   */
  record ToolResult(
      String callId,
      List<Part> content,
      Message.Content form,
      boolean error,
      Json.Obj extras,
      @Nullable Json source)
      implements Part {
    public ToolResult {
      Objects.requireNonNull(callId, "callId");
      content = List.copyOf(content);
    }

    /**
     * A result that fills its message.
     *
     * @param plain the content is one string rather than a list of parts
     */
    public ToolResult(String callId, List<Part> content, boolean plain) {
      this(
          callId,
          content,
          plain ? Message.Content.STRING : Message.Content.LIST,
          false,
          Json.Obj.EMPTY,
          null);
    }

    /** The content is one string rather than a list of parts. */
    public boolean plain() {
      return form == Message.Content.STRING;
    }
  }

  /**
   * What a model thought, to be given back to it unchanged. A model's thinking is a list of these,
   * in their order.
   *
   * @param kind what {@code text} is
   * @param text may be empty though there is a signature
   * @param signature proves to the vendor that its model thought it; null when there is none
   * @param format whose it is, such as {@code anthropic-claude-v1}: signatures and encrypted texts
   *     only ever go back to that vendor; null when nobody said
   * @param id what it hangs on: the vendor's id of the item, or the id of the tool call it came
   *     with; null when it has none
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
    /** What a thought is given as. */
    public enum Kind {
      /** The model's own words. */
      TEXT,
      /** A summary of them. */
      SUMMARY,
      /** Something only the vendor can read. */
      ENCRYPTED
    }

    /** The model's own words, of a vendor nobody named. */
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
   * A tool the gateway ran in an earlier answer, as the caller sends it back: its call and what it
   * gave.
   */
  record ServerToolRun(
      String callId, String tool, Arguments arguments, Json result, @Nullable Json source)
      implements Part {}

  /**
   * A part this engine has no form for, of a type it knows or not: kept and passed on within its
   * dialect.
   */
  record Unknown(String type, Json source) implements Part {}
}
