package io.strowger.spi.model;

import io.strowger.spi.json.JsonOutput;
import java.util.Objects;

/**
 * A file that came with a request, such as a recording. Refers to the bytes it was read from and
 * copies none. Immutable as long as nobody writes to those.
 */
public final class UploadedFile {
  private final byte[] bytes;
  private final int from;
  private final int size;
  private final String format;

  /**
   * @param bytes not written to by anybody any more
   * @param from where the file begins
   * @param size how many bytes it has
   * @param format of what it is, such as {@code mp3}, in small letters and digits
   */
  public UploadedFile(byte[] bytes, int from, int size, String format) {
    Objects.checkFromIndexSize(from, size, bytes.length);
    this.bytes = bytes;
    this.from = from;
    this.size = size;
    this.format = Objects.requireNonNull(format, "format");
  }

  /** How many bytes it has. */
  public int size() {
    return size;
  }

  /** What the caller says it is, such as {@code mp3}: small letters and digits, 1 to 16. */
  public String format() {
    return format;
  }

  /** The byte at a place, 0 to 255. */
  public int octet(int index) {
    return bytes[from + Objects.checkIndex(index, size)] & 0xff;
  }

  /** Writes all of it. */
  public void writeTo(JsonOutput out) {
    out.bytes(bytes, from, from + size);
  }

  @Override
  public String toString() {
    return "UploadedFile[" + format + ", " + size + " bytes]";
  }
}
