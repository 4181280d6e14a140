package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.Objects;

/**
 * The source of an image: an address, inline data or an uploaded file. Immutable. Its bytes are
 * never decoded or copied to read one.
 */
public sealed interface Media {
  /**
   * By address.
   *
   * @param url an address; where a dialect has nothing else, a data URL that holds the picture
   */
  record Url(Json.Str url) implements Media {
    public Url {
      Objects.requireNonNull(url, "url");
    }
  }

  /**
   * In the document itself.
   *
   * @param mediaType such as {@code image/png}
   */
  record Inline(String mediaType, Json.Str base64) implements Media {
    public Inline {
      Objects.requireNonNull(mediaType, "mediaType");
      Objects.requireNonNull(base64, "base64");
    }
  }

  /** Uploaded to the upstream before. */
  record FileId(String id) implements Media {
    public FileId {
      Objects.requireNonNull(id, "id");
    }
  }

  /** As the one string of dialects that have only that: the address, or a data URL made now. */
  default Json.Str asUrl() {
    return switch (this) {
      case Url(Json.Str url) -> url;
      case Inline(String type, Json.Str base64) ->
          Json.of("data:" + type + ";base64," + base64.text());
      case FileId(String id) -> Json.of(id);
    };
  }
}
