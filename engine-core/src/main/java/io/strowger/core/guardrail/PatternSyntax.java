package io.strowger.core.guardrail;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Checks a pattern for constructs that no filter may have: lookaround, backreferences, nested
 * unbounded quantifiers, and more counted repetition or nesting than the limits that keep the
 * compiled pattern small. RE2/J reports all other errors. One instance checks one pattern.
 *
 * <p>The size of a pattern is the number of characters that it matches one by one once its counted
 * repetitions are written out: {@code x{3}} has the size of {@code xxx}, and {@code x{0,1000}} that
 * of 1,000 characters.
 */
final class PatternSyntax {
  private static final int MAX_DEPTH = 200;
  private static final long MIN_SIZE_LIMIT = 10_000;
  private static final int MAX_REPEAT_COUNT = 1000;
  private static final int MAX_COUNTS_LENGTH = "9999,9999".length();

  /** An open group, with what is known of its content so far. */
  private static final class Group {
    boolean isUnbounded;
    long size = 1;
  }

  private final String pattern;
  private final int lastBrace; // index of the last closing brace
  private final int lastNamedClassEnd; // index of the last ":]"
  private final Deque<Group> openGroups = new ArrayDeque<>();
  private Group group = new Group();
  private boolean lastIsUnbounded; // whether the atom before a quantifier is unbounded
  private long lastSize;
  private int position;

  PatternSyntax(String pattern) {
    this.pattern = pattern;
    this.lastBrace = pattern.lastIndexOf('}');
    this.lastNamedClassEnd = pattern.lastIndexOf(":]");
  }

  /**
   * Returns what the pattern must be like instead, as a phrase that follows "must be a pattern";
   * null when it has no forbidden construct.
   */
  @Nullable String problem() {
    while (position < pattern.length()) {
      String problem =
          switch (pattern.charAt(position)) {
            case '\\' -> skipEscape();
            case '[' -> skipClass();
            case '(' -> openGroup();
            case ')' -> closeGroup();
            case '*', '+' -> unboundedQuantifier();
            case '?' -> applyQuantifier(1, 1);
            case '{' -> countedQuantifier();
            case '|' -> consume(1, 0);
            default -> consume(1, 1);
          };
      if (problem != null) {
        return problem;
      }
      if (group.size > maxSize()) {
        return "with less repetition: it expands to more than " + maxSize() + " characters";
      }
    }
    return null;
  }

  private long maxSize() {
    return Math.max(MIN_SIZE_LIMIT, pattern.length() + 1L);
  }

  /** Passes over a part of the pattern that adds {@code size} to the size of its group. */
  private @Nullable String consume(int length, long size) {
    position += length;
    lastIsUnbounded = false;
    lastSize = size;
    group.size += size;
    return null;
  }

  private @Nullable String skipEscape() {
    if (position + 1 == pattern.length()) {
      return consume(1, 1);
    }
    char letter = pattern.charAt(position + 1);
    if (letter >= '1' && letter <= '9' || letter == 'k') {
      return "without backreferences";
    }
    if (letter == 'Q') {
      int end = pattern.indexOf("\\E", position);
      int length = (end < 0 ? pattern.length() : end + 2) - position;
      return consume(length, length);
    }
    boolean isBraced = position + 2 < pattern.length() && pattern.charAt(position + 2) == '{';
    int end = isBraced && "pPx".indexOf(letter) >= 0 ? closingBrace() : -1;
    return consume(end < 0 ? 2 : end + 1 - position, 1);
  }

  /** Returns the index of the next closing brace; -1 when there is none. */
  private int closingBrace() {
    return position > lastBrace ? -1 : pattern.indexOf('}', position);
  }

  /**
   * Skips a character class as one atom; a leading {@code ]} and {@code [:name:]} are part of it.
   */
  private @Nullable String skipClass() {
    int i = position + 1;
    if (i < pattern.length() && pattern.charAt(i) == '^') {
      i++;
    }
    int first = i;
    while (i < pattern.length() && (pattern.charAt(i) != ']' || i == first)) {
      int name =
          i < lastNamedClassEnd && pattern.startsWith("[:", i) ? pattern.indexOf(":]", i) : -1;
      if (name >= 0) {
        i = name + 2;
      } else {
        i += pattern.charAt(i) == '\\' ? 2 : 1;
      }
    }
    return consume(i + 1 - position, 1);
  }

  private @Nullable String openGroup() {
    if (startsWithAny("(?=", "(?!", "(?<=", "(?<!")) {
      return "without lookaround";
    }
    if (pattern.startsWith("(?P=", position)) {
      return "without backreferences";
    }
    int length = 1;
    if (pattern.startsWith("(?", position)) {
      int i = position + 2;
      while (i < pattern.length() && ":>)".indexOf(pattern.charAt(i)) < 0) {
        i++;
      }
      length = i + 1 - position;
      if (i < pattern.length() && pattern.charAt(i) == ')') {
        return consume(length, 0); // only flags, which open no group
      }
    }
    openGroups.push(group);
    group = new Group();
    position += length;
    return openGroups.size() > MAX_DEPTH ? "with at most " + MAX_DEPTH + " nested groups" : null;
  }

  private boolean startsWithAny(String... beginnings) {
    for (String beginning : beginnings) {
      if (pattern.startsWith(beginning, position)) {
        return true;
      }
    }
    return false;
  }

  private @Nullable String closeGroup() {
    if (openGroups.isEmpty()) {
      return consume(1, 0); // the compiler reports it
    }
    Group closed = group;
    group = openGroups.pop();
    position++;
    lastIsUnbounded = closed.isUnbounded;
    lastSize = closed.size;
    group.size += closed.size;
    group.isUnbounded |= closed.isUnbounded;
    return null;
  }

  private @Nullable String unboundedQuantifier() {
    if (lastIsUnbounded) {
      return "without nested quantifiers";
    }
    group.isUnbounded = true;
    lastIsUnbounded = true;
    return applyQuantifier(1, 1);
  }

  /**
   * Passes over a quantifier, with the {@code ?} that makes it lazy, and multiplies the size of the
   * atom before it by {@code times}.
   */
  private @Nullable String applyQuantifier(int length, long times) {
    position += length;
    if (position < pattern.length() && pattern.charAt(position) == '?') {
      position++;
    }
    long size = Math.multiplyExact(lastSize, times);
    group.size += size - lastSize;
    lastSize = size;
    return null;
  }

  /** Reads {@code {n}}, {@code {n,}} or {@code {n,m}}; RE2/J checks anything else. */
  private @Nullable String countedQuantifier() {
    int end = closingBrace();
    int length = end - position - 1;
    String counts =
        end < 0 || length > MAX_COUNTS_LENGTH ? "" : pattern.substring(position + 1, end);
    if (!counts.matches("[0-9]{1,4}(,[0-9]{0,4})?")) {
      return consume(1, 1);
    }
    int comma = counts.indexOf(',');
    boolean isUnbounded = comma == counts.length() - 1;
    String highest =
        comma < 0 || isUnbounded ? counts.replace(",", "") : counts.substring(comma + 1);
    int times = Integer.parseInt(highest);
    if (times > MAX_REPEAT_COUNT) {
      return "without repetition counts above " + MAX_REPEAT_COUNT;
    }
    if (isUnbounded) {
      if (lastIsUnbounded) {
        return "without nested quantifiers";
      }
      group.isUnbounded = true;
      lastIsUnbounded = true;
    }
    return applyQuantifier(end + 1 - position, Math.max(1, times));
  }
}
