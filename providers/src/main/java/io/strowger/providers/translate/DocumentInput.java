package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Media;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A document from any dialect: a file or a plain text. Exactly one of {@code media} and {@code
 * text} is set. Immutable.
 *
 * @param media null when the document is plain text; never a data URL, which is {@link
 *     Media.Inline}
 * @param text the plain text; null when the document is a file
 * @param name the caller's name for it, such as {@code report.pdf}; null when it has no name
 * @param context the caller's remarks about it; null when there are none
 * @param mediaType the declared type, or one inferred from name and kind; {@code application/pdf}
 *     if nothing indicates a type
 */
public record DocumentInput(
    @Nullable Media media,
    @Nullable String text,
    @Nullable String name,
    @Nullable String context,
    String mediaType) {
  static final String PDF = "application/pdf";
  static final String PLAIN_TEXT = "text/plain";

  private static final Map<String, String> TYPES_BY_EXTENSION =
      Map.ofEntries(
          Map.entry("pdf", PDF),
          Map.entry("txt", PLAIN_TEXT),
          Map.entry("md", "text/markdown"),
          Map.entry("csv", "text/csv"),
          Map.entry("html", "text/html"),
          Map.entry("htm", "text/html"),
          Map.entry("json", "application/json"),
          Map.entry("xml", "text/xml"),
          Map.entry("rtf", "application/rtf"),
          Map.entry("png", "image/png"),
          Map.entry("jpg", "image/jpeg"),
          Map.entry("jpeg", "image/jpeg"),
          Map.entry("gif", "image/gif"),
          Map.entry("webp", "image/webp"));

  public DocumentInput {
    Objects.requireNonNull(mediaType, "mediaType");
    if ((media == null) == (text == null)) {
      throw new IllegalArgumentException("exactly one of media and text must be set");
    }
  }

  /** Returns the name, or one made from the media type, such as {@code document.pdf}. */
  public String nameOrDefault() {
    if (name != null && !name.isBlank()) {
      return name;
    }
    for (String extension : new String[] {"pdf", "txt", "md", "csv", "html", "json"}) {
      if (mediaType.equals(TYPES_BY_EXTENSION.get(extension))) {
        return "document." + extension;
      }
    }
    return "document";
  }

  /**
   * Returns the document as one string for dialects that need one: its URL, or a data URL. Returns
   * null when it was uploaded to another vendor, so that there is nothing to send, or when it is
   * plain text.
   */
  public Json.@Nullable Str asUrl() {
    return media == null || media instanceof Media.FileId ? null : media.asUrl();
  }

  /** Returns the media type for a name's or URL's extension; the fallback if it is unknown. */
  static String typeOf(@Nullable String name, String fallback) {
    if (name == null) {
      return fallback;
    }
    int query = name.indexOf('?');
    String path = query < 0 ? name : name.substring(0, query);
    String extension = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return TYPES_BY_EXTENSION.getOrDefault(extension, fallback);
  }
}
