package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses a pattern into a syntax tree. The pattern must be valid for the RE2 library, which also
 * decides what single atoms match. One instance parses one pattern.
 */
final class PatternParser {
  private static final String REPEAT_COUNT = "(0|[1-9][0-9]{0,3})(,(0|[1-9][0-9]{0,3})?)?";

  private final String pattern;
  private final CharacterSet.Sets sets = new CharacterSet.Sets();
  private int position;
  private int groupCount;
  private Flags flags = new Flags(false, false, false, false);

  /** A node of the syntax tree. */
  sealed interface Node {}

  /** Matches one character of a set. */
  record Atom(CharacterSet set) implements Node {}

  /** An assertion about the position between two characters. */
  record AssertionNode(PatternProgram.Assertion assertion) implements Node {}

  record Sequence(List<Node> nodes) implements Node {}

  /** Alternatives, in order of preference. */
  record Choice(List<Node> nodes) implements Node {}

  record Group(int number, Node inner) implements Node {}

  /**
   * @param max the upper bound; -1 for none
   */
  record Repeat(Node node, int min, int max, boolean isGreedy) implements Node {}

  /** The flags {@code i}, {@code m}, {@code s} and {@code U}. */
  private record Flags(boolean ignoreCase, boolean multiline, boolean dotAll, boolean swapGreedy) {
    String atomFlags() {
      return (ignoreCase ? "i" : "") + (dotAll ? "s" : "");
    }

    Flags with(char flag, boolean enable) {
      return switch (flag) {
        case 'i' -> new Flags(enable, multiline, dotAll, swapGreedy);
        case 'm' -> new Flags(ignoreCase, enable, dotAll, swapGreedy);
        case 's' -> new Flags(ignoreCase, multiline, enable, swapGreedy);
        case 'U' -> new Flags(ignoreCase, multiline, dotAll, enable);
        default -> throw new IllegalArgumentException("unknown flag: " + flag);
      };
    }
  }

  PatternParser(String pattern) {
    this.pattern = pattern;
  }

  Node parse() {
    Node root = new Group(0, parseChoice());
    if (position < pattern.length()) {
      throw new IllegalArgumentException("unexpected character at offset " + position);
    }
    return root;
  }

  private boolean isNext(char c) {
    return position < pattern.length() && pattern.charAt(position) == c;
  }

  private boolean accept(char c) {
    boolean isAccepted = isNext(c);
    position += isAccepted ? 1 : 0;
    return isAccepted;
  }

  private Node parseChoice() {
    var branches = new ArrayList<Node>();
    do {
      branches.add(parseSequence());
    } while (accept('|'));
    return branches.size() == 1 ? branches.getFirst() : new Choice(branches);
  }

  private Node parseSequence() {
    var nodes = new ArrayList<Node>();
    while (position < pattern.length() && !isNext('|') && !isNext(')')) {
      if (pattern.startsWith("\\Q", position)) {
        parseQuoted(nodes);
      } else {
        parseElement(nodes);
      }
      parseQuantifiers(nodes);
    }
    return new Sequence(nodes);
  }

  private void parseQuoted(List<Node> nodes) {
    int end = pattern.indexOf("\\E", position + 2);
    int quotedEnd = end < 0 ? pattern.length() : end;
    position += 2;
    while (position < quotedEnd) {
      int c = pattern.codePointAt(position);
      position += Character.charCount(c);
      nodes.add(literal(c));
    }
    position = end < 0 ? quotedEnd : end + 2;
  }

  private Atom literal(int codePoint) {
    String hex = "\\x{" + Integer.toHexString(codePoint) + "}";
    return new Atom(sets.of(hex, flags.ignoreCase() ? "i" : ""));
  }

  private void parseElement(List<Node> nodes) {
    switch (pattern.charAt(position)) {
      case '(' -> parseGroup(nodes);
      case '[' -> nodes.add(parseAtom(classEnd()));
      case '.' -> nodes.add(parseAtom(position + 1));
      case '^' -> {
        position++;
        nodes.add(assertion(flags.multiline(), PatternProgram.Assertion.LINE_BEGINS));
      }
      case '$' -> {
        position++;
        nodes.add(assertion(flags.multiline(), PatternProgram.Assertion.LINE_ENDS));
      }
      case '\\' -> nodes.add(parseEscape());
      default -> {
        int c = pattern.codePointAt(position);
        position += Character.charCount(c);
        nodes.add(literal(c));
      }
    }
  }

  private static AssertionNode assertion(
      boolean multiline, PatternProgram.Assertion lineAssertion) {
    if (multiline) {
      return new AssertionNode(lineAssertion);
    }
    return new AssertionNode(
        lineAssertion == PatternProgram.Assertion.LINE_BEGINS
            ? PatternProgram.Assertion.TEXT_BEGINS
            : PatternProgram.Assertion.TEXT_ENDS);
  }

  private Atom parseAtom(int end) {
    String source = pattern.substring(position, end);
    position = end;
    return new Atom(sets.of(source, flags.atomFlags()));
  }

  private Node parseEscape() {
    char letter = pattern.charAt(position + 1);
    PatternProgram.@Nullable Assertion assertion =
        switch (letter) {
          case 'A' -> PatternProgram.Assertion.TEXT_BEGINS;
          case 'z' -> PatternProgram.Assertion.TEXT_ENDS;
          case 'b' -> PatternProgram.Assertion.WORD_EDGE;
          case 'B' -> PatternProgram.Assertion.NO_WORD_EDGE;
          default -> null;
        };
    if (assertion != null) {
      position += 2;
      return new AssertionNode(assertion);
    }
    return parseAtom(escapeEnd(letter));
  }

  private int escapeEnd(char letter) {
    boolean isBraced = position + 2 < pattern.length() && pattern.charAt(position + 2) == '{';
    return switch (letter) {
      case 'p', 'P' -> isBraced ? pattern.indexOf('}', position) + 1 : position + 3;
      case 'x' -> isBraced ? pattern.indexOf('}', position) + 1 : position + 4;
      case '0' -> {
        int end = position + 2;
        while (end < position + 4
            && end < pattern.length()
            && pattern.charAt(end) >= '0'
            && pattern.charAt(end) <= '7') {
          end++;
        }
        yield end;
      }
      default -> position + 1 + Character.charCount(pattern.codePointAt(position + 1));
    };
  }

  /**
   * Returns the end (exclusive) of a character class; a leading {@code ]} and {@code [:name:]} are
   * part of it.
   */
  private int classEnd() {
    int i = position + 1;
    if (i < pattern.length() && pattern.charAt(i) == '^') {
      i++;
    }
    int first = i;
    while (pattern.charAt(i) != ']' || i == first) {
      int name = pattern.startsWith("[:", i) ? pattern.indexOf(":]", i + 2) : -1;
      if (name >= 0) {
        i = name + 2;
      } else {
        i += pattern.charAt(i) == '\\' ? 2 : 1;
      }
    }
    return i + 1;
  }

  private void parseGroup(List<Node> nodes) {
    position++;
    Flags outerFlags = flags;
    int number = -1;
    if (!accept('?')) {
      number = ++groupCount;
    } else if (isNext('P') || isNext('<')) {
      position = pattern.indexOf('>', position) + 1;
      number = ++groupCount;
    } else if (!parseFlags()) {
      return; // the flags apply up to the end of the enclosing group
    }
    Node inner = parseChoice();
    if (!accept(')')) {
      throw new IllegalArgumentException("a group does not end");
    }
    flags = outerFlags;
    nodes.add(new Group(number, inner));
  }

  /** Reads flags, and returns whether a group follows them. */
  private boolean parseFlags() {
    boolean enable = true;
    for (; ; position++) {
      char flag = pattern.charAt(position);
      if (flag == ':' || flag == ')') {
        position++;
        return flag == ':';
      }
      if (flag == '-') {
        enable = false;
      } else {
        flags = flags.with(flag, enable);
      }
    }
  }

  private void parseQuantifiers(List<Node> nodes) {
    while (position < pattern.length()) {
      int min;
      int max;
      char operator = pattern.charAt(position);
      if (operator == '*' || operator == '+') {
        min = operator == '*' ? 0 : 1;
        max = -1;
        position++;
      } else if (operator == '?') {
        min = 0;
        max = 1;
        position++;
      } else {
        int end = operator == '{' ? pattern.indexOf('}', position) : -1;
        String counts = end < 0 ? "" : pattern.substring(position + 1, end);
        if (counts.length() > 9 || !counts.matches(REPEAT_COUNT)) {
          return;
        }
        int comma = counts.indexOf(',');
        min = Integer.parseInt(comma < 0 ? counts : counts.substring(0, comma));
        String upperBound = comma < 0 ? counts : counts.substring(comma + 1);
        max = upperBound.isEmpty() ? -1 : Integer.parseInt(upperBound);
        position = end + 1;
      }
      boolean isGreedy = accept('?') == flags.swapGreedy();
      nodes.add(new Repeat(nodes.removeLast(), min, max, isGreedy));
    }
  }
}
