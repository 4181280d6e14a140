package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to transcribe a recording. Embeddings fact sheet, {@code /audio/transcriptions}.
 *
 * @param members the other fields of the request, for those without a typed form: {@code language},
 *     {@code temperature}, {@code timestamp_granularities} and so on
 * @param audio the recording; not empty
 * @param verbose whether the caller wants timestamps and other details
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
