package io.strowger.simulated;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request a simulated upstream got.
 *
 * @param connection which connection it came on, from 1
 * @param method such as {@code POST}
 * @param path as it was sent
 * @param headers by name in small letters
 * @param body the very bytes; not to be written to
 */
public record ReceivedRequest(
    int connection, String method, String path, Map<String, String> headers, byte[] body) {

  /** The header's value; null when it was not sent. */
  public @Nullable String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
