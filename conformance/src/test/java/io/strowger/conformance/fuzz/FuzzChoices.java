package io.strowger.conformance.fuzz;

import java.nio.charset.StandardCharsets;

/**
 * The bytes of the fuzzer as a sequence of choices. When they are used up, every choice is the
 * first possibility, so that a short input makes a small change.
 */
final class FuzzChoices {
  private final byte[] bytes;
  private int next;

  FuzzChoices(byte[] bytes) {
    this.bytes = bytes;
  }

  boolean isEmpty() {
    return next >= bytes.length;
  }

  /** Returns a number from 0 to below the bound, which is at least 1. */
  int below(int bound) {
    int value = nextByte();
    if (bound > 256) {
      value = value << 8 | nextByte();
    }
    return value % bound;
  }

  /** Returns up to 31 bytes as text. */
  String text() {
    int length = Math.min(below(32), Math.max(0, bytes.length - next));
    var text = new String(bytes, next, length, StandardCharsets.UTF_8);
    next += length;
    return text;
  }

  private int nextByte() {
    return isEmpty() ? 0 : bytes[next++] & 0xFF;
  }
}
