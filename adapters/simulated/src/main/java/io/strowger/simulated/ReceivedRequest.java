package io.strowger.simulated;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that a simulated upstream received.
 *
 * @param connection number of the connection it came on, from 1
 * @param method such as {@code POST}
 * @param path the path and query as they were sent
 * @param headers the values by name in lower case
 * @param body the received bytes; must not be changed
 */
public record ReceivedRequest(
    int connection, String method, String path, Map<String, String> headers, byte[] body) {

  /** Returns a header's value; null when it was not sent. */
  public @Nullable String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
