package io.strowger.core.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A list of case-insensitive patterns of model ids; {@code *} matches any run of characters. A
 * pattern that matches an id without its variant also matches the id with the variant.
 *
 * <p>The parts between wildcards are searched from left to right, each once, so that no pattern
 * causes backtracking.
 */
final class ModelPatterns {
  private final Set<String> exact = new HashSet<>(); // only asked, never iterated
  private final Glob[] globs;

  /** The parts of a pattern that has a wildcard. */
  private record Glob(String head, String[] inner, String tail) {
    boolean matches(String id) {
      if (id.length() < head.length() + tail.length()
          || !id.startsWith(head)
          || !id.endsWith(tail)) {
        return false;
      }
      int from = head.length();
      int end = id.length() - tail.length();
      for (String part : inner) {
        int index = id.indexOf(part, from);
        if (index < 0 || index + part.length() > end) {
          return false;
        }
        from = index + part.length();
      }
      return true;
    }
  }

  ModelPatterns(List<String> patterns) {
    var globList = new ArrayList<Glob>();
    for (String pattern : patterns) {
      String lower = pattern.toLowerCase(Locale.ROOT);
      if (lower.indexOf('*') < 0) {
        exact.add(lower);
      } else {
        globList.add(glob(lower));
      }
    }
    globs = globList.toArray(new Glob[0]);
  }

  private static Glob glob(String pattern) {
    int first = pattern.indexOf('*');
    int last = pattern.lastIndexOf('*');
    var inner = new ArrayList<String>();
    for (int from = first + 1; from < last; ) {
      int next = pattern.indexOf('*', from);
      if (next > from) {
        inner.add(pattern.substring(from, next));
      }
      from = next + 1;
    }
    return new Glob(
        pattern.substring(0, first), inner.toArray(new String[0]), pattern.substring(last + 1));
  }

  boolean matches(String modelId) {
    String id = modelId.toLowerCase(Locale.ROOT);
    int colon = id.indexOf(':');
    return matchesWhole(id) || colon >= 0 && matchesWhole(id.substring(0, colon));
  }

  private boolean matchesWhole(String id) {
    if (!exact.isEmpty() && exact.contains(id)) {
      return true;
    }
    for (Glob glob : globs) {
      if (glob.matches(id)) {
        return true;
      }
    }
    return false;
  }
}
