package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A pattern compiled for {@link PatternScanner}, which scans a text as it grows: the RE2 library
 * searches whole texts and cannot tell what may still become a match. The program finds the same
 * matches as the library. What single atoms such as {@code [a-z]} match is decided by the library
 * itself. Immutable and thread-safe.
 */
final class PatternProgram {
  /** The operation of a step. */
  enum Op {
    /** Accepts one character of a set and continues at the step {@code next}. */
    CHARACTER,
    /** Continues at {@code next} and, with lower priority, at {@code extra}. */
    SPLIT,
    /** Continues at {@code next} if a condition on the position holds. */
    ASSERTION,
    /**
     * Records the position as the beginning of the captured group if {@code extra} is 0, as its end
     * if 1, and continues at {@code next}.
     */
    CAPTURE,
    /** Reports a match. */
    MATCH
  }

  /** A condition on a position in the text. */
  enum Assertion {
    TEXT_BEGINS,
    TEXT_ENDS,
    LINE_BEGINS,
    LINE_ENDS,
    WORD_EDGE,
    NO_WORD_EDGE;

    /**
     * Returns whether the condition holds at a position.
     *
     * @param before the character before the position, -1 at the beginning of the text
     * @param after the character after the position, -1 at the end of the text
     */
    boolean holds(int before, int after) {
      return switch (this) {
        case TEXT_BEGINS -> before < 0;
        case TEXT_ENDS -> after < 0;
        case LINE_BEGINS -> before < 0 || before == '\n';
        case LINE_ENDS -> after < 0 || after == '\n';
        case WORD_EDGE -> isWord(before) != isWord(after);
        case NO_WORD_EDGE -> isWord(before) == isWord(after);
      };
    }

    private static boolean isWord(int c) {
      return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
    }
  }

  /** One step; unused fields are null or -1. */
  private record Step(Op op, int next, int extra, @Nullable Object operand) {}

  private final Op[] ops;
  private final int[] next;
  private final int[] extra;
  private final CharacterSet[] sets;
  private final Assertion[] assertions;
  private final List<CharacterSet> distinctSets;
  private final byte[][] nonAsciiCache = new byte[256][]; // answers of acceptsSomewhere
  private final int first;
  private final PatternPrefilter prefilter;

  private PatternProgram(List<Step> steps, int first) {
    int size = steps.size();
    this.first = first;
    ops = new Op[size];
    next = new int[size];
    extra = new int[size];
    sets = new CharacterSet[size];
    assertions = new Assertion[size];
    for (int i = 0; i < size; i++) {
      Step step = steps.get(i);
      ops[i] = step.op();
      next[i] = step.next();
      extra[i] = step.extra();
      if (step.operand() instanceof CharacterSet set) {
        sets[i] = set;
      } else if (step.operand() instanceof Assertion assertion) {
        assertions[i] = assertion;
      }
    }
    distinctSets = Stream.of(sets).filter(Objects::nonNull).distinct().toList();
    prefilter = new PatternPrefilter(this);
  }

  /**
   * Compiles a pattern.
   *
   * @param pattern a pattern for which {@link FilterPattern#problem} returns null
   * @param group the capturing group that is the match; 0 for the whole pattern
   */
  static PatternProgram of(String pattern, int group) {
    PatternParser.Node node = new PatternParser(pattern).parse();
    var compiler = new Compiler(group);
    int match = compiler.add(Op.MATCH, -1, -1, null);
    return new PatternProgram(compiler.steps, compiler.emit(node, match));
  }

  int size() {
    return ops.length;
  }

  int first() {
    return first;
  }

  Op op(int step) {
    return ops[step];
  }

  int next(int step) {
    return next[step];
  }

  int extra(int step) {
    return extra[step];
  }

  CharacterSet set(int step) {
    return sets[step];
  }

  Assertion assertion(int step) {
    return assertions[step];
  }

  /** Returns the prefilter that finds texts without a match. */
  PatternPrefilter prefilter() {
    return prefilter;
  }

  /** Returns whether some step accepts this character, which must not be a surrogate. */
  boolean acceptsSomewhere(char c) {
    byte[] page = nonAsciiCache[c >> 8];
    if (page == null) {
      page = new byte[256];
      nonAsciiCache[c >> 8] = page;
    }
    byte answer = page[c & 255];
    if (answer == 0) {
      answer = (byte) (distinctSets.stream().anyMatch(set -> set.has(c)) ? 1 : 2);
      page[c & 255] = answer;
    }
    return answer == 1;
  }

  /** Emits the steps from the last to the first, so that the step after each of them is known. */
  private static final class Compiler {
    private final int group;
    private final List<Step> steps = new ArrayList<>();

    Compiler(int group) {
      this.group = group;
    }

    int add(Op op, int next, int extra, @Nullable Object operand) {
      steps.add(new Step(op, next, extra, operand));
      return steps.size() - 1;
    }

    /** Emits a node that continues at the step {@code next}, and returns the node's first step. */
    int emit(PatternParser.Node node, int next) {
      return switch (node) {
        case PatternParser.Atom(var set) -> add(Op.CHARACTER, next, -1, set);
        case PatternParser.AssertionNode(var place) -> add(Op.ASSERTION, next, -1, place);
        case PatternParser.Sequence(var nodes) -> {
          int firstStep = next;
          for (int i = nodes.size() - 1; i >= 0; i--) {
            firstStep = emit(nodes.get(i), firstStep);
          }
          yield firstStep;
        }
        case PatternParser.Choice(var nodes) -> {
          int firstStep = emit(nodes.getLast(), next);
          for (int i = nodes.size() - 2; i >= 0; i--) {
            firstStep = add(Op.SPLIT, emit(nodes.get(i), next), firstStep, null);
          }
          yield firstStep;
        }
        case PatternParser.Group(var number, var inner) ->
            number != group
                ? emit(inner, next)
                : add(Op.CAPTURE, emit(inner, add(Op.CAPTURE, next, 1, null)), 0, null);
        case PatternParser.Repeat repeat -> emitRepeat(repeat, next);
      };
    }

    private int emitRepeat(PatternParser.Repeat repeat, int next) {
      int firstStep = next;
      if (repeat.max() < 0) {
        firstStep = repeat.min() == 0 ? emitZeroOrMore(repeat, next) : emitOneOrMore(repeat, next);
      } else {
        for (int i = repeat.min(); i < repeat.max(); i++) {
          firstStep = emitSplit(repeat, emit(repeat.node(), firstStep), next);
        }
      }
      int copies = repeat.max() < 0 ? Math.max(1, repeat.min()) - 1 : repeat.min();
      for (int i = 0; i < copies; i++) {
        firstStep = emit(repeat.node(), firstStep);
      }
      return firstStep;
    }

    /**
     * Emits zero or more repetitions as an optional one or more, which is also correct for empty
     * matches.
     */
    private int emitZeroOrMore(PatternParser.Repeat repeat, int next) {
      return emitSplit(repeat, emitOneOrMore(repeat, next), next);
    }

    private int emitOneOrMore(PatternParser.Repeat repeat, int next) {
      int loop = add(Op.SPLIT, -1, -1, null);
      int body = emit(repeat.node(), loop);
      steps.set(
          loop,
          repeat.isGreedy()
              ? new Step(Op.SPLIT, body, next, null)
              : new Step(Op.SPLIT, next, body, null));
      return body;
    }

    private int emitSplit(PatternParser.Repeat repeat, int body, int next) {
      return repeat.isGreedy() ? add(Op.SPLIT, body, next, null) : add(Op.SPLIT, next, body, null);
    }
  }
}
