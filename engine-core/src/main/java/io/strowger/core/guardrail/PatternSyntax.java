package io.strowger.core.guardrail;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Checks a pattern for constructs that no filter may have: lookaround, backreferences, nested
 * unbounded quantifiers, and so much counted repetition or nesting that the pattern itself would be
 * too expensive. The compiler of the library reports all other errors. One instance checks one
 * pattern.
 */
final class PatternSyntax {
  private static final int MAX_DEPTH = 200;
  private static final long MAX_STATES = 10_000;
  private static final int MAX_COUNT = 1000;

  /** An open group, with what is known of its content so far. */
  private static final class Group {
    boolean endless;
    long states = 1;
  }

  private final String pattern;
  private final int lastBrace; // no closing brace follows it
  private final int lastClass;
  private final Deque<Group> open = new ArrayDeque<>();
  private Group group = new Group();
  private boolean lastEndless; // whether the atom before a quantifier is unbounded
  private long lastStates;
  private int at;

  PatternSyntax(String pattern) {
    this.pattern = pattern;
    this.lastBrace = pattern.lastIndexOf('}');
    this.lastClass = pattern.lastIndexOf(":]");
  }

  /** Returns the forbidden construct that the pattern has, in words; null when it has none. */
  @Nullable String problem() {
    while (at < pattern.length()) {
      String problem =
          switch (pattern.charAt(at)) {
            case '\\' -> escape();
            case '[' -> characters();
            case '(' -> opens();
            case ')' -> closes();
            case '*', '+' -> endless();
            case '?' -> repeats(1, 1);
            case '{' -> counted();
            case '|' -> atom(1, 0);
            default -> atom(1, 1);
          };
      if (problem != null) {
        return problem;
      }
      if (group.states > Math.max(MAX_STATES, pattern.length() + 1L)) {
        return "so much repetition";
      }
    }
    return null;
  }

  private @Nullable String atom(int length, long states) {
    at += length;
    lastEndless = false;
    lastStates = states;
    group.states += states;
    return null;
  }

  private @Nullable String escape() {
    if (at + 1 == pattern.length()) {
      return atom(1, 1);
    }
    char kind = pattern.charAt(at + 1);
    if (kind >= '1' && kind <= '9' || kind == 'k') {
      return "backreferences";
    }
    if (kind == 'Q') {
      int end = pattern.indexOf("\\E", at);
      int length = (end < 0 ? pattern.length() : end + 2) - at;
      return atom(length, length);
    }
    boolean braced = at + 2 < pattern.length() && pattern.charAt(at + 2) == '{';
    int end = braced && "pPx".indexOf(kind) >= 0 ? brace() : -1;
    return atom(end < 0 ? 2 : end + 1 - at, 1);
  }

  /** Returns the index of the next closing brace; -1 when there is none. */
  private int brace() {
    return at > lastBrace ? -1 : pattern.indexOf('}', at);
  }

  /**
   * Skips a character class as one atom; a leading {@code ]} and {@code [:name:]} are part of it.
   */
  private @Nullable String characters() {
    int i = at + 1;
    if (i < pattern.length() && pattern.charAt(i) == '^') {
      i++;
    }
    int first = i;
    while (i < pattern.length() && (pattern.charAt(i) != ']' || i == first)) {
      int name = i < lastClass && pattern.startsWith("[:", i) ? pattern.indexOf(":]", i) : -1;
      if (name >= 0) {
        i = name + 2;
      } else {
        i += pattern.charAt(i) == '\\' ? 2 : 1;
      }
    }
    return atom(i + 1 - at, 1);
  }

  private @Nullable String opens() {
    if (startsWithAny("(?=", "(?!", "(?<=", "(?<!")) {
      return "lookaround";
    }
    if (pattern.startsWith("(?P=", at)) {
      return "backreferences";
    }
    int length = 1;
    if (pattern.startsWith("(?", at)) {
      int i = at + 2;
      while (i < pattern.length() && ":>)".indexOf(pattern.charAt(i)) < 0) {
        i++;
      }
      length = i + 1 - at;
      if (i < pattern.length() && pattern.charAt(i) == ')') {
        return atom(length, 0); // only flags, which open no group
      }
    }
    open.push(group);
    group = new Group();
    at += length;
    return open.size() > MAX_DEPTH ? "so many groups inside each other" : null;
  }

  private boolean startsWithAny(String... beginnings) {
    for (String beginning : beginnings) {
      if (pattern.startsWith(beginning, at)) {
        return true;
      }
    }
    return false;
  }

  private @Nullable String closes() {
    if (open.isEmpty()) {
      return atom(1, 0); // the compiler reports it
    }
    Group closed = group;
    group = open.pop();
    at++;
    lastEndless = closed.endless;
    lastStates = closed.states;
    group.states += closed.states;
    group.endless |= closed.endless;
    return null;
  }

  private @Nullable String endless() {
    if (lastEndless) {
      return "nested quantifiers";
    }
    group.endless = true;
    lastEndless = true;
    return repeats(1, 1);
  }

  /** Skips a quantifier, with the {@code ?} that makes it lazy. */
  private @Nullable String repeats(int length, long times) {
    at += length;
    if (at < pattern.length() && pattern.charAt(at) == '?') {
      at++;
    }
    long states = Math.multiplyExact(lastStates, times);
    group.states += states - lastStates;
    lastStates = states;
    return null;
  }

  /** Reads {@code {n}}, {@code {n,}} or {@code {n,m}}; anything else in braces is literal. */
  private @Nullable String counted() {
    int end = brace();
    String inside = end < 0 ? "" : pattern.substring(at + 1, Math.min(end, at + 12));
    if (!inside.matches("[0-9]{1,4}(,[0-9]{0,4})?")) {
      return atom(1, 1);
    }
    int comma = inside.indexOf(',');
    boolean unbounded = comma == inside.length() - 1;
    String most = comma < 0 || unbounded ? inside.replace(",", "") : inside.substring(comma + 1);
    int times = Integer.parseInt(most);
    if (times > MAX_COUNT) {
      return "counts above " + MAX_COUNT;
    }
    if (unbounded) {
      if (lastEndless) {
        return "nested quantifiers";
      }
      group.endless = true;
      lastEndless = true;
    }
    return repeats(end + 1 - at, Math.max(1, times));
  }
}
