package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import org.jspecify.annotations.Nullable;

/**
 * A valid request that is not a conversation and whose answer is not streamed, in the engine's own
 * form. Immutable.
 */
public sealed interface UnaryRequest
    permits EmbeddingsRequest, RerankRequest, ImagesRequest, TranscriptionRequest {
  /** Returns the whole document as received, without an uploaded file. */
  Json.Obj members();

  ModelRef model();

  ProviderPreferences preferences();

  /** Returns the caller's own end user; null when not named. Never sent to an upstream as it is. */
  @Nullable String user();
}
