package io.strowger.core.guardrail;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Finds the beginning of a text that is quiet: it has no match of a program and no partial match at
 * its end. Since it tracks neither positions nor the order of preference, it is a DFA that needs
 * one table lookup for each character. Where it cannot decide, {@link PatternScanner} scans the
 * text.
 *
 * <p>Its states are created lazily, at most {@value #MAX_STATES}; when the table is full, the
 * current text is left undecided, and the next text starts with a new table. Non-ASCII characters
 * have two classes: those that no step accepts, and those that some step accepts, which are treated
 * as accepted by all steps. It may therefore report a match where there is none, but never misses
 * one. Safe on any thread.
 */
final class PatternPrefilter {
  private static final int MAX_STATES = 256;
  private static final int MAX_STEPS = 64; // of one state
  private static final int ASCII = 128;
  private static final int NON_ASCII_REJECTED = ASCII; // accepted by no step
  private static final int TAKEN = ASCII + 1; // treated as accepted by all steps
  private static final int CLASSES = ASCII + 2;

  // Entries of a table row that are not the number of a state.
  private static final int UNKNOWN = 0;
  private static final int UNDECIDED = 1; // a match, or undecided

  private static final int FIRST = 2;
  private static final int QUIET = FIRST + Before.values().length; // states below it have no steps

  private final PatternProgram program;
  private final boolean[] begins = new boolean[ASCII]; // whether a match may begin with a character
  private final ReentrantLock lock = new ReentrantLock(); // guards all writes
  private final int[] seen;
  private int generation;
  private volatile Table table = new Table();

  PatternPrefilter(PatternProgram program) {
    this.program = program;
    this.seen = new int[program.size()];
    noteBeginnings();
  }

  /** The kind of the character before a position, as far as assertions distinguish kinds. */
  private enum Before {
    BEGINNING(-1),
    LINE('\n'),
    WORD('a'),
    OTHER(' ');

    private final int one;

    Before(int one) {
      this.one = one;
    }

    static Before of(int c) {
      if (c < 0) {
        return BEGINNING;
      }
      boolean word = c < ASCII && (Character.isLetterOrDigit(c) || c == '_');
      return c == '\n' ? LINE : word ? WORD : OTHER;
    }
  }

  /**
   * A state of the automaton.
   *
   * @param steps the steps of the program that are active, in ascending order
   */
  private record State(IntBuffer steps, Before before) {}

  /**
   * The known states and transitions. Read without the lock: transitions that other threads add may
   * be seen late, and are unknown until then.
   */
  private static final class Table {
    private final short[] @Nullable [] rows = new short[MAX_STATES][];
    private final @Nullable State[] states = new State[MAX_STATES];
    private final Map<State, Integer> numbers = new HashMap<>();
    private boolean full;

    Table() {
      for (Before before : Before.values()) {
        add(new State(IntBuffer.allocate(0), before));
      }
    }

    int add(State state) {
      int number = FIRST + numbers.size();
      numbers.put(state, number);
      states[number] = state;
      rows[number] = new short[CLASSES];
      return number;
    }
  }

  /** How far a text was scanned. Confined to one thread. */
  static final class Reach {
    /** The offset before which no match begins, and at which no match is in progress. */
    int quiet;

    /**
     * The offset up to which the text was read. Reading again from an earlier offset finds nothing
     * new.
     */
    int read;
  }

  /**
   * Scans the text that has arrived.
   *
   * @param from an offset at which no match is in progress
   */
  void read(TextWindow window, int from, Reach reach) {
    String text = window.text();
    Table known = table;
    int end = text.length();
    int at = from - window.base();
    int quiet = at;
    int state = FIRST + Before.of(from == 0 ? -1 : text.charAt(at - 1)).ordinal();
    while (at < end) {
      char c = text.charAt(at);
      int kind = c < ASCII ? c : nonAsciiClass(c);
      short[] row = known.rows[state];
      int next = row == null || kind < 0 ? UNKNOWN : row[kind];
      if (next <= UNDECIDED) {
        next = next == UNDECIDED || kind < 0 ? UNDECIDED : follow(known, state, kind);
        if (next == UNDECIDED) {
          break;
        }
      }
      at++;
      state = next;
      if (state < QUIET) {
        int passed = passed(text, at);
        if (passed > at) {
          at = passed;
          state = FIRST + Before.of(text.charAt(at - 1)).ordinal();
        }
        quiet = at;
      }
    }
    reach.quiet = window.base() + quiet;
    reach.read = window.base() + at;
  }

  /**
   * Skips characters with which no match begins, without table lookups, and returns the offset
   * after them.
   */
  private int passed(String text, int from) {
    int at = from;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c >= ASCII || begins[c]) {
        return at;
      }
      at++;
    }
    return at;
  }

  private void noteBeginnings() {
    for (Before before : Before.values()) {
      for (int c = 0; c < ASCII; c++) {
        State next = next(new State(IntBuffer.allocate(0), before), c);
        begins[c] |= next == null || next.steps.hasRemaining();
      }
    }
  }

  /** Returns the class of a non-ASCII character; -1 for a surrogate. */
  private int nonAsciiClass(char c) {
    return Character.isSurrogate(c) ? -1 : program.takes(c) ? TAKEN : NON_ASCII_REJECTED;
  }

  /** Computes the state that a character leads to and adds it to the table. */
  private int follow(Table known, int from, int kind) {
    lock.lock();
    try {
      State state = known.states[from];
      if (known.full || state == null) {
        return UNDECIDED;
      }
      int to = number(known, next(state, kind));
      short[] row = known.rows[from];
      if (row != null) {
        row[kind] = (short) to;
      }
      return to;
    } finally {
      lock.unlock();
    }
  }

  private int number(Table known, @Nullable State state) {
    if (state == null) {
      return UNDECIDED;
    }
    Integer number = known.numbers.get(state);
    if (number != null) {
      return number;
    }
    if (FIRST + known.numbers.size() == MAX_STATES) {
      known.full = true;
      table = new Table();
      return UNDECIDED;
    }
    return known.add(state);
  }

  /** Returns the next state; null for a match, or when it has too many steps. */
  private @Nullable State next(State state, int kind) {
    // assertions do not distinguish non-ASCII characters
    int character = kind < ASCII ? kind : ASCII;
    generation++;
    var steps = new Steps(kind, state.before.one, character);
    steps.take(program.first());
    for (int i = 0; i < state.steps.limit(); i++) {
      steps.take(state.steps.get(i));
    }
    return steps.loud ? null : new State(steps.sorted(), Before.of(character));
  }

  /** Computes the steps that one character leads to. */
  private final class Steps {
    private final int kind;
    private final int before;
    private final int after;
    private final int[] found = new int[MAX_STEPS];
    private int count;
    private int[] open = new int[16];
    private boolean loud;

    Steps(int kind, int before, int after) {
      this.kind = kind;
      this.before = before;
      this.after = after;
    }

    IntBuffer sorted() {
      int[] sorted = Arrays.stream(found, 0, count).sorted().distinct().toArray();
      return IntBuffer.wrap(sorted);
    }

    void take(int first) {
      int depth = 0;
      open[depth++] = first;
      while (depth > 0 && !loud) {
        int step = open[--depth];
        if (seen[step] == generation) {
          continue;
        }
        seen[step] = generation;
        open = depth + 2 > open.length ? Arrays.copyOf(open, 2 * open.length) : open;
        switch (program.op(step)) {
          case MATCH -> loud = true;
          case CHARACTER -> character(step);
          case SPLIT -> {
            open[depth++] = program.x(step);
            open[depth++] = program.y(step);
          }
          case ASSERTION -> {
            if (program.place(step).is(before, after)) {
              open[depth++] = program.x(step);
            }
          }
          case CAPTURE -> open[depth++] = program.x(step);
        }
      }
    }

    private void character(int step) {
      if (kind == TAKEN || kind < ASCII && program.set(step).has(kind)) {
        if (count == MAX_STEPS) {
          loud = true;
        } else {
          found[count++] = program.x(step);
        }
      }
    }
  }
}
