package io.strowger.providers.gemini;

import io.strowger.providers.translate.DataUrl;
import io.strowger.providers.translate.DocumentInput;
import io.strowger.providers.translate.Documents;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes images, audio, videos and documents as parts: data in the request as {@code inlineData},
 * other media as {@code fileData} with the media type that the URI suggests. Also collects the
 * requested image details, since this dialect has one setting for all images. Translation fact
 * sheet, section 1.
 */
final class MediaParts {
  private static final String IMAGE = "image/jpeg";
  private static final String FILM = "video/mp4";

  private static final Map<String, String> BY_ENDING =
      Map.ofEntries(
          Map.entry("png", "image/png"),
          Map.entry("jpg", IMAGE),
          Map.entry("jpeg", IMAGE),
          Map.entry("gif", "image/gif"),
          Map.entry("webp", "image/webp"),
          Map.entry("heic", "image/heic"),
          Map.entry("heif", "image/heif"),
          Map.entry("mp4", FILM),
          Map.entry("mpeg", "video/mpeg"),
          Map.entry("mpg", "video/mpg"),
          Map.entry("mov", "video/mov"),
          Map.entry("avi", "video/avi"),
          Map.entry("flv", "video/x-flv"),
          Map.entry("webm", "video/webm"),
          Map.entry("wmv", "video/wmv"),
          Map.entry("3gp", "video/3gpp"));

  private final GeminiWriteContext geminiWriteContext;
  private final Set<String> details = new HashSet<>();

  MediaParts(GeminiWriteContext geminiWriteContext) {
    this.geminiWriteContext = geminiWriteContext;
  }

  Json image(Part.Image image) {
    geminiWriteContext.noCacheMark(image.extras());
    Json.Obj around = image.extras().object("image_url");
    String detail = (around == null ? image.extras() : around).text("detail");
    details.add(detail == null ? "auto" : detail);
    return part(image.media(), IMAGE);
  }

  Json audio(Part.Audio audio) {
    geminiWriteContext.noCacheMark(audio.extras());
    return part(new Media.Inline(SoundTypes.mediaType(audio.format()), audio.data()), "");
  }

  Json video(Part.Video video) {
    geminiWriteContext.noCacheMark(video.extras());
    return part(new Media.Url(video.url()), FILM);
  }

  /** Returns the document as a part; null when it has no content. */
  @Nullable Json file(Part.File file) {
    geminiWriteContext.noCacheMark(file.extras());
    DocumentInput document = Documents.of(file, geminiWriteContext.losses());
    if (document == null) {
      return null;
    }
    if (document.name() != null) {
      geminiWriteContext.losses().dropped("a document's name", "this dialect has none");
    }
    if (document.context() != null) {
      geminiWriteContext.losses().dropped("a document's context", "this dialect has none");
    }
    return document.media() != null
        ? part(document.media(), document.mediaType())
        : Json.object().put("text", document.text() == null ? "" : document.text()).build();
  }

  /**
   * @param otherwise the media type if the URI suggests none
   */
  private static Json part(Media media, String otherwise) {
    return switch (DataUrl.read(media)) {
      case Media.Inline(String type, Json.Str base64) ->
          Json.object()
              .put("inlineData", Json.object().put("mimeType", type).put("data", base64).build())
              .build();
      case Media.Url(Json.Str url) -> fileData(url.text(), suggested(url.text(), otherwise));
      case Media.FileId(String id) -> fileData(id, suggested(id, null)); // the upstream knows it
    };
  }

  private static Json fileData(String uri, @Nullable String type) {
    Json.Obj.Builder file = Json.object();
    if (type != null) {
      file.put("mimeType", type);
    }
    return Json.object().put("fileData", file.put("fileUri", uri).build()).build();
  }

  private static @Nullable String suggested(String address, @Nullable String otherwise) {
    int end = address.length();
    for (char mark : new char[] {'?', '#'}) {
      int at = address.indexOf(mark);
      end = at < 0 ? end : Math.min(end, at);
    }
    String path = address.substring(0, end);
    String ending = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    String known = BY_ENDING.get(ending);
    return known == null ? otherwise : known;
  }

  /** Returns the resolution for all images written so far; null for the default. */
  @Nullable String resolution() {
    if (details.contains("high") || details.contains("original")) {
      if (details.size() > 1) {
        geminiWriteContext.losses().changed("detail", "high for one picture, so for all of them");
      }
      return "MEDIA_RESOLUTION_HIGH";
    }
    if (details.contains("low")) {
      if (details.size() == 1) {
        return "MEDIA_RESOLUTION_LOW";
      }
      geminiWriteContext.losses().dropped("detail", "low for some pictures only");
    }
    return null;
  }
}
