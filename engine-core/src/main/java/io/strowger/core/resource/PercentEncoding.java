package io.strowger.core.resource;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The percent-encoding of UTF-8 in paths and queries (RFC 3986, 2.1). */
public final class PercentEncoding {
  private PercentEncoding() {}

  /**
   * Returns a text with its escapes decoded. A plus stays a plus.
   *
   * @return the text; null when an escape lacks two hexadecimal digits or the bytes are not UTF-8
   */
  public static @Nullable String decode(String text) {
    try {
      // not URLDecoder, which replaces bytes that are not UTF-8, and accepts "%+1"
      ByteBuffer escaped = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      ByteBuffer bytes = ByteBuffer.allocate(escaped.remaining());
      while (escaped.hasRemaining()) {
        byte next = escaped.get();
        if (next != '%') {
          bytes.put(next);
        } else if (escaped.remaining() < 2
            || !HexFormat.isHexDigit(escaped.get(escaped.position()))
            || !HexFormat.isHexDigit(escaped.get(escaped.position() + 1))) {
          return null;
        } else {
          int high = HexFormat.fromHexDigit(escaped.get());
          bytes.put((byte) (high << 4 | HexFormat.fromHexDigit(escaped.get())));
        }
      }
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
