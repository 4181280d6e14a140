package io.strowger.spi.model;

import io.strowger.spi.json.JsonOutput;
import java.util.Objects;

/**
 * A file that came with a request, such as a recording. Refers to the bytes of the request and does
 * not copy them. Immutable as long as those bytes are not modified.
 */
public final class UploadedFile {
  private final byte[] bytes;
  private final int offset;
  private final int size;
  private final String format;

  /**
   * @param bytes the bytes that contain the file; not copied, must not be modified afterwards
   * @param offset the index of the file's first byte
   * @param size the length of the file in bytes
   * @param format the format, such as {@code mp3}, in lower-case letters and digits
   */
  public UploadedFile(byte[] bytes, int offset, int size, String format) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    this.bytes = bytes;
    this.offset = offset;
    this.size = size;
    this.format = Objects.requireNonNull(format, "format");
  }

  /** Returns the length of the file in bytes. */
  public int size() {
    return size;
  }

  /**
   * Returns the format the caller named, such as {@code mp3}: 1 to 16 lower-case letters and
   * digits.
   */
  public String format() {
    return format;
  }

  /** Returns the byte at an index, as a value from 0 to 255. */
  public int octet(int index) {
    return bytes[offset + Objects.checkIndex(index, size)] & 0xff;
  }

  /** Writes the whole file. */
  public void writeTo(JsonOutput out) {
    out.bytes(bytes, offset, offset + size);
  }

  @Override
  public String toString() {
    return "UploadedFile[" + format + ", " + size + " bytes]";
  }
}
