package io.strowger.core.guardrail;

/**
 * A non-empty range of a text.
 *
 * @param start the offset of the first character
 * @param end the offset after the last one; more than {@code start}
 */
record TextSpan(int start, int end) {
  TextSpan {
    if (start < 0 || end <= start) {
      throw new IllegalArgumentException("must not be empty, was " + start + " to " + end);
    }
  }
}
