package io.strowger.host.server;

import io.helidon.common.uri.UriValidator;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The target of a request (RFC 9112, 3.2).
 *
 * @param origin path and query, not decoded, beginning with a slash; or {@code *}
 * @param authority the host of a target in absolute form; null in the other forms
 */
record RequestTarget(String origin, @Nullable String authority) {
  /** The characters a host name may contain besides letters, digits and percent-encoded bytes. */
  private static final String NAME_MARKS = "-._~!$&'()*+,;=";

  /**
   * Parses a target in origin form, absolute form, or for {@code OPTIONS} the asterisk form.
   * Nothing is decoded or normalised.
   *
   * @throws io.helidon.http.RequestException when the target has another form or an invalid
   *     character
   */
  static RequestTarget parse(String method, String text) {
    check(text);
    if (text.startsWith("/") || text.equals("*") && method.equals("OPTIONS")) {
      return new RequestTarget(text, null);
    }
    String scheme = text.substring(0, Math.min(8, text.length())).toLowerCase(Locale.ROOT);
    int start = scheme.equals("https://") ? 8 : scheme.startsWith("http://") ? 7 : -1;
    if (start < 0) {
      throw HttpError.malformed("the target is neither a path nor an address");
    }
    int end = start;
    while (end < text.length() && "/?".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    String authority = text.substring(start, end);
    if (authority.isEmpty()) {
      throw HttpError.malformed("the target names no host");
    }
    if (authority.indexOf('@') >= 0) {
      throw HttpError.malformed("the target must not name a user");
    }
    String pathAndQuery = text.substring(end);
    if (pathAndQuery.isEmpty() && method.equals("OPTIONS")) {
      return new RequestTarget("*", authority); // RFC 9112, 3.2.4
    }
    return new RequestTarget(
        pathAndQuery.startsWith("/") ? pathAndQuery : "/" + pathAndQuery, authority);
  }

  /** Returns whether a text is a host with an optional port (RFC 9112, 3.2; RFC 3986, 3.2.2). */
  static boolean isAuthority(String text) {
    int hostEnd = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
    if (hostEnd < 0) {
      hostEnd = text.length();
    }
    boolean isPort = hostEnd == text.length() || isPort(text, hostEnd);
    return hostEnd > 0
        && isPort
        && (text.charAt(0) == '[' ? isLiteral(text.substring(0, hostEnd)) : isName(text, hostEnd));
  }

  /** Returns whether the text from this index on is a colon and digits. */
  private static boolean isPort(String text, int colon) {
    boolean digits = text.charAt(colon) == ':' && colon + 1 < text.length();
    for (int i = colon + 1; i < text.length(); i++) {
      digits &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return digits;
  }

  private static boolean isLiteral(String literal) {
    try {
      UriValidator.validateIpLiteral(literal);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isName(String text, int length) {
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      boolean isPlain =
          c >= 'a' && c <= 'z'
              || c >= 'A' && c <= 'Z'
              || c >= '0' && c <= '9'
              || NAME_MARKS.indexOf(c) >= 0;
      if (!isPlain && !(c == '%' && isHex(text, i + 1) && isHex(text, i + 2))) {
        return false;
      }
    }
    return true;
  }

  private static void check(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '#') {
        throw HttpError.malformed("the target has a character that is not allowed");
      }
      if (c == '%' && !(isHex(text, i + 1) && isHex(text, i + 2))) {
        throw HttpError.malformed("the target has a percent sign without two digits");
      }
    }
  }

  private static boolean isHex(String text, int i) {
    return i < text.length() && HexFormat.isHexDigit(text.charAt(i));
  }
}
