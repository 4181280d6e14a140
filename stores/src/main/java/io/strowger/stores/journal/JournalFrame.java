package io.strowger.stores.journal;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The frame of an item in a file: two mark bytes, the content's length, a checksum, the content.
 * The checksum covers the node's id, which is not in the frame, then the length and the content.
 * Callers do not know the id, so text from a caller does not pass for an item.
 */
final class JournalFrame {
  static final int HEADER = 10;

  /** The most bytes of a content. A larger item is refused. */
  static final int MAX_CONTENT = 1 << 28;

  private static final byte MARK = (byte) 0xB5;
  private static final byte SECOND_MARK = 'J';
  private static final int LENGTH_AT = 2;
  private static final int CRC_AT = 6;

  private final byte[] node;

  /**
   * @param node the node whose journal the frames belong to
   */
  JournalFrame(UUID node) {
    this.node =
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(node.getMostSignificantBits())
            .putLong(node.getLeastSignificantBits())
            .array();
  }

  /**
   * Writes the header into the first {@link #HEADER} bytes of an array.
   *
   * @param packed an item from {@link ItemCodec#pack}, which leaves room for the header
   * @return the same array
   */
  byte[] seal(byte[] packed) {
    int length = packed.length - HEADER;
    if (length > MAX_CONTENT) {
      throw new IllegalArgumentException(
          "an item of " + length + " bytes is too large for the journal");
    }
    packed[0] = MARK;
    packed[1] = SECOND_MARK;
    ByteBuffer header = ByteBuffer.wrap(packed).putInt(LENGTH_AT, length);
    header.putInt(CRC_AT, crc(packed, 0, length));
    return packed;
  }

  /**
   * Returns the length of the content according to the header, which may be damaged; -1 when there
   * is no header here.
   */
  static int length(byte[] bytes, int at) {
    int length = number(bytes, at + LENGTH_AT);
    boolean isHeader =
        bytes[at] == MARK && bytes[at + 1] == SECOND_MARK && length > 0 && length <= MAX_CONTENT;
    return isHeader ? length : -1;
  }

  /** Returns whether the checksum of a complete frame is right. */
  boolean isValid(byte[] bytes, int at) {
    return number(bytes, at + CRC_AT) == crc(bytes, at, length(bytes, at));
  }

  /**
   * Returns the int at an index. Uses no buffer, since a start reads hundreds of thousands of
   * frames.
   */
  private static int number(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xFF) << 16
        | (bytes[at + 2] & 0xFF) << 8
        | bytes[at + 3] & 0xFF;
  }

  /** Returns the checksum of the node's id, the length field and the content. */
  private int crc(byte[] bytes, int at, int length) {
    var crc = new CRC32C();
    crc.update(node);
    crc.update(bytes, at + LENGTH_AT, Integer.BYTES);
    crc.update(bytes, at + HEADER, length);
    return (int) crc.getValue();
  }
}
