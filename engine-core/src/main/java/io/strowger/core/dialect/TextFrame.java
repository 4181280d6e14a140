package io.strowger.core.dialect;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import java.util.Arrays;

/**
 * The bytes of a frame before and after its text, computed once and reused while frames differ only
 * in their text. Created from a frame with {@link #MARK} in place of its text. Immutable.
 */
public final class TextFrame {
  /**
   * The placeholder for the text while a frame is created; no upstream sends exactly this string.
   */
  public static final Json.Str MARK = Json.of("\uE000 strowger: the text \uE000");

  private static final byte[] MARK_BYTES = MARK.toBytes();

  private final byte[] before;
  private final byte[] after;

  /**
   * Splits a frame at the mark.
   *
   * @param frame the bytes of a whole frame with {@link #MARK} in it
   */
  public TextFrame(byte[] frame) {
    int at = indexOf(frame);
    before = Arrays.copyOf(frame, at);
    after = Arrays.copyOfRange(frame, at + MARK_BYTES.length, frame.length);
  }

  private static int indexOf(byte[] frame) {
    for (int at = 0; at <= frame.length - MARK_BYTES.length; at++) {
      if (Arrays.equals(frame, at, at + MARK_BYTES.length, MARK_BYTES, 0, MARK_BYTES.length)) {
        return at;
      }
    }
    throw new IllegalStateException("the mark is not in the frame it was put in");
  }

  /** Appends the frame with this text in it. */
  public void write(Json.Str text, JsonOutput out) {
    out.bytes(before);
    text.writeTo(out);
    out.bytes(after);
  }
}
