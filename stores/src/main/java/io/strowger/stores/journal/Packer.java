package io.strowger.stores.journal;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes values as few bytes, behind room for a frame's header. For one thread. */
final class Packer {
  private byte[] bytes;
  private int length;

  /**
   * @param before bytes to leave free for what is put there later
   */
  Packer(int before, int capacity) {
    bytes = new byte[before + capacity];
    length = before;
  }

  private void room(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, more)));
    }
  }

  Packer octet(int value) {
    room(1);
    bytes[length++] = (byte) value;
    return this;
  }

  /** A number that is mostly small and positive; negative ones take ten bytes. */
  Packer number(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
    return this;
  }

  Packer text(String value) {
    return block(value.getBytes(StandardCharsets.UTF_8));
  }

  Packer block(byte[] value) {
    number(value.length);
    room(value.length);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
    return this;
  }

  /** A block, or that there is none. */
  Packer maybe(byte @Nullable [] value) {
    if (value == null) {
      return octet(0);
    }
    return octet(1).block(value);
  }

  Packer moment(Instant value) {
    return number(value.getEpochSecond()).number(value.getNano());
  }

  byte[] bytes() {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }
}
