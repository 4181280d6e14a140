package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Media;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A document of any dialect: where it is, or its text. Exactly one of {@code media} and {@code
 * text} is there. Immutable.
 *
 * @param media null when the document is plain text; never a data URL, which is {@link
 *     Media.Inline}
 * @param text null when it is a file
 * @param name what the caller calls it, such as {@code report.pdf}; null when it has no name
 * @param context what else the caller says about it; null when nothing
 * @param mediaType as it was said, or what its name and kind suggest; {@code application/pdf} when
 *     nothing does
 */
public record DocumentInput(
    @Nullable Media media,
    @Nullable String text,
    @Nullable String name,
    @Nullable String context,
    String mediaType) {
  static final String PDF = "application/pdf";
  static final String PLAIN = "text/plain";

  private static final Map<String, String> BY_ENDING =
      Map.ofEntries(
          Map.entry("pdf", PDF),
          Map.entry("txt", PLAIN),
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
      throw new IllegalArgumentException("a document is a file or a text");
    }
  }

  /** The name, or one made of the media type for dialects that want one: {@code document.pdf}. */
  public String nameOrMade() {
    if (name != null && !name.isBlank()) {
      return name;
    }
    for (String ending : new String[] {"pdf", "txt", "md", "csv", "html", "json"}) {
      if (mediaType.equals(BY_ENDING.get(ending))) {
        return "document." + ending;
      }
    }
    return "document";
  }

  /**
   * The document as the one string of dialects that have only that: its address, or a data URL;
   * null when it is uploaded to another vendor and there is nothing to send, or when it is text,
   * which is sent as text.
   */
  public Json.@Nullable Str asUrl() {
    return media == null || media instanceof Media.FileId ? null : media.asUrl();
  }

  /** What the ending of a name or address says; the fallback when it says nothing. */
  static String typeOf(@Nullable String name, String fallback) {
    if (name == null) {
      return fallback;
    }
    int query = name.indexOf('?');
    String path = query < 0 ? name : name.substring(0, query);
    String ending = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return BY_ENDING.getOrDefault(ending, fallback);
  }
}
