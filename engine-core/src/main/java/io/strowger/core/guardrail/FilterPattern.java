package io.strowger.core.guardrail;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.strowger.spi.ambient.FairShare;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of an account, in RE2 syntax, so that one search takes time linear in the text. This
 * class also bounds the repeated searches for all matches: they stop when they have read the text
 * {@value #MAX_READS} times, and the rest of the text then counts as a match. Only patterns that
 * look far ahead from every position reach this bound, such as {@code a.*z|a} in a text of many
 * times {@code a} without a {@code z}.
 *
 * <p>Patterns are case-sensitive unless they contain {@code (?i)}; {@code .} matches no line break
 * unless they contain {@code (?s)}. Empty matches are ignored.
 */
public final class FilterPattern implements Detector {
  /** The contract's limit on the length of a pattern, in characters. */
  public static final int MAX_CHARACTERS = 100_000;

  private static final int MAX_READS = 32;
  private static final int FREE_READ_CHARS = 4096;

  private static final String INVALID_PATTERN = "invalid_regex_pattern";

  private final Pattern pattern;
  private final int group;
  private volatile @Nullable PatternProgram program; // compiled when an answer is first scanned

  private FilterPattern(Pattern pattern, int group) {
    this.pattern = pattern;
    this.group = group;
  }

  /**
   * Returns what is wrong with a pattern, as a phrase that follows its JSON pointer and contains
   * the contract's {@code invalid_regex_pattern}; null when the pattern can be used.
   */
  public static @Nullable String problem(String pattern) {
    String problem =
        pattern.isEmpty() || pattern.length() > MAX_CHARACTERS
            ? "must be a pattern of 1 to " + MAX_CHARACTERS + " characters"
            : syntaxProblem(pattern);
    return problem == null ? null : problem + " (" + INVALID_PATTERN + ")";
  }

  /**
   * Returns what is wrong with the syntax of a pattern of any length, as a phrase that follows its
   * JSON pointer; null when it can be matched in linear time and with little memory.
   */
  public static @Nullable String syntaxProblem(String pattern) {
    String requirement = new PatternSyntax(pattern).problem();
    if (requirement != null) {
      return "must be a pattern " + requirement;
    }
    try {
      Pattern.compile(pattern);
      return null;
    } catch (PatternSyntaxException e) {
      return "must be a regular expression: " + e.getDescription();
    }
  }

  /**
   * Creates a pattern.
   *
   * @throws IllegalArgumentException when {@link #problem} returns a message
   */
  static FilterPattern of(String pattern) {
    String problem = problem(pattern);
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    return trusted(pattern);
  }

  /** Creates one of the engine's own patterns, without the checks of {@link #of}. */
  static FilterPattern trusted(String pattern) {
    return trusted(pattern, 0);
  }

  /**
   * Creates one of the engine's own patterns, without the checks of {@link #of}.
   *
   * @param group the capturing group that is the match; 0 for the whole pattern
   */
  static FilterPattern trusted(String pattern, int group) {
    return new FilterPattern(Pattern.compile(pattern), group);
  }

  @Override
  public List<TextScanner> scanners() {
    PatternProgram compiled = program;
    if (compiled == null) {
      compiled = PatternProgram.of(pattern.pattern(), group);
      program = compiled;
    }
    return List.of(new PatternScanner(compiled));
  }

  @Override
  public void findAll(TextMatches matches) {
    String text = matches.text();
    boolean isSmall = text.length() <= FairShare.READ_BYTES;
    CharSequence chars = isSmall ? text : new CountedText(text, Long.MAX_VALUE, matches.scan());
    Matcher firstMatcher = pattern.matcher(chars); // fast path: most texts have no match
    if (!firstMatcher.find()) {
      return;
    }
    long limit = (long) text.length() * MAX_READS + FREE_READ_CHARS;
    var counted = new CountedText(text, limit, matches.scan());
    Matcher matcher = pattern.matcher(counted);
    int from = firstMatcher.start();
    while (from <= text.length() && !matches.isFull() && matcher.find(from)) {
      if (matcher.end(group) > matcher.start(group)) {
        matches.add(matcher.start(group), matcher.end(group));
      }
      from = nextStart(text, matcher.end(), matcher.end() == matcher.start());
      if (counted.isSpent() && from < text.length() && !matches.isFull()) {
        matches.addRest(from);
      }
    }
  }

  /** Returns where to search next: one character further after an empty match. */
  private static int nextStart(String text, int end, boolean isEmptyMatch) {
    if (!isEmptyMatch || end >= text.length()) {
      return isEmptyMatch ? end + 1 : end;
    }
    return end + Character.charCount(text.codePointAt(end));
  }

  /** A text that counts the characters read from it and lets other threads run meanwhile. */
  private static final class CountedText implements CharSequence {
    private final String text;
    private final CooperativeScan scan;
    private long remaining;

    CountedText(String text, long limit, CooperativeScan scan) {
      this.text = text;
      this.remaining = limit;
      this.scan = scan;
    }

    boolean isSpent() {
      return remaining < 0;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      remaining--;
      scan.advance(1);
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
