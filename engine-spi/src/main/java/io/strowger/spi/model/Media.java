package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.Objects;

/**
 * The source of an image: an address, inline data or an uploaded file. Immutable. Inline data is
 * neither decoded nor copied when it is read.
 */
public sealed interface Media {
  /**
   * An image given by its address.
   *
   * @param url an address; in dialects with no other form for inline data, also a data URL
   */
  record Url(Json.Str url) implements Media {
    public Url {
      Objects.requireNonNull(url, "url");
    }
  }

  /**
   * An image whose data is in the document itself.
   *
   * @param mediaType the media type, such as {@code image/png}
   */
  record Inline(String mediaType, Json.Str base64) implements Media {
    public Inline {
      Objects.requireNonNull(mediaType, "mediaType");
      Objects.requireNonNull(base64, "base64");
    }
  }

  /** An image uploaded to the upstream before, given by its id. */
  record FileId(String id) implements Media {
    public FileId {
      Objects.requireNonNull(id, "id");
    }
  }

  /** Returns the image as one string: its address, a data URL made of its data, or its file id. */
  default Json.Str asUrl() {
    return switch (this) {
      case Url(Json.Str url) -> url;
      case Inline(String type, Json.Str base64) ->
          Json.of("data:" + type + ";base64," + base64.text());
      case FileId(String id) -> Json.of(id);
    };
  }
}
