package io.strowger.stores.journal;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * How an item lies in a file: two marks, the content's length, a checksum over length and content,
 * the content. The checksum begins with the node's id, which nobody outside knows: text that a
 * caller had written down can never pass for a record.
 */
final class JournalFrame {
  static final int HEADER = 10;

  /** A content cannot be longer: it is a request's whole text at most. */
  static final int MAX_CONTENT = 1 << 28;

  private static final byte MARK = (byte) 0xB5;
  private static final byte SECOND_MARK = 'J';
  private static final int LENGTH_AT = 2;
  private static final int CRC_AT = 6;

  private final byte[] node;

  /**
   * @param node whose journal it is
   */
  JournalFrame(UUID node) {
    this.node =
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(node.getMostSignificantBits())
            .putLong(node.getLeastSignificantBits())
            .array();
  }

  /** Puts the header before a content that was packed behind room for it. */
  byte[] seal(byte[] packed) {
    int length = packed.length - HEADER;
    if (length > MAX_CONTENT) {
      throw new IllegalArgumentException("a record of " + length + " bytes is too large to keep");
    }
    packed[0] = MARK;
    packed[1] = SECOND_MARK;
    ByteBuffer header = ByteBuffer.wrap(packed).putInt(LENGTH_AT, length);
    header.putInt(CRC_AT, crc(packed, 0, length));
    return packed;
  }

  /** The content's length, by a header that may be damaged; -1 when no frame can begin so. */
  static int length(byte[] bytes, int at) {
    int length = number(bytes, at + LENGTH_AT);
    boolean possible =
        bytes[at] == MARK && bytes[at + 1] == SECOND_MARK && length > 0 && length <= MAX_CONTENT;
    return possible ? length : -1;
  }

  /** Whether the frame that begins here, all of which is there, is as it was written. */
  boolean isSound(byte[] bytes, int at) {
    return number(bytes, at + CRC_AT) == crc(bytes, at, length(bytes, at));
  }

  /** Read without a buffer: a start looks at each of hundreds of thousands. */
  private static int number(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xFF) << 16
        | (bytes[at + 2] & 0xFF) << 8
        | bytes[at + 3] & 0xFF;
  }

  /** Of the node's id, the length as it stands in the header, and the content. */
  private int crc(byte[] bytes, int at, int length) {
    var crc = new CRC32C();
    crc.update(node);
    crc.update(bytes, at + LENGTH_AT, Integer.BYTES);
    crc.update(bytes, at + HEADER, length);
    return (int) crc.getValue();
  }
}
