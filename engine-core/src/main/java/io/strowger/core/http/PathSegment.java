package io.strowger.core.http;

import io.strowger.core.resource.PercentEncoding;
import io.strowger.core.wire.WireRequest;

/** Decodes percent-encoded segments of a path (RFC 3986, 2.1). */
final class PathSegment {
  /** Returned for a segment that cannot be a name. */
  private static final String INVALID = "";

  private PathSegment() {}

  /**
   * Returns a segment of a request's path, decoded.
   *
   * @param index from 0; the path must have such a segment
   */
  static String of(WireRequest request, int index) {
    return decode(request.path().split("/", -1)[index + 1]);
  }

  /**
   * Returns the decoded segment, or the empty string when it cannot be a name: it is not UTF-8, is
   * {@code .} or {@code ..}, or contains a slash, a backslash or a control character.
   */
  static String decode(String segment) {
    String text = segment.indexOf('%') < 0 ? segment : PercentEncoding.decode(segment);
    if (text == null
        || text.equals(".")
        || text.equals("..")
        || text.chars().anyMatch(c -> c == '/' || c == '\\' || Character.isISOControl(c))) {
      return INVALID;
    }
    return text;
  }
}
