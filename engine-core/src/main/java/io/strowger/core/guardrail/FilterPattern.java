package io.strowger.core.guardrail;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.strowger.spi.ambient.FairShare;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern an account wrote. Its syntax is that of RE2: one search takes time linear in the text.
 * That many searches do so too is seen to here: they stop when they have read the text {@value
 * #READINGS} times over, and then the rest of the text counts as found. Only patterns that look far
 * ahead from every place come so far, such as {@code a.*z|a} in a text of many a and no z.
 *
 * <p>Letter case counts unless the pattern says {@code (?i)}; {@code .} matches no line break
 * unless it says {@code (?s)}. A match of no characters is none.
 */
public final class FilterPattern implements Detector {
  /** The contract's limit, in characters. */
  public static final int MAX_CHARACTERS = 100_000;

  private static final int READINGS = 32;
  private static final int FREE_READINGS = 4096;

  private static final String INVALID = "invalid_regex_pattern";

  private final Pattern pattern;
  private final int group;
  private volatile @Nullable PatternProgram program; // made when an answer is looked through

  private FilterPattern(Pattern pattern, int group) {
    this.pattern = pattern;
    this.group = group;
  }

  /**
   * What is wrong with a pattern, as the rest of a sentence that begins with its pointer and has
   * the contract's {@code invalid_regex_pattern} in it; null when it can be used.
   */
  public static @Nullable String problem(String pattern) {
    if (pattern.isEmpty() || pattern.length() > MAX_CHARACTERS) {
      return "must be a pattern of 1 to " + MAX_CHARACTERS + " characters (" + INVALID + ")";
    }
    String unsupported = new PatternSyntax(pattern).problem();
    if (unsupported != null) {
      return "must be a pattern without " + unsupported + " (" + INVALID + ")";
    }
    try {
      Pattern.compile(pattern);
      return null;
    } catch (PatternSyntaxException wrong) {
      return "must be a regular expression: " + wrong.getDescription() + " (" + INVALID + ")";
    }
  }

  /**
   * @throws IllegalArgumentException when {@link #problem} says something
   */
  static FilterPattern of(String pattern) {
    String problem = problem(pattern);
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    return trusted(pattern, 0);
  }

  /**
   * A pattern of our own.
   *
   * @param group which group of it is the piece that counts; 0: all of it
   */
  static FilterPattern trusted(String pattern, int group) {
    return new FilterPattern(Pattern.compile(pattern), group);
  }

  @Override
  public List<TextScanner> scanners() {
    PatternProgram made = program;
    if (made == null) {
      made = PatternProgram.of(pattern.pattern(), group);
      program = made;
    }
    return List.of(new PatternScanner(made));
  }

  @Override
  public void findAll(TextMatches in) {
    String text = in.text();
    boolean small = text.length() <= FairShare.READ_BYTES;
    CharSequence read = small ? text : new CountedText(text, Long.MAX_VALUE, in.scan());
    Matcher first = pattern.matcher(read); // most texts have nothing: the fast way
    if (!first.find()) {
      return;
    }
    long most = (long) text.length() * READINGS + FREE_READINGS;
    var counted = new CountedText(text, most, in.scan());
    Matcher matcher = pattern.matcher(counted);
    int from = first.start();
    while (from <= text.length() && !in.isFull() && matcher.find(from)) {
      if (matcher.end(group) > matcher.start(group)) {
        in.found(matcher.start(group), matcher.end(group));
      }
      from = next(text, matcher.end(), matcher.end() == matcher.start());
      if (counted.isSpent() && from < text.length() && !in.isFull()) {
        in.restFrom(from);
      }
    }
  }

  /** Where to search on: one character further when none was matched. */
  private static int next(String text, int end, boolean empty) {
    if (!empty || end >= text.length()) {
      return empty ? end + 1 : end;
    }
    return end + Character.charCount(text.codePointAt(end));
  }

  /** A text that knows how much of it was read, and lets others run meanwhile. */
  private static final class CountedText implements CharSequence {
    private final String text;
    private final CooperativeScan scan;
    private long left;

    CountedText(String text, long most, CooperativeScan scan) {
      this.text = text;
      this.left = most;
      this.scan = scan;
    }

    boolean isSpent() {
      return left < 0;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      left--;
      scan.did(1);
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
