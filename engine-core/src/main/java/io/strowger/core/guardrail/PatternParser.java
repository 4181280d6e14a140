package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses a pattern into a syntax tree. The pattern must be valid for the RE2 library, which also
 * decides what single atoms match. One instance parses one pattern.
 */
final class PatternParser {
  private static final String REPEATED = "(0|[1-9][0-9]{0,3})(,(0|[1-9][0-9]{0,3})?)?";

  private final String pattern;
  private final CharacterSet.Sets sets = new CharacterSet.Sets();
  private int at;
  private int groups;
  private Flags flags = new Flags(false, false, false, false);

  /** A node of the syntax tree. */
  sealed interface Node {}

  /** Matches one character of a set. */
  record Atom(CharacterSet set) implements Node {}

  /** An assertion about the position between two characters. */
  record At(PatternProgram.Place place) implements Node {}

  record Sequence(List<Node> nodes) implements Node {}

  /** Alternatives, in order of preference. */
  record Choice(List<Node> nodes) implements Node {}

  record Group(int number, Node inner) implements Node {}

  /**
   * @param most the upper bound; -1 for none
   */
  record Repeat(Node node, int least, int most, boolean greedy) implements Node {}

  /** The flags {@code i}, {@code m}, {@code s} and {@code U}. */
  private record Flags(boolean anyCase, boolean lines, boolean dotAll, boolean lazy) {
    String ofAtoms() {
      return (anyCase ? "i" : "") + (dotAll ? "s" : "");
    }

    Flags with(char flag, boolean on) {
      return switch (flag) {
        case 'i' -> new Flags(on, lines, dotAll, lazy);
        case 'm' -> new Flags(anyCase, on, dotAll, lazy);
        case 's' -> new Flags(anyCase, lines, on, lazy);
        case 'U' -> new Flags(anyCase, lines, dotAll, on);
        default -> throw new IllegalArgumentException("no flag: " + flag);
      };
    }
  }

  PatternParser(String pattern) {
    this.pattern = pattern;
  }

  Node parsed() {
    Node all = new Group(0, choice());
    if (at < pattern.length()) {
      throw new IllegalArgumentException("no pattern from character " + at + " on");
    }
    return all;
  }

  private boolean is(char c) {
    return at < pattern.length() && pattern.charAt(at) == c;
  }

  private boolean taken(char c) {
    boolean is = is(c);
    at += is ? 1 : 0;
    return is;
  }

  private Node choice() {
    var branches = new ArrayList<Node>();
    do {
      branches.add(sequence());
    } while (taken('|'));
    return branches.size() == 1 ? branches.getFirst() : new Choice(branches);
  }

  private Node sequence() {
    var nodes = new ArrayList<Node>();
    while (at < pattern.length() && !is('|') && !is(')')) {
      if (pattern.startsWith("\\Q", at)) {
        quoted(nodes);
      } else {
        piece(nodes);
      }
      repeats(nodes);
    }
    return new Sequence(nodes);
  }

  private void quoted(List<Node> nodes) {
    int end = pattern.indexOf("\\E", at + 2);
    int until = end < 0 ? pattern.length() : end;
    at += 2;
    while (at < until) {
      int c = pattern.codePointAt(at);
      at += Character.charCount(c);
      nodes.add(literal(c));
    }
    at = end < 0 ? until : end + 2;
  }

  private Atom literal(int codePoint) {
    String hex = "\\x{" + Integer.toHexString(codePoint) + "}";
    return new Atom(sets.of(hex, flags.anyCase() ? "i" : ""));
  }

  private void piece(List<Node> nodes) {
    switch (pattern.charAt(at)) {
      case '(' -> group(nodes);
      case '[' -> nodes.add(atom(bracketed()));
      case '.' -> nodes.add(atom(at + 1));
      case '^' -> {
        at++;
        nodes.add(place(flags.lines(), PatternProgram.Place.LINE_BEGINS));
      }
      case '$' -> {
        at++;
        nodes.add(place(flags.lines(), PatternProgram.Place.LINE_ENDS));
      }
      case '\\' -> nodes.add(escape());
      default -> {
        int c = pattern.codePointAt(at);
        at += Character.charCount(c);
        nodes.add(literal(c));
      }
    }
  }

  private static At place(boolean lines, PatternProgram.Place ofLine) {
    if (lines) {
      return new At(ofLine);
    }
    return new At(
        ofLine == PatternProgram.Place.LINE_BEGINS
            ? PatternProgram.Place.TEXT_BEGINS
            : PatternProgram.Place.TEXT_ENDS);
  }

  private Atom atom(int end) {
    String source = pattern.substring(at, end);
    at = end;
    return new Atom(sets.of(source, flags.ofAtoms()));
  }

  private Node escape() {
    char kind = pattern.charAt(at + 1);
    PatternProgram.@Nullable Place place =
        switch (kind) {
          case 'A' -> PatternProgram.Place.TEXT_BEGINS;
          case 'z' -> PatternProgram.Place.TEXT_ENDS;
          case 'b' -> PatternProgram.Place.WORD_EDGE;
          case 'B' -> PatternProgram.Place.NO_WORD_EDGE;
          default -> null;
        };
    if (place != null) {
      at += 2;
      return new At(place);
    }
    return atom(escapeEnd(kind));
  }

  private int escapeEnd(char kind) {
    boolean braced = at + 2 < pattern.length() && pattern.charAt(at + 2) == '{';
    return switch (kind) {
      case 'p', 'P' -> braced ? pattern.indexOf('}', at) + 1 : at + 3;
      case 'x' -> braced ? pattern.indexOf('}', at) + 1 : at + 4;
      case '0' -> {
        int end = at + 2;
        while (end < at + 4
            && end < pattern.length()
            && pattern.charAt(end) >= '0'
            && pattern.charAt(end) <= '7') {
          end++;
        }
        yield end;
      }
      default -> at + 1 + Character.charCount(pattern.codePointAt(at + 1));
    };
  }

  /**
   * Returns the end (exclusive) of a character class; a leading {@code ]} and {@code [:name:]} are
   * part of it.
   */
  private int bracketed() {
    int i = at + 1;
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

  private void group(List<Node> nodes) {
    at++;
    Flags before = flags;
    int number = -1;
    if (!taken('?')) {
      number = ++groups;
    } else if (is('P') || is('<')) {
      at = pattern.indexOf('>', at) + 1;
      number = ++groups;
    } else if (!flags()) {
      return; // the flags apply up to the end of the enclosing group
    }
    Node inner = choice();
    if (!taken(')')) {
      throw new IllegalArgumentException("a group does not end");
    }
    flags = before;
    nodes.add(new Group(number, inner));
  }

  /** Reads flags, and returns whether a group follows them. */
  private boolean flags() {
    boolean on = true;
    for (; ; at++) {
      char flag = pattern.charAt(at);
      if (flag == ':' || flag == ')') {
        at++;
        return flag == ':';
      }
      if (flag == '-') {
        on = false;
      } else {
        flags = flags.with(flag, on);
      }
    }
  }

  private void repeats(List<Node> nodes) {
    while (at < pattern.length()) {
      int least;
      int most;
      char kind = pattern.charAt(at);
      if (kind == '*' || kind == '+') {
        least = kind == '*' ? 0 : 1;
        most = -1;
        at++;
      } else if (kind == '?') {
        least = 0;
        most = 1;
        at++;
      } else {
        int end = kind == '{' ? pattern.indexOf('}', at) : -1;
        String inside = end < 0 ? "" : pattern.substring(at + 1, end);
        if (inside.length() > 9 || !inside.matches(REPEATED)) {
          return;
        }
        int comma = inside.indexOf(',');
        least = Integer.parseInt(comma < 0 ? inside : inside.substring(0, comma));
        String above = comma < 0 ? inside : inside.substring(comma + 1);
        most = above.isEmpty() ? -1 : Integer.parseInt(above);
        at = end + 1;
      }
      boolean greedy = taken('?') == flags.lazy();
      nodes.add(new Repeat(nodes.removeLast(), least, most, greedy));
    }
  }
}
