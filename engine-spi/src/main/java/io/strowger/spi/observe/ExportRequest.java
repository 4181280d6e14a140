package io.strowger.spi.observe;

import io.strowger.spi.provider.Transport;
import java.net.URI;
import java.util.Map;
import java.util.Objects;

/**
 * One HTTP request that carries calls to a destination. Immutable; takes ownership of the body.
 * {@link #toString} shows neither the address, which may hold a key, nor the headers.
 *
 * @param method {@link Transport.Method#POST} or {@link Transport.Method#PUT}
 * @param uri the absolute address
 * @param headers the headers other than content type and length; may hold secrets
 * @param contentType media type of the body
 * @param body the body as it is sent
 * @param calls how many calls it carries; 0 for a test
 */
public record ExportRequest(
    Transport.Method method,
    URI uri,
    Map<String, String> headers,
    String contentType,
    byte[] body,
    int calls) {
  public ExportRequest {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(uri, "uri");
    headers = Map.copyOf(headers);
    Objects.requireNonNull(contentType, "contentType");
    Objects.requireNonNull(body, "body");
    if (calls < 0) {
      throw new IllegalArgumentException("calls must be at least 0, was " + calls);
    }
  }

  @Override
  public String toString() {
    return "ExportRequest[" + method + ", " + calls + " calls, " + body.length + " bytes]";
  }
}
