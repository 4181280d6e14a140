package io.strowger.destinations;

import io.strowger.spi.provider.Transport;
import java.net.URI;
import java.util.Map;

/**
 * Where and how one destination takes spans of OpenTelemetry.
 *
 * @param headers with the credential; those of the config are among them
 * @param json in the JSON form of the protocol rather than in the binary one
 * @param resource attributes of the resource, beside the name of the service
 * @param dialect which attributes a span has beside those that all have
 */
record OtlpTarget(
    Transport.Method method,
    URI uri,
    Map<String, String> headers,
    boolean json,
    Map<String, String> resource,
    Dialect dialect) {
  /** What a destination reads besides the attributes of generative AI. */
  enum Dialect {
    PLAIN,
    /** The conventions of OpenInference. */
    OPEN_INFERENCE,
    /** {@code langsmith.span.kind}. */
    RUN_KIND
  }

  OtlpTarget {
    headers = Map.copyOf(headers);
    resource = Map.copyOf(resource);
  }

  /** Shows neither the address nor the headers. */
  @Override
  public String toString() {
    return "OtlpTarget[" + method + "]";
  }
}
