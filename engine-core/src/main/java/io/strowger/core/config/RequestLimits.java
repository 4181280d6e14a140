package io.strowger.core.config;

import io.strowger.spi.json.JsonLimits;
import java.util.Objects;

/**
 * The limits for reading request bodies.
 *
 * @param maxRequestBytes most bytes of a request body, 1 to 2,000,000,000
 * @param maxBatchBytes most bytes of a batch, 1 to 1,000,000,000,000
 * @param json the limits of a JSON document, and of each request of a batch
 * @param batchRequests most requests of a batch, 1 to 1,000,000
 * @param problems most problems named in one refusal, 1 to 10,000
 */
public record RequestLimits(
    int maxRequestBytes, long maxBatchBytes, JsonLimits json, int batchRequests, int problems) {
  public RequestLimits {
    Objects.requireNonNull(json, "json");
  }
}
