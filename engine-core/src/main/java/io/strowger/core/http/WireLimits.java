package io.strowger.core.http;

import io.strowger.core.limit.Rates;
import io.strowger.core.overload.AdmissionControl;
import java.util.Objects;

/**
 * The limits on the size and rate of requests.
 *
 * @param requestBytes largest body, in bytes; at least 1
 * @param batchBytes largest body of a batch, in bytes; at least 1
 * @param batchRequests most requests of a batch; at least 1
 * @param problems most problems listed in one error; at least 1
 * @param rates limits the rate of requests; checked before a body is read
 * @param admission lets requests in before their bodies are read
 */
public record WireLimits(
    int requestBytes,
    long batchBytes,
    int batchRequests,
    int problems,
    Rates rates,
    AdmissionControl admission) {
  public WireLimits {
    Objects.requireNonNull(rates, "rates");
    Objects.requireNonNull(admission, "admission");
    if (requestBytes < 1) {
      throw new IllegalArgumentException("requestBytes must be at least 1, was " + requestBytes);
    }
    if (batchBytes < 1) {
      throw new IllegalArgumentException("batchBytes must be at least 1, was " + batchBytes);
    }
    if (batchRequests < 1) {
      throw new IllegalArgumentException("batchRequests must be at least 1, was " + batchRequests);
    }
    if (problems < 1) {
      throw new IllegalArgumentException("problems must be at least 1, was " + problems);
    }
  }
}
