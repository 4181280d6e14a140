package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import org.jspecify.annotations.Nullable;

/**
 * A request that is no conversation and whose answer comes whole, valid, in the engine's own shape.
 * Immutable.
 */
public sealed interface UnaryRequest
    permits EmbeddingsRequest, RerankRequest, ImagesRequest, TranscriptionRequest {
  /** The whole document as it came, without the file that came with it. */
  Json.Obj members();

  ModelRef model();

  ProviderPreferences preferences();

  /** The caller's own end user; null when not named. Never sent to an upstream as it is. */
  @Nullable String user();
}
