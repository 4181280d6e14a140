package io.strowger.core.wire;

import io.strowger.core.decode.Problems;

/**
 * What a request may take up.
 *
 * @param requestBytes largest body; at least 1
 * @param batchBytes largest body of a batch; at least 1
 * @param problems most problems named in one answer; at least 1
 */
public record WireLimits(int requestBytes, int batchBytes, int problems) {
  public static final WireLimits DEFAULT =
      new WireLimits(32 << 20, 200 << 20, Problems.DEFAULT_LIMIT);

  public WireLimits {
    if (requestBytes < 1) {
      throw new IllegalArgumentException("requestBytes must be at least 1, was " + requestBytes);
    }
    if (batchBytes < 1) {
      throw new IllegalArgumentException("batchBytes must be at least 1, was " + batchBytes);
    }
    if (problems < 1) {
      throw new IllegalArgumentException("problems must be at least 1, was " + problems);
    }
  }
}
