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
final class MediaPartWriter {
  private static final String IMAGE = "image/jpeg";
  private static final String VIDEO = "video/mp4";

  private static final Map<String, String> TYPES_BY_EXTENSION =
      Map.ofEntries(
          Map.entry("png", "image/png"),
          Map.entry("jpg", IMAGE),
          Map.entry("jpeg", IMAGE),
          Map.entry("gif", "image/gif"),
          Map.entry("webp", "image/webp"),
          Map.entry("heic", "image/heic"),
          Map.entry("heif", "image/heif"),
          Map.entry("mp4", VIDEO),
          Map.entry("mpeg", "video/mpeg"),
          Map.entry("mpg", "video/mpg"),
          Map.entry("mov", "video/mov"),
          Map.entry("avi", "video/avi"),
          Map.entry("flv", "video/x-flv"),
          Map.entry("webm", "video/webm"),
          Map.entry("wmv", "video/wmv"),
          Map.entry("3gp", "video/3gpp"));

  private final GeminiWriteContext context;
  private final Set<String> details = new HashSet<>();

  MediaPartWriter(GeminiWriteContext context) {
    this.context = context;
  }

  Json image(Part.Image image) {
    context.dropCacheMarks(image.extras());
    Json.Obj imageUrl = image.extras().object("image_url");
    String detail = (imageUrl == null ? image.extras() : imageUrl).text("detail");
    details.add(detail == null ? "auto" : detail);
    return part(image.media(), IMAGE);
  }

  Json audio(Part.Audio audio) {
    context.dropCacheMarks(audio.extras());
    return part(new Media.Inline(AudioTypes.mediaType(audio.format()), audio.data()), "");
  }

  Json video(Part.Video video) {
    context.dropCacheMarks(video.extras());
    return part(new Media.Url(video.url()), VIDEO);
  }

  /** Returns the document as a part; null when it has no content. */
  @Nullable Json file(Part.File file) {
    context.dropCacheMarks(file.extras());
    DocumentInput document = Documents.of(file, context.losses());
    if (document == null) {
      return null;
    }
    if (document.name() != null) {
      context.losses().dropped("a document's name", "has no form in this dialect");
    }
    if (document.context() != null) {
      context.losses().dropped("a document's context", "has no form in this dialect");
    }
    return document.media() != null
        ? part(document.media(), document.mediaType())
        : Json.object().put("text", document.text() == null ? "" : document.text()).build();
  }

  /**
   * @param fallbackType the media type if the URI suggests none
   */
  private static Json part(Media media, String fallbackType) {
    return switch (DataUrl.toInline(media)) {
      case Media.Inline(String type, Json.Str base64) ->
          Json.object()
              .put("inlineData", Json.object().put("mimeType", type).put("data", base64).build())
              .build();
      case Media.Url(Json.Str url) ->
          fileData(url.text(), guessMediaType(url.text(), fallbackType));
      case Media.FileId(String id) ->
          fileData(id, guessMediaType(id, null)); // the upstream knows the type
    };
  }

  private static Json fileData(String uri, @Nullable String type) {
    Json.Obj.Builder file = Json.object();
    if (type != null) {
      file.put("mimeType", type);
    }
    return Json.object().put("fileData", file.put("fileUri", uri).build()).build();
  }

  private static @Nullable String guessMediaType(String address, @Nullable String fallbackType) {
    int end = address.length();
    for (char delimiter : new char[] {'?', '#'}) {
      int index = address.indexOf(delimiter);
      end = index < 0 ? end : Math.min(end, index);
    }
    String path = address.substring(0, end);
    String extension = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    String type = TYPES_BY_EXTENSION.get(extension);
    return type == null ? fallbackType : type;
  }

  /** Returns the resolution for all images written so far; null for the default. */
  @Nullable String resolution() {
    if (details.contains("high") || details.contains("original")) {
      if (details.size() > 1) {
        context
            .losses()
            .changed("detail", "became high for all images, since it is high for one of them");
      }
      return "MEDIA_RESOLUTION_HIGH";
    }
    if (details.contains("low")) {
      if (details.size() == 1) {
        return "MEDIA_RESOLUTION_LOW";
      }
      context.losses().dropped("detail", "low cannot be set for some images only");
    }
    return null;
  }
}
