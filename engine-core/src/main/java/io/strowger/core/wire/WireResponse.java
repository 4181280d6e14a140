package io.strowger.core.wire;

import java.util.Map;
import java.util.Objects;

/**
 * An HTTP response, as any server can send it.
 *
 * @param status HTTP status
 * @param headers besides length and transfer encoding, which the host decides from {@link
 *     WireBody#length()}
 * @param body to be pulled and closed
 */
public record WireResponse(int status, Map<String, String> headers, WireBody body) {
  public WireResponse {
    headers = Map.copyOf(headers);
    Objects.requireNonNull(body, "body");
  }
}
