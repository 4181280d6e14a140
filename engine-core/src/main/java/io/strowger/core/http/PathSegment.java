package io.strowger.core.http;

import io.strowger.core.resource.PercentEncoding;
import io.strowger.core.wire.WireRequest;

/** The percent-encoding of one segment of a path (RFC 3986, 2.1). */
final class PathSegment {
  /** What is returned for a segment that can name nothing. */
  private static final String NOTHING = "";

  private PathSegment() {}

  /**
   * Returns a segment of a request's path, decoded.
   *
   * @param index from 0; the path was found by a pattern with that many
   */
  static String of(WireRequest request, int index) {
    return decoded(request.path().split("/", -1)[index + 1]);
  }

  /**
   * Returns what a segment says, or the empty string when it can name nothing: it is no UTF-8, a
   * reference to another segment, or hides a slash or a control character.
   */
  static String decoded(String segment) {
    String text = segment.indexOf('%') < 0 ? segment : PercentEncoding.decoded(segment);
    if (text == null
        || text.equals(".")
        || text.equals("..")
        || text.chars().anyMatch(c -> c == '/' || c == '\\' || Character.isISOControl(c))) {
      return NOTHING;
    }
    return text;
  }
}
