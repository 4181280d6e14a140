package io.strowger.core.http;

import io.strowger.core.wire.WireRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

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
    String text = segment.indexOf('%') < 0 ? segment : percentDecoded(segment);
    boolean isName =
        !text.equals(".")
            && !text.equals("..")
            && text.chars().noneMatch(c -> c == '/' || c == '\\' || Character.isISOControl(c));
    return isName ? text : NOTHING;
  }

  private static String percentDecoded(String segment) {
    ByteBuffer bytes = ByteBuffer.allocate(3 * segment.length());
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c != '%') {
        bytes.put(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
        continue;
      }
      int high = digit(segment, i + 1);
      int low = digit(segment, i + 2);
      if (high < 0 || low < 0) {
        return NOTHING;
      }
      bytes.put((byte) (16 * high + low));
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException notText) {
      return NOTHING;
    }
  }

  private static int digit(String text, int i) {
    return i < text.length() ? Character.digit(text.charAt(i), 16) : -1;
  }
}
