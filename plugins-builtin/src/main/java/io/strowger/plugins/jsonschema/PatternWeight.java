package io.strowger.plugins.jsonschema;

import com.google.re2j.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the compiled size of a pattern before it is compiled: RE2 expands repetitions, so
 * {@code ((a{1000}){1000}){1000}} would fill the memory. The estimate is never less than the number
 * of characters that a valid pattern matches one by one once its counted repetitions are written
 * out: 1,000 for {@code x{0,1000}}. Has no side effects.
 */
public final class PatternWeight {
  /** The weight of a pattern that is too large to compile. */
  public static final long TOO_LARGE = 1L << 40;

  private static final Pattern REPETITION = Pattern.compile("\\{([0-9]+)(?:,([0-9]*))?\\}");

  /**
   * The characters that end a group or a repetition; a count after one of them may multiply the
   * whole group.
   */
  private static final String GROUP_ENDS = ")}*+?";

  private PatternWeight() {}

  /**
   * Returns the weight of a pattern. It is the number of characters plus each count of a repeated
   * single character; this sum is multiplied by each count of a repeated group, as if the group
   * were the whole pattern.
   *
   * @return the weight, 0 to {@link #TOO_LARGE}
   */
  public static long of(String pattern) {
    long weight = pattern.length();
    long factor = 1;
    var counts = REPETITION.matcher(pattern);
    while (counts.find()) {
      long count = maxCount(counts.group(1), counts.group(2));
      boolean repeatsGroup =
          counts.start() > 0 && GROUP_ENDS.indexOf(pattern.charAt(counts.start() - 1)) >= 0;
      weight = Math.min(TOO_LARGE, repeatsGroup ? weight : weight + count);
      factor = Math.min(TOO_LARGE, repeatsGroup ? factor * Math.max(1, count) : factor);
    }
    return factor > TOO_LARGE / Math.max(1, weight) ? TOO_LARGE : weight * factor;
  }

  private static long maxCount(String lower, @Nullable String upper) {
    String count = upper == null || upper.isEmpty() ? lower : upper;
    return count.length() > 4 ? TOO_LARGE : Long.parseLong(count);
  }
}
