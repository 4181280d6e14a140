package io.strowger.core.decisionlog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The outer form of a log: {@link #HEADER}, then frames. A frame is a mark, a kind, the length of
 * its content, a CRC-32C of kind, length and content, and the content; numbers are big-endian.
 */
final class LogFrame {
  static final int FORMAT = 1;

  /**
   * The beginning of a log: a byte that marks the file as binary, a name, the number of the format.
   */
  private static final byte[] HEADER = {(byte) 0x89, 'S', 'T', 'R', 'W', 'L', 'O', 'G', FORMAT};

  static final byte MARK = (byte) 0xD5;
  static final byte SECOND_MARK = (byte) 0xE7;

  /** Bytes of a frame before its content. */
  static final int OVERHEAD = 11;

  private static final int LENGTH_OFFSET = 3;
  private static final int CRC_OFFSET = 7;

  /** The maximum content in bytes; a catalog of a hundred thousand endpoints takes less. */
  static final int MAX_CONTENT = 1 << 26;

  /** The kinds of content of a frame. */
  enum Kind {
    CATALOG('C'),
    STATISTICS('S'),
    DECISION('D');

    private final byte letter;

    Kind(char letter) {
      this.letter = (byte) letter;
    }
  }

  private LogFrame() {}

  static byte[] header() {
    return HEADER.clone();
  }

  /** Returns the header without the number of the format, which may differ. */
  static String magic() {
    return new String(HEADER, 0, HEADER.length - 1, StandardCharsets.ISO_8859_1);
  }

  static byte[] of(Kind kind, byte[] content) {
    if (content.length > MAX_CONTENT) {
      throw new IllegalArgumentException(
          "a record has " + content.length + " bytes, but may have at most " + MAX_CONTENT);
    }
    byte[] frame = new byte[OVERHEAD + content.length];
    frame[0] = MARK;
    frame[1] = SECOND_MARK;
    frame[2] = kind.letter;
    System.arraycopy(content, 0, frame, OVERHEAD, content.length);
    ByteBuffer.wrap(frame)
        .putInt(LENGTH_OFFSET, content.length)
        .putInt(CRC_OFFSET, crc(kind.letter, content.length, frame, OVERHEAD));
    return frame;
  }

  /** Returns the content's length from the first bytes of a frame; -1 when no frame begins here. */
  static int length(byte[] bytes, int offset) {
    int length = ByteBuffer.wrap(bytes).getInt(offset + LENGTH_OFFSET);
    boolean isFrame =
        bytes[offset] == MARK
            && bytes[offset + 1] == SECOND_MARK
            && kind(bytes[offset + 2]) != null
            && length >= 0
            && length <= MAX_CONTENT;
    return isFrame ? length : -1;
  }

  /** Returns whether the checksum of the complete frame that begins here is correct. */
  static boolean isSound(byte[] bytes, int offset) {
    int length = length(bytes, offset);
    return ByteBuffer.wrap(bytes).getInt(offset + CRC_OFFSET)
        == crc(bytes[offset + 2], length, bytes, offset + OVERHEAD);
  }

  static @Nullable Kind kind(byte letter) {
    for (Kind kind : Kind.values()) {
      if (kind.letter == letter) {
        return kind;
      }
    }
    return null;
  }

  private static int crc(byte kind, int length, byte[] bytes, int contentOffset) {
    var crc = new CRC32C();
    crc.update(kind);
    crc.update(ByteBuffer.allocate(4).putInt(0, length));
    crc.update(bytes, contentOffset, length);
    return (int) crc.getValue();
  }
}
