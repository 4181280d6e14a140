package io.strowger.springai;

import io.strowger.core.client.ContentPart;
import java.util.Base64;
import org.springframework.ai.content.Media;
import org.springframework.util.MimeType;

/** Writes the media of messages as parts of the gateway's client. */
final class MediaWriter {
  private MediaWriter() {}

  /**
   * Returns the part for media.
   *
   * @throws IllegalArgumentException for media that the gateway's client cannot express; the
   *     message says what to do
   */
  static ContentPart part(Media media) {
    MimeType type = media.getMimeType();
    return switch (type.getType()) {
      case "image" -> ContentPart.image(url(media));
      case "video" -> ContentPart.video(url(media));
      case "audio" -> audio(media);
      default -> ContentPart.file(media.getName(), url(media));
    };
  }

  private static ContentPart audio(Media media) {
    String format =
        switch (media.getMimeType().getSubtype()) {
          case "mpeg" -> "mp3";
          case "x-wav", "wave", "vnd.wave" -> "wav";
          default -> media.getMimeType().getSubtype();
        };
    if (media.getData() instanceof byte[] bytes) {
      return ContentPart.audio(bytes, format);
    }
    throw new IllegalArgumentException(
        "a recording cannot be sent as an address; give the media its bytes");
  }

  /** Returns the address of the media, or a data URL that holds them. */
  private static String url(Media media) {
    Object data = media.getData();
    if (data instanceof byte[] bytes) {
      MimeType type = media.getMimeType();
      return "data:"
          + type.getType()
          + "/"
          + type.getSubtype()
          + ";base64,"
          + Base64.getEncoder().encodeToString(bytes);
    }
    if (data instanceof String url) {
      return url;
    }
    throw new IllegalArgumentException(
        "media of " + data.getClass().getName() + " cannot be sent; give the media bytes or a URL");
  }
}
