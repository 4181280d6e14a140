package io.strowger.core.destination;

import io.strowger.core.secret.SecretCipher;
import io.strowger.core.secret.SecretKeyException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.zip.CRC32C;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A file of encrypted records: a header, then frames. Records are appended only by the process that
 * created the file, until an append fails. Each file has its own key, derived from the secret key
 * and the salt in its header, and the offset of a record is its nonce: no offset is written twice
 * with one key, so no nonce is used twice.
 *
 * <p>The header is a mark, the number of the format, the name of the secret key, the salt, and a
 * CRC-32C of all that. A frame is a mark, the length of its content, a CRC-32C of the length and of
 * the frame's offset, and the content, encrypted with AES-256-GCM. Numbers are big-endian. Frames
 * can therefore be found without a key, even after damaged ones, and the cipher detects damaged
 * content.
 *
 * <p>Not thread-safe: guarded by the lock of its queue.
 */
final class SegmentFile implements Closeable {
  private static final byte[] MARK = {(byte) 0x89, 'S', 'T', 'R', 'W', 'O', 'B', 'Q', 1};
  private static final int NAME_BYTES = 8;
  private static final int SALT_BYTES = 32;
  private static final int CRC_BYTES = Integer.BYTES;

  /** Bytes before the first frame. */
  static final int HEADER_BYTES = MARK.length + NAME_BYTES + SALT_BYTES + CRC_BYTES;

  private static final byte FRAME_MARK_1 = (byte) 0xD5;
  private static final byte FRAME_MARK_2 = (byte) 0xE7;
  private static final int TAG_BYTES = 16;

  /** Bytes of a frame before its content. */
  private static final int FRAME_HEAD_BYTES = 2 + Integer.BYTES + CRC_BYTES;

  /** Bytes in the file that each record needs in addition to its own. */
  static final int OVERHEAD_BYTES = FRAME_HEAD_BYTES + TAG_BYTES;

  private static final int WINDOW_BYTES = 1 << 16;

  private final Path path;
  private final SecretKeySpec key;
  private @Nullable FileChannel channel; // null: opened when it is needed
  private long size;
  private boolean appendable; // while the channel that created the file is open

  private SegmentFile(Path path, SecretKeySpec key, @Nullable FileChannel channel, long size) {
    this.path = path;
    this.key = key;
    this.channel = channel;
    this.size = size;
    this.appendable = channel != null;
  }

  /** The inputs for deriving the key of a file. */
  record Keys(SecretCipher cipher, IntFunction<byte[]> random, String purpose) {}

  /** A frame whose head is valid; its content is not checked. */
  record Frame(long offset, int length) {
    long end() {
      return offset + FRAME_HEAD_BYTES + length;
    }
  }

  /**
   * Thrown when a file is damaged or was encrypted with another key. The message continues a
   * sentence that begins with the file's path.
   */
  static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1;

    UnreadableException(String message) {
      super(message);
    }
  }

  /**
   * Creates a file that only its owner can access.
   *
   * @throws FileAlreadyExistsException when a file of this name exists, which is left as it is
   * @throws IOException when the file cannot be created or its header cannot be written; a file
   *     that was created is then deleted again, if possible
   */
  static SegmentFile create(Path path, Keys keys) throws IOException, SecretKeyException {
    byte[] salt = keys.random().apply(SALT_BYTES);
    SecretKeySpec key = keys.cipher().derivedKey(keys.purpose(), salt);
    ByteBuffer header =
        ByteBuffer.allocate(HEADER_BYTES)
            .put(MARK)
            .put(keys.cipher().keyName().getBytes(StandardCharsets.ISO_8859_1))
            .put(salt);
    header.putInt(crc(header.array(), header.position())).flip();
    var options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    FileChannel channel = FileChannel.open(path, options, QueueFilePermissions.file(path));
    var file = new SegmentFile(path, key, channel, 0);
    try {
      file.write(header);
      return file;
    } catch (IOException e) {
      file.deleteAfter(e);
      throw e;
    }
  }

  private void deleteAfter(IOException failure) {
    try {
      close();
      Files.delete(path);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Opens a file to read it.
   *
   * @throws UnreadableException when it is not of this format, or was made with another key
   */
  static SegmentFile open(Path path, Keys keys)
      throws IOException, SecretKeyException, UnreadableException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      byte[] header = read(channel, 0, HEADER_BYTES);
      if (header.length < HEADER_BYTES
          || !Arrays.equals(header, 0, MARK.length, MARK, 0, MARK.length)
          || ByteBuffer.wrap(header).getInt(HEADER_BYTES - CRC_BYTES)
              != crc(header, HEADER_BYTES - CRC_BYTES)) {
        throw new UnreadableException("is damaged at its beginning, or of another format");
      }
      String name = new String(header, MARK.length, NAME_BYTES, StandardCharsets.ISO_8859_1);
      if (!name.equals(keys.cipher().keyName())) {
        throw new UnreadableException(
            "was encrypted with the key "
                + name
                + ", but the configured key is "
                + keys.cipher().keyName());
      }
      int salt = MARK.length + NAME_BYTES;
      SecretKeySpec key =
          keys.cipher()
              .derivedKey(keys.purpose(), Arrays.copyOfRange(header, salt, salt + SALT_BYTES));
      return new SegmentFile(path, key, null, channel.size());
    }
  }

  Path path() {
    return path;
  }

  /** Returns the size of the file in bytes, without records whose append failed. */
  long size() {
    return size;
  }

  /**
   * Appends a record.
   *
   * @throws IOException when it cannot be written; then no more may be appended
   */
  void append(byte[] record) throws IOException {
    byte[] content = applyCipher(Cipher.ENCRYPT_MODE, size, record, record.length);
    ByteBuffer frame = ByteBuffer.allocate(FRAME_HEAD_BYTES + content.length);
    frame
        .put(FRAME_MARK_1)
        .put(FRAME_MARK_2)
        .putInt(content.length)
        .putInt(crc(size, content.length));
    write(frame.put(content).flip());
  }

  private void write(ByteBuffer bytes) throws IOException {
    FileChannel target = channel;
    if (target == null || !appendable) {
      throw new IOException("the file is not open for writing");
    }
    long end = size;
    try {
      while (bytes.hasRemaining()) {
        end += target.write(bytes, end);
      }
      size = end;
    } catch (IOException e) {
      truncate(target);
      throw e;
    }
  }

  /** Removes an incomplete record; when that fails, readers skip it. */
  private void truncate(FileChannel target) {
    try {
      target.truncate(size);
    } catch (IOException e) {
      // the same disk refused to write
    }
  }

  /** Forces appended records to the device. */
  void force() throws IOException {
    if (channel != null) {
      channel.force(false);
    }
  }

  /** Returns the frame that begins at an offset; null when there is none or it is incomplete. */
  @Nullable Frame frame(long offset) throws IOException {
    byte[] head = read(channel(), offset, FRAME_HEAD_BYTES);
    int length = head.length < FRAME_HEAD_BYTES ? -1 : length(head, 0, offset);
    return length < 0 || new Frame(offset, length).end() > size ? null : new Frame(offset, length);
  }

  /**
   * Returns the offset of the first frame at or after an offset; the size of the file when there is
   * none.
   */
  long nextFrame(long from) throws IOException {
    long at = from;
    while (at + FRAME_HEAD_BYTES <= size) {
      byte[] window = read(channel(), at, WINDOW_BYTES);
      int last = window.length - FRAME_HEAD_BYTES;
      for (int i = 0; i <= last; i++) {
        int length = length(window, i, at + i);
        if (length >= 0 && new Frame(at + i, length).end() <= size) {
          return at + i;
        }
      }
      if (last < 0) {
        break;
      }
      at += last + 1;
    }
    return size;
  }

  /** Returns the length in the head of a frame; -1 when the bytes are no head. */
  private static int length(byte[] bytes, int at, long offset) {
    if (bytes[at] != FRAME_MARK_1 || bytes[at + 1] != FRAME_MARK_2) {
      return -1;
    }
    ByteBuffer head = ByteBuffer.wrap(bytes);
    int length = head.getInt(at + 2);
    return head.getInt(at + 2 + Integer.BYTES) == crc(offset, length) ? length : -1;
  }

  /** Returns the record of a frame; null when it is damaged. */
  byte @Nullable [] record(Frame frame) throws IOException {
    byte[] content = read(channel(), frame.offset() + FRAME_HEAD_BYTES, frame.length());
    if (content.length < frame.length() || content.length < TAG_BYTES) {
      return null;
    }
    return decrypt(frame.offset(), content);
  }

  private byte @Nullable [] decrypt(long offset, byte[] content) {
    try {
      return initCipher(Cipher.DECRYPT_MODE, offset).doFinal(content);
    } catch (AEADBadTagException e) {
      return null;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has AES-GCM", impossible);
    }
  }

  private byte[] applyCipher(int mode, long offset, byte[] bytes, int length) {
    try {
      return initCipher(mode, offset).doFinal(bytes, 0, length);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has AES-GCM", impossible);
    }
  }

  private Cipher initCipher(int mode, long offset) throws GeneralSecurityException {
    byte[] nonce = ByteBuffer.allocate(12).putLong(4, offset).array();
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
    return cipher;
  }

  private FileChannel channel() throws IOException {
    FileChannel result = channel;
    if (result == null || !result.isOpen()) {
      appendable = false;
      result = FileChannel.open(path, StandardOpenOption.READ);
      channel = result;
    }
    return result;
  }

  /** Reads this many bytes, or fewer at the end of the file. */
  private static byte[] read(FileChannel from, long offset, int count) throws IOException {
    long available = Math.max(0, from.size() - offset);
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(count, available));
    while (bytes.hasRemaining() && from.read(bytes, offset + bytes.position()) >= 0) {
      // until all of it is there
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  private static int crc(byte[] bytes, int count) {
    var crc = new CRC32C();
    crc.update(bytes, 0, count);
    return (int) crc.getValue();
  }

  /**
   * Returns the checksum of a frame's head. It covers the offset, so that a copy of a frame at
   * another place is not valid.
   */
  private static int crc(long offset, int length) {
    byte[] bytes =
        ByteBuffer.allocate(Long.BYTES + Integer.BYTES).putLong(offset).putInt(length).array();
    return crc(bytes, bytes.length);
  }

  /** Closes the file; it is opened again when it is read. */
  @Override
  public void close() throws IOException {
    FileChannel openChannel = channel;
    channel = null;
    appendable = false;
    if (openChannel != null) {
      openChannel.close();
    }
  }
}
