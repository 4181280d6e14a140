package io.strowger.core.guardrail;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Finds the longest quiet beginning of a text: one that contains no match of a program and does not
 * end within a partial match. The prefilter tracks neither positions nor the order of preference,
 * so it is a DFA that needs one table lookup for each character. From the place where the prefilter
 * stops, {@link PatternScanner} scans the text.
 *
 * <p>States are created lazily, at most {@value #MAX_STATES}. When the table is full, the prefilter
 * stops in the current text, and starts the next text with a new table. Non-ASCII characters have
 * two classes: those that no step accepts, and those that at least one step accepts. The latter are
 * treated as accepted by all steps. The prefilter may therefore stop where there is no match, but
 * never passes over a match. Safe on any thread.
 */
final class PatternPrefilter {
  private static final int MAX_STATES = 256;
  private static final int MAX_STEPS = 64; // of one state
  private static final int ASCII = 128;
  private static final int NON_ASCII_REJECTED = ASCII; // accepted by no step
  private static final int NON_ASCII_ACCEPTED = ASCII + 1; // treated as accepted by all steps
  private static final int CLASSES = ASCII + 2;

  // Entries of a table row that are not the number of a state.
  private static final int UNKNOWN = 0;
  private static final int STOP = 1; // a match, or not decided by the prefilter

  private static final int FIRST_STATE = 2;
  private static final int FIRST_ACTIVE =
      FIRST_STATE + Before.values().length; // states below this one have no steps

  private final PatternProgram program;
  private final boolean[] canBegin =
      new boolean[ASCII]; // whether a match may begin with a character
  private final ReentrantLock lock = new ReentrantLock(); // guards all writes
  private final int[] lastVisit;
  private int generation;
  private volatile Table table = new Table();

  PatternPrefilter(PatternProgram program) {
    this.program = program;
    this.lastVisit = new int[program.size()];
    computeFirstCharacters();
  }

  /** The kind of the character before a position, as far as assertions distinguish kinds. */
  private enum Before {
    BEGINNING(-1),
    LINE('\n'),
    WORD('a'),
    OTHER(' ');

    private final int example;

    Before(int example) {
      this.example = example;
    }

    static Before of(int c) {
      if (c < 0) {
        return BEGINNING;
      }
      boolean isWord = c < ASCII && (Character.isLetterOrDigit(c) || c == '_');
      return c == '\n' ? LINE : isWord ? WORD : OTHER;
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
    private boolean isFull;

    Table() {
      for (Before before : Before.values()) {
        add(new State(IntBuffer.allocate(0), before));
      }
    }

    int add(State state) {
      int number = FIRST_STATE + numbers.size();
      numbers.put(state, number);
      states[number] = state;
      rows[number] = new short[CLASSES];
      return number;
    }
  }

  /** How far a text was scanned. Confined to one thread. */
  static final class ScanProgress {
    /** The offset before which no match begins, and at which no match is in progress. */
    int quietEnd;

    /**
     * The offset at which reading stopped. A second read from an earlier offset would stop here
     * again, so it is not needed before the scan has passed this offset.
     */
    int readEnd;
  }

  /**
   * Scans the text that has arrived.
   *
   * @param from an offset at which no match is in progress
   */
  void read(TextWindow window, int from, ScanProgress progress) {
    String text = window.text();
    Table current = table;
    int end = text.length();
    int position = from - window.baseOffset();
    int quietEnd = position;
    int state = FIRST_STATE + Before.of(from == 0 ? -1 : text.charAt(position - 1)).ordinal();
    while (position < end) {
      char c = text.charAt(position);
      int characterClass = c < ASCII ? c : nonAsciiClass(c);
      short[] row = current.rows[state];
      int next = row == null || characterClass < 0 ? UNKNOWN : row[characterClass];
      if (next <= STOP) {
        next =
            next == STOP || characterClass < 0
                ? STOP
                : computeTransition(current, state, characterClass);
        if (next == STOP) {
          break;
        }
      }
      position++;
      state = next;
      if (state < FIRST_ACTIVE) {
        int skipped = skipInert(text, position);
        if (skipped > position) {
          position = skipped;
          state = FIRST_STATE + Before.of(text.charAt(position - 1)).ordinal();
        }
        quietEnd = position;
      }
    }
    progress.quietEnd = window.baseOffset() + quietEnd;
    progress.readEnd = window.baseOffset() + position;
  }

  /**
   * Skips characters with which no match begins, without table lookups, and returns the offset
   * after them.
   */
  private int skipInert(String text, int from) {
    int position = from;
    while (position < text.length()) {
      char c = text.charAt(position);
      if (c >= ASCII || canBegin[c]) {
        return position;
      }
      position++;
    }
    return position;
  }

  private void computeFirstCharacters() {
    for (Before before : Before.values()) {
      for (int c = 0; c < ASCII; c++) {
        State next = nextState(new State(IntBuffer.allocate(0), before), c);
        canBegin[c] |= next == null || next.steps.hasRemaining();
      }
    }
  }

  /** Returns the class of a non-ASCII character; -1 for a surrogate. */
  private int nonAsciiClass(char c) {
    return Character.isSurrogate(c)
        ? -1
        : program.acceptsSomewhere(c) ? NON_ASCII_ACCEPTED : NON_ASCII_REJECTED;
  }

  /** Computes the state that a character leads to and adds it to the table. */
  private int computeTransition(Table current, int from, int characterClass) {
    lock.lock();
    try {
      State state = current.states[from];
      if (current.isFull || state == null) {
        return STOP;
      }
      int next = stateNumber(current, nextState(state, characterClass));
      short[] row = current.rows[from];
      if (row != null) {
        row[characterClass] = (short) next;
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  private int stateNumber(Table current, @Nullable State state) {
    if (state == null) {
      return STOP;
    }
    Integer number = current.numbers.get(state);
    if (number != null) {
      return number;
    }
    if (FIRST_STATE + current.numbers.size() == MAX_STATES) {
      current.isFull = true;
      table = new Table();
      return STOP;
    }
    return current.add(state);
  }

  /** Returns the next state; null for a match, or when that state has too many steps. */
  private @Nullable State nextState(State state, int characterClass) {
    // assertions do not distinguish non-ASCII characters
    int character = characterClass < ASCII ? characterClass : ASCII;
    generation++;
    var steps = new Steps(characterClass, state.before.example, character);
    steps.follow(program.first());
    for (int i = 0; i < state.steps.limit(); i++) {
      steps.follow(state.steps.get(i));
    }
    return steps.mustStop ? null : new State(steps.sorted(), Before.of(character));
  }

  /** Computes the steps that one character leads to. */
  private final class Steps {
    private final int characterClass;
    private final int before;
    private final int after;
    private final int[] successors = new int[MAX_STEPS];
    private int count;
    private int[] stack = new int[16];
    private boolean mustStop;

    Steps(int characterClass, int before, int after) {
      this.characterClass = characterClass;
      this.before = before;
      this.after = after;
    }

    IntBuffer sorted() {
      int[] sorted = Arrays.stream(successors, 0, count).sorted().distinct().toArray();
      return IntBuffer.wrap(sorted);
    }

    void follow(int first) {
      int depth = 0;
      stack[depth++] = first;
      while (depth > 0 && !mustStop) {
        int step = stack[--depth];
        if (lastVisit[step] == generation) {
          continue;
        }
        lastVisit[step] = generation;
        stack = depth + 2 > stack.length ? Arrays.copyOf(stack, 2 * stack.length) : stack;
        switch (program.op(step)) {
          case MATCH -> mustStop = true;
          case CHARACTER -> addSuccessor(step);
          case SPLIT -> {
            stack[depth++] = program.next(step);
            stack[depth++] = program.extra(step);
          }
          case ASSERTION -> {
            if (program.assertion(step).holds(before, after)) {
              stack[depth++] = program.next(step);
            }
          }
          case CAPTURE -> stack[depth++] = program.next(step);
        }
      }
    }

    private void addSuccessor(int step) {
      if (characterClass == NON_ASCII_ACCEPTED
          || characterClass < ASCII && program.set(step).has(characterClass)) {
        if (count == MAX_STEPS) {
          mustStop = true;
        } else {
          successors[count++] = program.next(step);
        }
      }
    }
  }
}
