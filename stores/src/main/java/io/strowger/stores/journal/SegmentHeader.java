package io.strowger.stores.journal;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The header of a journal file: its node, the boot id of the machine, and the number of its first
 * item.
 *
 * @param boot the boot id of the machine; empty when that is not known
 */
record SegmentHeader(UUID node, String boot, long firstItem) {
  static final int LENGTH = 102;
  static final String SUFFIX = ".journal";
  static final int MAX_BOOT = 60;

  private static final byte[] MAGIC = "strowger-jrn".getBytes(StandardCharsets.US_ASCII);
  private static final int FORMAT = 2;

  /** The format of earlier versions, which can still be read. */
  private static final int EARLIER_FORMAT = 1;

  private static final int FORMAT_AT = 12;
  private static final int NODE_AT = 13;
  private static final int BOOT_LENGTH_AT = 37;
  private static final int CRC_AT = LENGTH - 4;

  /** Returns the name of the file; names of one node sort in the order of their items. */
  String fileName() {
    return String.format(Locale.ROOT, "%s-%016x%s", node, firstItem, SUFFIX);
  }

  byte[] bytes() {
    byte[] bytes = new byte[LENGTH];
    byte[] name = boot.getBytes(StandardCharsets.US_ASCII);
    var out = ByteBuffer.wrap(bytes).put(MAGIC).put((byte) FORMAT);
    out.putLong(node.getMostSignificantBits()).putLong(node.getLeastSignificantBits());
    out.putLong(firstItem).put((byte) name.length).put(name);
    out.putInt(CRC_AT, crc(bytes));
    return bytes;
  }

  /**
   * Reads the header of a file.
   *
   * @return the header; null when the file ends inside it or is empty after a power loss
   * @throws IOException with a message for the operator, when the file is not a journal, is damaged
   *     or is of a newer version
   */
  static @Nullable SegmentHeader of(Path path) throws IOException {
    byte[] bytes = new byte[LENGTH];
    try (var file = new RandomAccessFile(path.toFile(), "r")) {
      if (file.length() < LENGTH) {
        return null;
      }
      file.readFully(bytes);
      if (Arrays.equals(bytes, new byte[LENGTH])) {
        return null;
      }
    }
    if (!Arrays.equals(bytes, 0, FORMAT_AT, MAGIC, 0, FORMAT_AT)) {
      throw new IOException(path + " is not a journal; move it away if it does not belong there");
    }
    if (bytes[FORMAT_AT] != FORMAT && bytes[FORMAT_AT] != EARLIER_FORMAT) {
      throw new IOException(
          path
              + " is a journal of format "
              + bytes[FORMAT_AT]
              + ", this version reads "
              + EARLIER_FORMAT
              + " and "
              + FORMAT
              + "; start and stop the version that wrote it, so that the journal is written to the"
              + " database");
    }
    var in = ByteBuffer.wrap(bytes);
    if (!isIntact(bytes) || bytes[BOOT_LENGTH_AT] > MAX_BOOT) {
      throw new IOException("the header of " + path + " is damaged");
    }
    in.position(NODE_AT);
    var node = new UUID(in.getLong(), in.getLong());
    long first = in.getLong();
    String boot =
        new String(bytes, BOOT_LENGTH_AT + 1, bytes[BOOT_LENGTH_AT], StandardCharsets.US_ASCII);
    return new SegmentHeader(node, boot, first);
  }

  /** Returns whether the header at the beginning of a file is undamaged. */
  static boolean isIntact(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getInt(CRC_AT) == crc(bytes);
  }

  private static int crc(byte[] bytes) {
    var crc = new CRC32C();
    crc.update(bytes, 0, CRC_AT);
    return (int) crc.getValue();
  }
}
