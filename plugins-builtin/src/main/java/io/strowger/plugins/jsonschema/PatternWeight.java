package io.strowger.plugins.jsonschema;

import com.google.re2j.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How large a pattern becomes when it is compiled, before it is: the engine writes out what is
 * repeated, so {@code ((a{1000}){1000}){1000}} would fill the memory. Never less than the number of
 * states, as far as the pattern is one. Pure.
 */
public final class PatternWeight {
  /** More than anybody compiles. */
  public static final long ENDLESS = 1L << 40;

  private static final Pattern REPETITION = Pattern.compile("\\{([0-9]+)(?:,([0-9]*))?\\}");

  /** What a count behind one of these repeats may be a group or a repetition. */
  private static final String GROUPS = ")}*+?";

  private PatternWeight() {}

  /**
   * Returns the characters of a pattern, with each count of one character added to them, and each
   * count of a group as if it held for all of it.
   *
   * @return 0 to {@link #ENDLESS}
   */
  public static long of(String pattern) {
    long weight = pattern.length();
    long factor = 1;
    var counts = REPETITION.matcher(pattern);
    while (counts.find()) {
      long count = most(counts.group(1), counts.group(2));
      boolean group = counts.start() > 0 && GROUPS.indexOf(pattern.charAt(counts.start() - 1)) >= 0;
      weight = Math.min(ENDLESS, group ? weight : weight + count);
      factor = Math.min(ENDLESS, group ? factor * Math.max(1, count) : factor);
    }
    return factor > ENDLESS / Math.max(1, weight) ? ENDLESS : weight * factor;
  }

  private static long most(String least, @Nullable String most) {
    String count = most == null || most.isEmpty() ? least : most;
    return count.length() > 4 ? ENDLESS : Long.parseLong(count);
  }
}
