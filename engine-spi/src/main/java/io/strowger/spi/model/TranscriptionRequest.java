package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to write down what is said in a recording. Embeddings fact sheet, {@code
 * /audio/transcriptions}.
 *
 * @param members what came beside the recording, for what has no typed form here: {@code language},
 *     {@code temperature}, {@code timestamp_granularities}, and members nobody knows
 * @param audio the recording; not empty
 * @param verbose the caller wants to know what was said when
 * @param user the caller's own end user; null when not named
 */
public record TranscriptionRequest(
    Json.Obj members,
    ModelRef model,
    UploadedFile audio,
    boolean verbose,
    ProviderPreferences preferences,
    @Nullable String user)
    implements UnaryRequest {
  public TranscriptionRequest {
    Objects.requireNonNull(members, "members");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(audio, "audio");
    Objects.requireNonNull(preferences, "preferences");
  }
}
