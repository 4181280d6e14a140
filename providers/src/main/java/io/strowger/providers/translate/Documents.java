package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the documents of every dialect. The members of a {@link Part.File} have different names in
 * each dialect. Translation fact sheet, section 1, row "pdf".
 */
public final class Documents {
  private static final int HINT_CHARS = 4096;

  private Documents() {}

  /**
   * Returns the part as a file, for other dialects; null when it is not a document.
   *
   * @param part a part without a typed form, such as a text document
   */
  static Part.@Nullable File asFile(Part.Unknown part) {
    if (!part.type().equals("document") || !(part.source() instanceof Json.Obj block)) {
      return null;
    }
    Json.Obj source = block.object("source");
    return source == null
        ? null
        : new Part.File(source, block.without("type").without("source"), null);
  }

  /**
   * Returns the document of a part.
   *
   * @param losses receives the members that a {@link DocumentInput} cannot hold
   * @return null when the document has no content of a known form, which is recorded as a loss
   */
  public static @Nullable DocumentInput of(Part.File part, Losses losses) {
    DocumentInput document = file(part.file(), part.extras(), losses);
    if (document == null) {
      losses.dropped("a document", "has no content of a known form");
    }
    return document;
  }

  private static @Nullable DocumentInput file(Json.Obj file, Json.Obj extras, Losses losses) {
    Json.Obj citations = extras.object("citations");
    if (citations != null && Json.TRUE.equals(citations.get("enabled"))) {
      losses.dropped("citations", "no other dialect can be asked to cite a document");
    }
    return file.has("type") ? ofSource(file, extras, losses) : ofFile(file, extras);
  }

  /** Reads the {@code source} of the messages dialect. */
  private static @Nullable DocumentInput ofSource(Json.Obj source, Json.Obj extras, Losses losses) {
    String name = extras.text("title");
    String context = extras.text("context");
    return switch (Objects.requireNonNullElse(source.text("type"), "")) {
      case "base64" -> inline(source, name, context);
      case "url" ->
          source.get("url") instanceof Json.Str url
              ? ofUrl(url, name == null ? url.text() : name, name, context)
              : null;
      case "file" -> {
        String id = source.text("file_id");
        yield id == null ? null : ofUpload(id, name, context);
      }
      case "text" -> text(source.text("data"), name, context);
      case "content" -> text(joinTexts(source.get("content"), losses), name, context);
      default -> null;
    };
  }

  private static @Nullable DocumentInput inline(
      Json.Obj source, @Nullable String name, @Nullable String context) {
    if (!(source.get("data") instanceof Json.Str data)) {
      return null;
    }
    String declaredType = source.text("media_type");
    String type =
        declaredType == null ? DocumentInput.typeOf(name, DocumentInput.PDF) : declaredType;
    return new DocumentInput(new Media.Inline(type, data), null, name, context, type);
  }

  private static @Nullable DocumentInput text(
      @Nullable String text, @Nullable String name, @Nullable String context) {
    return text == null
        ? null
        : new DocumentInput(null, text, name, context, DocumentInput.PLAIN_TEXT);
  }

  private static DocumentInput ofUpload(
      String id, @Nullable String name, @Nullable String context) {
    return new DocumentInput(
        new Media.FileId(id), null, name, context, DocumentInput.typeOf(name, DocumentInput.PDF));
  }

  /** Reads {@code file} of the chat dialect, and the same members in the responses dialect. */
  private static @Nullable DocumentInput ofFile(Json.Obj file, Json.Obj extras) {
    String name = file.text("filename");
    String context = extras.text("context");
    if (file.get("file_data") instanceof Json.Str data && !data.isEmpty()) {
      return ofData(data, name, context);
    }
    if (file.get("file_url") instanceof Json.Str url && !url.isEmpty()) {
      return ofUrl(url, name == null ? url.text() : name, name, context);
    }
    String id = file.text("file_id");
    return id == null || id.isEmpty() ? null : ofUpload(id, name, context);
  }

  /** Reads a data URL, a URL or plain base64, since callers send all three. */
  private static DocumentInput ofData(
      Json.Str data, @Nullable String name, @Nullable String context) {
    if (DataUrl.isDataUrl(data)
        || data.startsWithIgnoreCase("http:")
        || data.startsWithIgnoreCase("https:")) {
      return ofUrl(data, name, name, context);
    }
    String type = DocumentInput.typeOf(name, DocumentInput.PDF);
    return new DocumentInput(new Media.Inline(type, data), null, name, context, type);
  }

  private static DocumentInput ofUrl(
      Json.Str url, @Nullable String typeHint, @Nullable String name, @Nullable String context) {
    Media media = DataUrl.toInline(new Media.Url(url));
    boolean isShort = typeHint != null && typeHint.length() <= HINT_CHARS;
    String type =
        media instanceof Media.Inline(String declaredType, Json.Str data)
            ? declaredType
            : DocumentInput.typeOf(isShort ? typeHint : null, DocumentInput.PDF);
    return new DocumentInput(media, null, name, context, type);
  }

  /** Returns the texts of blocks, joined by blank lines; images are lost. */
  private static @Nullable String joinTexts(@Nullable Json content, Losses losses) {
    if (content instanceof Json.Str text) {
      return text.text();
    }
    if (!(content instanceof Json.Arr blocks)) {
      return null;
    }
    List<String> texts = new ArrayList<>();
    for (Json block : blocks) {
      String text = block instanceof Json.Obj object ? object.text("text") : null;
      if (text == null) {
        losses.dropped("a document's pictures", "other dialects have only text in such documents");
      } else {
        texts.add(text);
      }
    }
    return String.join("\n\n", texts);
  }
}
