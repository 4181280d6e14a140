package io.strowger.core.wire;

import java.util.Map;
import java.util.Objects;

/**
 * An HTTP response, in a form that any HTTP server can send.
 *
 * @param status the HTTP status code
 * @param headers all but length and transfer encoding, which the host derives from {@link
 *     WireBody#length()}
 * @param body the host must write it out and close it
 */
public record WireResponse(int status, Map<String, String> headers, WireBody body) {
  public WireResponse {
    headers = Map.copyOf(headers);
    Objects.requireNonNull(body, "body");
  }
}
