package io.strowger.core.guardrail;

import java.util.Arrays;

/**
 * Scans a growing text for one pattern. All partial matches advance together, in order of priority,
 * so that each character is examined at most once for each step of the program, and the start of
 * the first match that is still possible is always known. After a match the search continues at its
 * end, as in {@link FilterPattern}; if that reads the text too often, the rest of the text counts
 * as a match.
 */
final class PatternScanner implements TextScanner {
  private static final long READINGS = 32;
  private static final long FREE_READINGS = 4096;
  private static final int UNKNOWN = -2; // the character has not arrived yet

  private final PatternProgram program;
  private PartialMatches partialMatches; // at the position, before its assertions are checked
  private PartialMatches next;
  private final int[] seen;
  private final PatternPrefilter.Reach reach = new PatternPrefilter.Reach();
  private int generation;
  private int[] stack = new int[3 * 16];
  private int at;
  private int searched; // no match begins before this offset
  private long read;
  private int matchStart = -1;
  private int matchEnd;
  private int pieceStart;
  private int pieceEnd;
  private boolean over;

  PatternScanner(PatternProgram program) {
    this.program = program;
    this.partialMatches = new PartialMatches(8);
    this.next = new PartialMatches(8);
    this.seen = new int[program.size()];
  }

  private PatternScanner(PatternScanner from) {
    this.program = from.program;
    this.partialMatches = from.partialMatches.copy();
    this.next = new PartialMatches(8);
    this.seen = new int[program.size()];
    this.reach.read = from.reach.read;
    this.at = from.at;
    this.searched = from.searched;
    this.read = from.read;
    this.matchStart = from.matchStart;
    this.matchEnd = from.matchEnd;
    this.pieceStart = from.pieceStart;
    this.pieceEnd = from.pieceEnd;
    this.over = from.over;
  }

  /** Partial matches, in order of priority: the next step of each, and its offsets. */
  private static final class PartialMatches {
    private int[] step;
    private int[] start;
    private int[] pieceStart;
    private int[] pieceEnd;
    private int count;

    PartialMatches(int room) {
      step = new int[room];
      start = new int[room];
      pieceStart = new int[room];
      pieceEnd = new int[room];
    }

    void add(int to, int from, int first, int last) {
      if (count == step.length) {
        step = Arrays.copyOf(step, count * 2);
        start = Arrays.copyOf(start, count * 2);
        pieceStart = Arrays.copyOf(pieceStart, count * 2);
        pieceEnd = Arrays.copyOf(pieceEnd, count * 2);
      }
      step[count] = to;
      start[count] = from;
      pieceStart[count] = first;
      pieceEnd[count++] = last;
    }

    PartialMatches copy() {
      var copy = new PartialMatches(Math.max(8, count));
      for (int i = 0; i < count; i++) {
        copy.add(step[i], start[i], pieceStart[i], pieceEnd[i]);
      }
      return copy;
    }
  }

  @Override
  public TextScanner copy() {
    return new PatternScanner(this);
  }

  @Override
  public int scan(TextWindow text, MatchListener matchListener) {
    int end = text.end();
    while (!over && (at < end || text.ended())) {
      if (partialMatches.count == 0 && matchStart < 0) {
        skip(text);
      }
      int after = after(text, end);
      if (after == UNKNOWN) {
        break;
      }
      go(before(text), after);
      read++;
      int length = after < 0 ? 0 : Character.charCount(after);
      if (partialMatches.count == 0 && matchStart >= 0) {
        emit(text, matchListener);
        over = at > end;
      } else {
        over = after < 0;
        at += length;
      }
      checkHeld(end, matchListener);
    }
    return open();
  }

  private int open() {
    if (matchStart >= 0) {
      return partialMatches.count == 0 ? matchStart : Math.min(matchStart, partialMatches.start[0]);
    }
    return partialMatches.count == 0 ? at : partialMatches.start[0];
  }

  /** Skips text that has no match. */
  private void skip(TextWindow text) {
    if (at < reach.read) {
      return;
    }
    program.prefilter().read(text, at, reach);
    read += (reach.read - at) / 8;
    at = reach.quiet;
  }

  /** Returns the code point at the position; -1 at the end of the text, or UNKNOWN. */
  private int after(TextWindow text, int end) {
    if (at >= end) {
      return text.ended() ? -1 : UNKNOWN;
    }
    char c = text.charAt(at);
    if (!Character.isHighSurrogate(c)) {
      return c;
    }
    if (at + 1 < end) {
      char low = text.charAt(at + 1);
      return Character.isLowSurrogate(low) ? Character.toCodePoint(c, low) : c;
    }
    return text.ended() ? c : UNKNOWN;
  }

  private int before(TextWindow text) {
    if (at == 0) {
      return -1;
    }
    // a surrogate and its pair are equal to assertions: neither is an ASCII letter or a line break
    return text.charAt(at - 1);
  }

  /** Advances all partial matches by one character. */
  private void go(int before, int after) {
    next.count = 0;
    generation++;
    boolean cut = false;
    for (int i = 0; i < partialMatches.count && !cut; i++) {
      cut =
          follow(
              partialMatches.step[i],
              partialMatches.start[i],
              partialMatches.pieceStart[i],
              partialMatches.pieceEnd[i],
              before,
              after);
    }
    if (!cut && matchStart < 0 && at >= searched) {
      follow(program.first(), at, -1, -1, before, after);
    }
    PartialMatches last = partialMatches;
    partialMatches = next;
    next = last;
  }

  /**
   * Follows a step, and returns whether it led to a match, which ends all partial matches of lower
   * priority.
   */
  private boolean follow(int step, int start, int first, int last, int before, int after) {
    int depth = 0;
    depth = push(depth, step, first, last);
    while (depth > 0) {
      depth -= 3;
      int s = stack[depth];
      int pieceFirst = stack[depth + 1];
      int pieceLast = stack[depth + 2];
      if (seen[s] == generation) {
        continue;
      }
      seen[s] = generation;
      switch (program.op(s)) {
        case MATCH -> {
          matchStart = start;
          matchEnd = at;
          pieceStart = pieceFirst;
          pieceEnd = pieceLast;
          return true;
        }
        case CHARACTER -> {
          if (after >= 0 && program.set(s).has(after)) {
            next.add(program.x(s), start, pieceFirst, pieceLast);
          }
        }
        case SPLIT -> {
          depth = push(depth, program.y(s), pieceFirst, pieceLast);
          depth = push(depth, program.x(s), pieceFirst, pieceLast);
        }
        case ASSERTION -> {
          if (program.place(s).is(before, after)) {
            depth = push(depth, program.x(s), pieceFirst, pieceLast);
          }
        }
        case CAPTURE -> {
          boolean begins = program.y(s) == 0;
          depth = push(depth, program.x(s), begins ? at : pieceFirst, begins ? pieceLast : at);
        }
      }
    }
    return false;
  }

  private int push(int depth, int step, int first, int last) {
    if (depth + 3 > stack.length) {
      stack = Arrays.copyOf(stack, stack.length * 2);
    }
    stack[depth] = step;
    stack[depth + 1] = first;
    stack[depth + 2] = last;
    return depth + 3;
  }

  /** Reports the match and moves the search to its end. */
  private void emit(TextWindow text, MatchListener matchListener) {
    if (pieceEnd > pieceStart && pieceStart >= 0) {
      matchListener.found(pieceStart, pieceEnd);
    }
    boolean empty = matchEnd == matchStart;
    at = matchEnd;
    if (empty) {
      at += at < text.end() ? Character.charCount(codePointAt(text, at)) : 1;
    }
    searched = at;
    matchStart = -1;
  }

  private static int codePointAt(TextWindow text, int place) {
    return text.text().codePointAt(place - text.base());
  }

  /**
   * Reports and drops a candidate that is undecided for too many characters, or when the search has
   * read too much.
   */
  private void checkHeld(int end, MatchListener matchListener) {
    int open = open();
    boolean spent = read > READINGS * at + FREE_READINGS;
    if (at - open <= MAX_HELD && !spent) {
      return;
    }
    matchListener.tooLong(open);
    partialMatches.count = 0;
    matchStart = -1;
    at = spent ? end : at;
    searched = at;
    read = spent ? 0 : read;
  }
}
