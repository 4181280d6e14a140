package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request for pictures. Embeddings fact sheet, {@code /images}.
 *
 * @param members the document as it was read, for what has no typed form here: {@code size}, {@code
 *     quality}, {@code input_references} and so on, and members nobody knows
 * @param prompt not empty
 * @param count how many are wanted, 1 to {@value #MOST}
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
  /** Most pictures of one request. */
  public static final int MOST = 10;

  public ImagesRequest {
    Objects.requireNonNull(members, "members");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(prompt, "prompt");
    Objects.requireNonNull(preferences, "preferences");
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException("count must be 1 to " + MOST + ", was " + count);
    }
  }
}
