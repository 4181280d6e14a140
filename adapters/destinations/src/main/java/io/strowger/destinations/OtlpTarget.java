package io.strowger.destinations;

import io.strowger.spi.provider.Transport;
import java.net.URI;
import java.util.Map;

/**
 * Describes where and how one destination receives OpenTelemetry spans.
 *
 * @param headers the headers to send: the one with the credential, and the headers of the config
 * @param usesJson whether the body is in the JSON form of the protocol rather than the binary one
 * @param resource attributes of the resource besides {@code service.name}
 * @param conventions selects the attributes a span has besides those that every destination gets
 */
record OtlpTarget(
    Transport.Method method,
    URI uri,
    Map<String, String> headers,
    boolean usesJson,
    Map<String, String> resource,
    Conventions conventions) {
  /** The attributes that a destination reads. */
  enum Conventions {
    /** Only the conventions for generative AI. */
    GEN_AI,
    /** Also the conventions of OpenInference. */
    OPEN_INFERENCE,
    /** Also {@code langsmith.span.kind}. */
    LANGSMITH
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
