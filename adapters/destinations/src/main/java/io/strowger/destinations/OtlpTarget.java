package io.strowger.destinations;

import io.strowger.spi.provider.Transport;
import java.net.URI;
import java.util.Map;

/**
 * Describes where and how one destination receives OpenTelemetry spans.
 *
 * @param headers the headers to send: the credential's and those of the config
 * @param json whether the body is in the JSON form of the protocol rather than the binary one
 * @param resource attributes of the resource besides {@code service.name}
 * @param dialect the attributes a span has besides those of every destination
 */
record OtlpTarget(
    Transport.Method method,
    URI uri,
    Map<String, String> headers,
    boolean json,
    Map<String, String> resource,
    Dialect dialect) {
  /** The attributes that a destination reads. */
  enum Dialect {
    /** Only the conventions for generative AI. */
    PLAIN,
    /** Also the conventions of OpenInference. */
    OPEN_INFERENCE,
    /** Also {@code langsmith.span.kind}. */
    RUN_KIND
  }

  OtlpTarget {
    headers = Map.copyOf(headers);
    resource = Map.copyOf(resource);
  }

  /** Returns a text without the address and the headers, which may hold secrets. */
  @Override
  public String toString() {
    return "OtlpTarget[" + method + "]";
  }
}
