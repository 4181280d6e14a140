package io.strowger.conformance.fuzz;

import java.nio.charset.StandardCharsets;

/**
 * The fuzzer's bytes as a row of decisions. When they are used up every decision is the first
 * possibility, so that a short input is a small change.
 */
final class Choices {
  private final byte[] bytes;
  private int next;

  Choices(byte[] bytes) {
    this.bytes = bytes;
  }

  boolean isEmpty() {
    return next >= bytes.length;
  }

  /** A number from 0 to below so many, which is at least 1. */
  int of(int many) {
    int value = one();
    if (many > 256) {
      value = value << 8 | one();
    }
    return value % many;
  }

  /** A few characters, any of them. */
  String text() {
    int length = Math.min(of(32), Math.max(0, bytes.length - next));
    var text = new String(bytes, next, length, StandardCharsets.UTF_8);
    next += length;
    return text;
  }

  private int one() {
    return isEmpty() ? 0 : bytes[next++] & 0xFF;
  }
}
