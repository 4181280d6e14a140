package io.strowger.core.batch;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What the requests of a batch are for. Contract: "Batch operations". */
public enum BatchEndpoint {
  CHAT("/v1/chat/completions"),
  RESPONSES("/v1/responses"),
  MESSAGES("/v1/messages"),
  EMBEDDINGS("/v1/embeddings");

  private final String path;

  BatchEndpoint(String path) {
    this.path = path;
  }

  /** As {@code endpoint} says it, which is with the version. Contract: "Versioning". */
  public String path() {
    return path;
  }

  /** The endpoint that {@code endpoint} names. */
  public static Optional<BatchEndpoint> at(String path) {
    return Arrays.stream(values()).filter(endpoint -> endpoint.path.equals(path)).findAny();
  }

  static List<String> paths() {
    return Arrays.stream(values()).map(BatchEndpoint::path).toList();
  }
}
