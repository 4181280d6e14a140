package io.strowger.core.batch;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.time.Duration;

/**
 * A batch to create, without its requests, which are read one by one: one model and one path of the
 * HTTP API. Contract: "Batch operations"; answers fact sheet, batch create.
 *
 * @param provider preferences that set at most {@code only} and {@code allow_fallbacks}
 */
public record BatchCreate(BatchEndpoint endpoint, ModelRef model, ProviderPreferences provider) {
  /** {@code 24h}, the only completion window there is. */
  public static final Duration COMPLETION_WINDOW = Duration.ofHours(24);

  /**
   * One request.
   *
   * @param customId the caller's name for it, 1 to 64 characters
   * @param body the body as sent; {@code model} is absent or the batch's. It keeps the JSON of the
   *     whole request reachable, so detach a body before storing it
   */
  public record Item(String customId, Json.Obj body) {}
}
