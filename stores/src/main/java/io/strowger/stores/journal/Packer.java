package io.strowger.stores.journal;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Writes values compactly, leaving room for a frame's header before them. For one thread. */
final class Packer {
  /** The code before a text that is new in the item. */
  static final int NEW = 0;

  /** The code before the digits of a key. */
  static final int KEY = 1;

  /** The code of the first text that is repeated. */
  static final int REPEATED = 2;

  static final String KEY_PREFIX = "key:";
  static final int KEY_BYTES = 32;
  private static final int KEY_CHARS = KEY_PREFIX.length() + 2 * KEY_BYTES;
  private static final int TYPICAL_TEXTS = 12;

  /** How many bytes the length of a block takes that has 128 to 16,383 bytes. */
  private static final int TYPICAL_LENGTH_BYTES = 2;

  private byte[] bytes;
  private int length;
  private @Nullable String[] texts = new @Nullable String[TYPICAL_TEXTS];
  private int textCount;

  /**
   * @param before how many bytes to leave free for a header
   */
  Packer(int before, int capacity) {
    bytes = new byte[before + capacity];
    length = before;
  }

  private void ensureRoom(int extra) {
    if (bytes.length - length < extra) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, extra)));
    }
  }

  Packer octet(int value) {
    ensureRoom(1);
    bytes[length++] = (byte) value;
    return this;
  }

  /** Writes a number; small positive ones take few bytes, negative ones ten. */
  Packer number(long value) {
    ensureRoom(10);
    long remaining = value;
    while ((remaining & ~0x7FL) != 0) {
      bytes[length++] = (byte) (remaining | 0x80);
      remaining >>>= 7;
    }
    bytes[length++] = (byte) remaining;
    return this;
  }

  Packer text(String value) {
    int chars = value.length();
    number(chars);
    ensureRoom(chars);
    for (int i = 0; i < chars; i++) {
      char c = value.charAt(i);
      if (c >= 0x80) {
        length -= i + Packer.size(chars);
        return block(value.getBytes(StandardCharsets.UTF_8));
      }
      bytes[length++] = (byte) c;
    }
    return this;
  }

  /** Returns how many bytes a number takes. */
  private static int size(int number) {
    int size = 1;
    for (int remaining = number >>> 7; remaining != 0; remaining >>>= 7) {
      size++;
    }
    return size;
  }

  /**
   * Writes a text. A text that the item already contains is written as its number, and the 64 hex
   * digits in the name of a key are written as 32 bytes.
   */
  Packer shared(String value) {
    for (int i = 0; i < textCount; i++) {
      if (value.equals(texts[i])) {
        return number(REPEATED + i);
      }
    }
    if (textCount == texts.length) {
      texts = Arrays.copyOf(texts, textCount * 2);
    }
    texts[textCount++] = value;
    return isKey(value) ? number(KEY).hex(value) : number(NEW).text(value);
  }

  private static boolean isKey(String value) {
    if (value.length() != KEY_CHARS || !value.startsWith(KEY_PREFIX)) {
      return false;
    }
    for (int i = KEY_PREFIX.length(); i < KEY_CHARS; i++) {
      char c = value.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  private Packer hex(String key) {
    ensureRoom(KEY_BYTES);
    for (int i = KEY_PREFIX.length(); i < KEY_CHARS; i += 2) {
      bytes[length++] =
          (byte)
              (HexFormat.fromHexDigit(key.charAt(i)) << 4
                  | HexFormat.fromHexDigit(key.charAt(i + 1)));
    }
    return this;
  }

  Packer block(byte[] value) {
    number(value.length);
    ensureRoom(value.length);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
    return this;
  }

  /**
   * Begins a block whose length is not known yet; everything until {@link #end} is in it.
   *
   * @return where the content of the block begins, for {@link #end}
   */
  int begin() {
    ensureRoom(TYPICAL_LENGTH_BYTES);
    length += TYPICAL_LENGTH_BYTES;
    return length;
  }

  /**
   * Ends a block.
   *
   * @param begin the result of {@link #begin}
   */
  Packer end(int begin) {
    int blockLength = length - begin;
    int size = size(blockLength);
    if (size != TYPICAL_LENGTH_BYTES) {
      ensureRoom(Math.max(0, size - TYPICAL_LENGTH_BYTES));
      System.arraycopy(bytes, begin, bytes, begin - TYPICAL_LENGTH_BYTES + size, blockLength);
    }
    length = begin - TYPICAL_LENGTH_BYTES;
    number(blockLength);
    length += blockLength;
    return this;
  }

  /** Writes a block that may be absent. */
  Packer optionalBlock(byte @Nullable [] value) {
    if (value == null) {
      return octet(0);
    }
    return octet(1).block(value);
  }

  Packer moment(Instant value) {
    return number(value.getEpochSecond()).number(value.getNano());
  }

  int length() {
    return length;
  }

  byte[] bytes() {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }
}
