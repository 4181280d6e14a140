package io.strowger.core.guardrail;

import java.util.Arrays;

/**
 * Scans a growing text for one pattern. All partial matches advance together, in order of priority,
 * so that each character is examined at most once for each step of the program, and the start of
 * the first match that is still possible is always known. After a match the search continues at its
 * end, as in {@link FilterPattern}; if that reads the text too often, the rest of the text that has
 * arrived counts as a match.
 */
final class PatternScanner implements TextScanner {
  private static final long MAX_READS = 32;
  private static final long FREE_READ_CHARS = 4096;
  private static final int UNKNOWN = -2; // the character has not arrived yet

  private final PatternProgram program;
  private PartialMatches partialMatches; // at the position, before its assertions are checked
  private PartialMatches next;
  private final int[] lastVisit;
  private final PatternPrefilter.ScanProgress progress = new PatternPrefilter.ScanProgress();
  private int generation;
  private int[] stack = new int[3 * 16];
  private int position;
  private int searchStart; // no match begins before this offset
  private long readCount;
  private int matchStart = -1;
  private int matchEnd;
  private int captureStart;
  private int captureEnd;
  private boolean hasEnded;

  PatternScanner(PatternProgram program) {
    this.program = program;
    this.partialMatches = new PartialMatches(8);
    this.next = new PartialMatches(8);
    this.lastVisit = new int[program.size()];
  }

  private PatternScanner(PatternScanner other) {
    this.program = other.program;
    this.partialMatches = other.partialMatches.copy();
    this.next = new PartialMatches(8);
    this.lastVisit = new int[program.size()];
    this.progress.readEnd = other.progress.readEnd;
    this.position = other.position;
    this.searchStart = other.searchStart;
    this.readCount = other.readCount;
    this.matchStart = other.matchStart;
    this.matchEnd = other.matchEnd;
    this.captureStart = other.captureStart;
    this.captureEnd = other.captureEnd;
    this.hasEnded = other.hasEnded;
  }

  /** Partial matches, in order of priority: the next step of each, and its offsets. */
  private static final class PartialMatches {
    private int[] steps;
    private int[] starts;
    private int[] captureStarts;
    private int[] captureEnds;
    private int count;

    PartialMatches(int capacity) {
      steps = new int[capacity];
      starts = new int[capacity];
      captureStarts = new int[capacity];
      captureEnds = new int[capacity];
    }

    void add(int nextStep, int startOffset, int captureStart, int captureEnd) {
      if (count == steps.length) {
        steps = Arrays.copyOf(steps, count * 2);
        starts = Arrays.copyOf(starts, count * 2);
        captureStarts = Arrays.copyOf(captureStarts, count * 2);
        captureEnds = Arrays.copyOf(captureEnds, count * 2);
      }
      steps[count] = nextStep;
      starts[count] = startOffset;
      captureStarts[count] = captureStart;
      captureEnds[count++] = captureEnd;
    }

    PartialMatches copy() {
      var copy = new PartialMatches(Math.max(8, count));
      for (int i = 0; i < count; i++) {
        copy.add(steps[i], starts[i], captureStarts[i], captureEnds[i]);
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
    while (!hasEnded && (position < end || text.isEnd())) {
      if (partialMatches.count == 0 && matchStart < 0) {
        skipQuiet(text);
      }
      int after = characterAfter(text, end);
      if (after == UNKNOWN) {
        break;
      }
      advance(characterBefore(text), after);
      readCount++;
      int length = after < 0 ? 0 : Character.charCount(after);
      if (partialMatches.count == 0 && matchStart >= 0) {
        reportMatch(text, matchListener);
        hasEnded = position > end;
      } else {
        hasEnded = after < 0;
        position += length;
      }
      checkLimits(end, matchListener);
    }
    return undecidedStart();
  }

  private int undecidedStart() {
    if (matchStart >= 0) {
      return partialMatches.count == 0
          ? matchStart
          : Math.min(matchStart, partialMatches.starts[0]);
    }
    return partialMatches.count == 0 ? position : partialMatches.starts[0];
  }

  /** Skips text that has no match. */
  private void skipQuiet(TextWindow text) {
    if (position < progress.readEnd) {
      return;
    }
    program.prefilter().read(text, position, progress);
    readCount += (progress.readEnd - position) / 8;
    position = progress.quietEnd;
  }

  /** Returns the code point at the position; -1 at the end of the text, or UNKNOWN. */
  private int characterAfter(TextWindow text, int end) {
    if (position >= end) {
      return text.isEnd() ? -1 : UNKNOWN;
    }
    char c = text.charAt(position);
    if (!Character.isHighSurrogate(c)) {
      return c;
    }
    if (position + 1 < end) {
      char low = text.charAt(position + 1);
      return Character.isLowSurrogate(low) ? Character.toCodePoint(c, low) : c;
    }
    return text.isEnd() ? c : UNKNOWN;
  }

  private int characterBefore(TextWindow text) {
    if (position == 0) {
      return -1;
    }
    // to assertions, half a surrogate pair is the same as the pair: not an ASCII letter or a line
    // break
    return text.charAt(position - 1);
  }

  /** Advances all partial matches by one character. */
  private void advance(int before, int after) {
    next.count = 0;
    generation++;
    boolean hasMatched = false;
    for (int i = 0; i < partialMatches.count && !hasMatched; i++) {
      hasMatched =
          follow(
              partialMatches.steps[i],
              partialMatches.starts[i],
              partialMatches.captureStarts[i],
              partialMatches.captureEnds[i],
              before,
              after);
    }
    if (!hasMatched && matchStart < 0 && position >= searchStart) {
      follow(program.first(), position, -1, -1, before, after);
    }
    PartialMatches previous = partialMatches;
    partialMatches = next;
    next = previous;
  }

  /**
   * Follows a step, and returns whether it led to a match, which ends all partial matches of lower
   * priority.
   */
  private boolean follow(int step, int start, int groupStart, int groupEnd, int before, int after) {
    int depth = 0;
    depth = push(depth, step, groupStart, groupEnd);
    while (depth > 0) {
      depth -= 3;
      int current = stack[depth];
      int currentStart = stack[depth + 1];
      int currentEnd = stack[depth + 2];
      if (lastVisit[current] == generation) {
        continue;
      }
      lastVisit[current] = generation;
      switch (program.op(current)) {
        case MATCH -> {
          matchStart = start;
          matchEnd = position;
          captureStart = currentStart;
          captureEnd = currentEnd;
          return true;
        }
        case CHARACTER -> {
          if (after >= 0 && program.set(current).has(after)) {
            next.add(program.next(current), start, currentStart, currentEnd);
          }
        }
        case SPLIT -> {
          depth = push(depth, program.extra(current), currentStart, currentEnd);
          depth = push(depth, program.next(current), currentStart, currentEnd);
        }
        case ASSERTION -> {
          if (program.assertion(current).holds(before, after)) {
            depth = push(depth, program.next(current), currentStart, currentEnd);
          }
        }
        case CAPTURE -> {
          boolean isStart = program.extra(current) == 0;
          depth =
              push(
                  depth,
                  program.next(current),
                  isStart ? position : currentStart,
                  isStart ? currentEnd : position);
        }
      }
    }
    return false;
  }

  private int push(int depth, int step, int groupStart, int groupEnd) {
    if (depth + 3 > stack.length) {
      stack = Arrays.copyOf(stack, stack.length * 2);
    }
    stack[depth] = step;
    stack[depth + 1] = groupStart;
    stack[depth + 2] = groupEnd;
    return depth + 3;
  }

  /** Reports the match and moves the search to its end. */
  private void reportMatch(TextWindow text, MatchListener matchListener) {
    if (captureEnd > captureStart && captureStart >= 0) {
      matchListener.onMatch(captureStart, captureEnd);
    }
    boolean isEmpty = matchEnd == matchStart;
    position = matchEnd;
    if (isEmpty) {
      position += position < text.end() ? Character.charCount(codePointAt(text, position)) : 1;
    }
    searchStart = position;
    matchStart = -1;
  }

  private static int codePointAt(TextWindow text, int offset) {
    return text.text().codePointAt(offset - text.baseOffset());
  }

  /**
   * Reports and drops the undecided candidate if it has too many characters, or if the search has
   * read too much.
   */
  private void checkLimits(int end, MatchListener matchListener) {
    int undecided = undecidedStart();
    boolean isOverLimit = readCount > MAX_READS * position + FREE_READ_CHARS;
    if (position - undecided <= MAX_UNDECIDED_CHARS && !isOverLimit) {
      return;
    }
    matchListener.onTooLong(undecided);
    partialMatches.count = 0;
    matchStart = -1;
    position = isOverLimit ? end : position;
    searchStart = position;
    readCount = isOverLimit ? 0 : readCount;
  }
}
