package io.strowger.providers.responses;

import io.strowger.providers.translate.DocumentInput;
import io.strowger.providers.translate.Documents;
import io.strowger.providers.translate.Losses;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes parts from other dialects, including tool results, as input parts of this dialect.
 * Translation fact sheet, section 1.
 */
final class TranslatedInputParts {
  private static final String CACHE_CONTROL = "cache_control";
  private static final String BREAKPOINT = "prompt_cache_breakpoint";

  private final Endpoint endpoint;
  private final Losses losses;

  TranslatedInputParts(Endpoint endpoint, Losses losses) {
    this.endpoint = endpoint;
    this.losses = losses;
  }

  /** Returns a string for one unmarked text, otherwise a list; null when nothing can be sent. */
  @Nullable Json content(List<? extends Part> parts) {
    if (parts.size() == 1 && parts.getFirst() instanceof Part.Text text && !isMarked(text)) {
      return text.text();
    }
    var result = new ArrayList<Json>();
    for (Part part : parts) {
      Json json = json(part);
      if (json != null) {
        result.add(json);
      }
    }
    return result.isEmpty() ? null : Json.array(result);
  }

  private @Nullable Json json(Part part) {
    if (!(part instanceof Part.Text)) {
      dropCacheMark(part);
    }
    return switch (part) {
      case Part.Text text -> text(text);
      case Part.Image image -> image(image);
      case Part.Audio audio ->
          typed("input_audio")
              .put(
                  "input_audio",
                  Json.object().put("data", audio.data()).put("format", audio.format()).build())
              .build();
      case Part.Video video -> video(video);
      case Part.File file -> file(file);
      case Part.ToolCall p -> drop(p);
      case Part.ToolResult p -> drop(p);
      case Part.Thinking p -> drop(p);
      case Part.Refusal p -> drop(p);
      case Part.Citation p -> drop(p);
      case Part.Logprobs p -> drop(p);
      case Part.ServerToolRun p -> drop(p);
      case Part.Unknown p -> drop(p);
    };
  }

  private @Nullable Json drop(Part part) {
    losses.dropped(name(part), "has no form in this dialect");
    return null;
  }

  /** Returns the name of a part for the report of losses. */
  static String name(Part part) {
    return part instanceof Part.Unknown unknown
        ? unknown.type()
        : part.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** Returns whether the text has a cache mark of either dialect. */
  static boolean isMarked(Part.Text text) {
    return text.extras().get(CACHE_CONTROL) instanceof Json.Obj
        || text.extras().get(BREAKPOINT) instanceof Json.Obj;
  }

  private Json text(Part.Text text) {
    var part = typed("input_text").put("text", text.text());
    if (text.extras().get(BREAKPOINT) instanceof Json.Obj mark) {
      part.put(BREAKPOINT, mark);
    } else if (text.extras().get(CACHE_CONTROL) instanceof Json.Obj mark) {
      part.put(BREAKPOINT, Json.object().put("mode", "explicit").build());
      if (mark.has("ttl")) {
        losses.changed(CACHE_CONTROL, "its duration cannot be set for a single text");
      }
    }
    return part.build();
  }

  private void dropCacheMark(Part part) {
    Json.Obj extras =
        switch (part) {
          case Part.Image p -> p.extras();
          case Part.Audio p -> p.extras();
          case Part.Video p -> p.extras();
          case Part.File p -> p.extras();
          default -> Json.Obj.EMPTY;
        };
    if (extras.get(CACHE_CONTROL) instanceof Json.Obj) {
      losses.dropped(CACHE_CONTROL, "only texts can have a cache mark in this dialect");
    }
  }

  private static Json image(Part.Image image) {
    String name = image.media() instanceof Media.FileId ? "file_id" : "image_url";
    var part = typed("input_image").put(name, image.media().asUrl());
    Json.Obj inner = image.extras().object("image_url");
    Json detail = inner == null ? null : inner.get("detail");
    if (detail instanceof Json.Str) {
      part.put("detail", detail);
    }
    return part.build();
  }

  private @Nullable Json video(Part.Video video) {
    if ((endpoint.inputModalities() & Modality.VIDEO.bit()) == 0) {
      losses.dropped("video", "the endpoint accepts no video");
      return null;
    }
    return typed("input_video").put("video_url", video.url()).build();
  }

  private @Nullable Json file(Part.File file) {
    DocumentInput document = Documents.of(file, losses);
    if (document == null) {
      return null;
    }
    if (document.media() == null) {
      return textDocument(document);
    }
    if (document.context() != null) {
      losses.dropped("context", "a document has no context in this dialect");
    }
    return switch (document.media()) {
      case Media.Url(Json.Str url) -> typed("input_file").put("file_url", url).build();
      case Media.FileId(String id) -> typed("input_file").put("file_id", id).build();
      case Media.Inline inline ->
          typed("input_file")
              .put("filename", document.nameOrDefault())
              .put("file_data", inline.asUrl())
              .build();
    };
  }

  /** Writes a text document as text, after its name and context. */
  private Json textDocument(DocumentInput document) {
    losses.changed("document", "was sent as text");
    String text =
        Stream.of(document.name(), document.context(), document.text())
            .filter(Objects::nonNull)
            .collect(Collectors.joining("\n\n"));
    return typed("input_text").put("text", text).build();
  }

  private static Json.Obj.Builder typed(String type) {
    return Json.object().put("type", type);
  }
}
