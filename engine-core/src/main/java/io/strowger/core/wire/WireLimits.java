package io.strowger.core.wire;

import io.strowger.core.decode.Problems;

/**
 * What a request may take up.
 *
 * @param requestBytes largest body; at least 1
 * @param problems most problems named in one answer; at least 1
 */
public record WireLimits(int requestBytes, int problems) {
  public static final WireLimits DEFAULT = new WireLimits(32 << 20, Problems.DEFAULT_LIMIT);

  public WireLimits {
    if (requestBytes < 1) {
      throw new IllegalArgumentException("requestBytes must be at least 1, was " + requestBytes);
    }
    if (problems < 1) {
      throw new IllegalArgumentException("problems must be at least 1, was " + problems);
    }
  }
}
