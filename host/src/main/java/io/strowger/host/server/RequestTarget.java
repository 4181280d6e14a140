package io.strowger.host.server;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a request is for (RFC 9112, 3.2).
 *
 * @param origin path and query as they came, beginning with a slash; or {@code *}
 * @param authority the host of a target in absolute form; null in the other forms
 */
record RequestTarget(String origin, @Nullable String authority) {
  /**
   * Reads a target in origin form, absolute form, or for {@code OPTIONS} the asterisk. Nothing is
   * decoded or normalised.
   *
   * @throws io.helidon.http.RequestException when it is none of them
   */
  static RequestTarget parse(String method, String text) {
    check(text);
    if (text.startsWith("/") || text.equals("*") && method.equals("OPTIONS")) {
      return new RequestTarget(text, null);
    }
    String scheme = text.substring(0, Math.min(8, text.length())).toLowerCase(Locale.ROOT);
    int start = scheme.equals("https://") ? 8 : scheme.startsWith("http://") ? 7 : -1;
    if (start < 0) {
      throw Refusals.malformed("the target is neither a path nor an address");
    }
    int end = start;
    while (end < text.length() && "/?".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    String authority = text.substring(start, end);
    if (authority.isEmpty() || authority.indexOf('@') >= 0) {
      throw Refusals.malformed("the target names no host");
    }
    String rest = text.substring(end);
    if (rest.isEmpty() && method.equals("OPTIONS")) {
      return new RequestTarget("*", authority); // RFC 9112, 3.2.4
    }
    return new RequestTarget(rest.startsWith("/") ? rest : "/" + rest, authority);
  }

  private static void check(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '#') {
        throw Refusals.malformed("the target has a character that no target has");
      }
      if (c == '%' && !(isHex(text, i + 1) && isHex(text, i + 2))) {
        throw Refusals.malformed("the target has a percent sign without two digits");
      }
    }
  }

  private static boolean isHex(String text, int i) {
    return i < text.length() && Character.digit(text.charAt(i), 16) >= 0;
  }
}
