package io.strowger.core.dialect.messages;

/**
 * Follows the arguments of a call while they come, to know when they are complete: an object or
 * array whose brackets are all closed cannot go on. For one thread.
 */
final class CallText {
  private int depth;
  private boolean inString;
  private boolean escaped;
  private boolean begun;
  private boolean complete;

  void add(String piece) {
    for (int i = 0; i < piece.length(); i++) {
      add(piece.charAt(i));
    }
  }

  private void add(char c) {
    if (inString) {
      inString = escaped || c != '"';
      escaped = !escaped && c == '\\';
      return;
    }
    switch (c) {
      case '"' -> inString = true;
      case '{', '[' -> depth++;
      case '}', ']' -> complete |= --depth <= 0;
      default -> {
        // a number, a comma, white space: neither opens nor closes
      }
    }
    begun |= !Character.isWhitespace(c);
  }

  /** Something other than white space came. */
  boolean begun() {
    return begun;
  }

  boolean isComplete() {
    return complete;
  }
}
