package io.strowger.core.client;

import io.strowger.spi.json.Json;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part of a message: text, an image, a recording, a video or a document. Immutable. Models accept
 * the kinds of parts that their endpoints declare; the gateway sends a request only to endpoints
 * that accept all of its parts. Contract: "Chat request body"; chat fact sheet, section 3.
 */
public final class ContentPart {
  private final Json.Obj json;

  private ContentPart(Json.Obj json) {
    this.json = json;
  }

  /** Returns a text. */
  public static ContentPart text(String text) {
    return of("text", Json.of(text));
  }

  /**
   * Returns an image.
   *
   * @param url its address, or a data URL that holds it
   */
  public static ContentPart image(String url) {
    return of("image_url", Json.object().put("url", url).build());
  }

  /**
   * Returns an image in a given detail.
   *
   * @param url its address, or a data URL that holds it
   * @param detail {@code auto}, {@code low}, {@code high} or {@code original}
   */
  public static ContentPart image(String url, String detail) {
    return of("image_url", Json.object().put("url", url).put("detail", detail).build());
  }

  /**
   * Returns an image that is sent with the request.
   *
   * @param mediaType such as {@code image/png}
   */
  public static ContentPart image(byte[] data, String mediaType) {
    return image(dataUrl(data, mediaType));
  }

  /**
   * Returns a recording that is sent with the request.
   *
   * @param format such as {@code wav} or {@code mp3}
   */
  public static ContentPart audio(byte[] data, String format) {
    return audio(Base64.getEncoder().encodeToString(data), format);
  }

  /**
   * Returns a recording that is sent with the request.
   *
   * @param base64 the recording, encoded
   * @param format such as {@code wav} or {@code mp3}
   */
  public static ContentPart audio(String base64, String format) {
    return of("input_audio", Json.object().put("data", base64).put("format", format).build());
  }

  /**
   * Returns a video.
   *
   * @param url its address, or a data URL that holds it
   */
  public static ContentPart video(String url) {
    return of("video_url", Json.object().put("url", url).build());
  }

  /**
   * Returns a document, such as a PDF.
   *
   * @param name the name of the file, which the model reads
   * @param url its address, or a data URL that holds it
   */
  public static ContentPart file(String name, String url) {
    return of("file", Json.object().put("filename", name).put("file_data", url).build());
  }

  /**
   * Returns a document that is sent with the request.
   *
   * @param name the name of the file, which the model reads
   * @param mediaType such as {@code application/pdf}
   */
  public static ContentPart file(String name, byte[] data, String mediaType) {
    return file(name, dataUrl(data, mediaType));
  }

  private static String dataUrl(byte[] data, String mediaType) {
    Objects.requireNonNull(mediaType, "mediaType");
    return "data:" + mediaType + ";base64," + Base64.getEncoder().encodeToString(data);
  }

  private static ContentPart of(String type, Json content) {
    return new ContentPart(Json.object().put("type", type).put(type, content).build());
  }

  /** Returns the part in the form of the contract, as an item of a message's {@code content}. */
  public Json.Obj toJson() {
    return json;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ContentPart that && json.equals(that.json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  /** Returns the type of the part, without its content. */
  @Override
  public String toString() {
    return "ContentPart[" + json.text("type") + "]";
  }
}
