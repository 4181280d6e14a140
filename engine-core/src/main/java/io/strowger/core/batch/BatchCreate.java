package io.strowger.core.batch;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * A batch to create: one model, one path of the HTTP API, many requests. Contract: "Batch
 * operations"; answers fact sheet, batch create.
 *
 * @param requests the requests, each with a unique custom id; empty when they are read one by one
 * @param provider preferences that set at most {@code only} and {@code allow_fallbacks}
 */
public record BatchCreate(
    BatchEndpoint endpoint, ModelRef model, List<Item> requests, ProviderPreferences provider) {
  /** {@code 24h}, the only completion window there is. */
  public static final Duration COMPLETION_WINDOW = Duration.ofHours(24);

  public BatchCreate {
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(provider, "provider");
    requests = List.copyOf(requests);
  }

  /**
   * One request.
   *
   * @param customId the caller's name for it, 1 to 64 characters
   * @param body the body as sent; {@code model} is absent or the batch's. It keeps the JSON of the
   *     whole batch reachable, so detach a body before storing it
   */
  public record Item(String customId, Json.Obj body) {
    public Item {
      Objects.requireNonNull(customId, "customId");
      Objects.requireNonNull(body, "body");
    }
  }
}
