package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request for images. Embeddings fact sheet, {@code /images}.
 *
 * @param members the document as it was read, for members without a typed form: {@code size},
 *     {@code quality}, {@code input_references} and so on
 * @param prompt the description of the images, not empty
 * @param count the number of images to create, 1 to {@link #MAX_COUNT}
 * @param user the caller's own end user; null when not named
 */
public record ImagesRequest(
    Json.Obj members,
    ModelRef model,
    Json.Str prompt,
    int count,
    ProviderPreferences preferences,
    @Nullable String user)
    implements UnaryRequest {
  /** The maximum number of images in one request. */
  public static final int MAX_COUNT = 10;

  public ImagesRequest {
    Objects.requireNonNull(members, "members");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(prompt, "prompt");
    Objects.requireNonNull(preferences, "preferences");
    if (count < 1 || count > MAX_COUNT) {
      throw new IllegalArgumentException("count must be 1 to " + MAX_COUNT + ", was " + count);
    }
  }
}
