package io.strowger.core.batch;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The path of the HTTP API that all requests of a batch are for, which the contract calls {@code
 * endpoint}. Contract: "Batch operations".
 */
public enum BatchEndpoint {
  CHAT("/v1/chat/completions"),
  RESPONSES("/v1/responses"),
  MESSAGES("/v1/messages"),
  EMBEDDINGS("/v1/embeddings");

  private final String path;

  BatchEndpoint(String path) {
    this.path = path;
  }

  /** Returns the path with the version, as a batch states it. Contract: "Versioning". */
  public String path() {
    return path;
  }

  /** Returns the endpoint with this path; empty when there is none. */
  public static Optional<BatchEndpoint> forPath(String path) {
    return Arrays.stream(values()).filter(endpoint -> endpoint.path.equals(path)).findAny();
  }

  static List<String> paths() {
    return Arrays.stream(values()).map(BatchEndpoint::path).toList();
  }
}
