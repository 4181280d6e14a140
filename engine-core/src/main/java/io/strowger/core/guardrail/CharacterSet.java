package io.strowger.core.guardrail;

import com.google.re2j.Pattern;
import java.util.HashMap;
import java.util.Map;

/**
 * The characters that one atom of a pattern matches, such as a letter, {@code \d} or {@code [a-z]}.
 * The RE2 library decides what an atom matches; its answers are cached. Safe on any thread: a
 * thread that does not see a cached answer computes it again.
 */
final class CharacterSet {
  private static final int PAGE_SIZE = 256;
  private static final int MAX_PAGES = 256; // of the basic multilingual plane
  private static final byte YES = 1;
  private static final byte NO = 2;

  private final Pattern atom;
  private final byte[] ascii = new byte[128];
  private final byte[][] pages = new byte[MAX_PAGES][];

  private CharacterSet(Pattern atom) {
    this.atom = atom;
    for (int c = 0; c < ascii.length; c++) {
      ascii[c] = test(c);
    }
  }

  boolean has(int codePoint) {
    if (codePoint < ascii.length) {
      return ascii[codePoint] == YES;
    }
    if (codePoint >= PAGE_SIZE * MAX_PAGES) {
      return test(codePoint) == YES;
    }
    byte[] page = pages[codePoint / PAGE_SIZE];
    if (page == null) {
      page = new byte[PAGE_SIZE];
      pages[codePoint / PAGE_SIZE] = page;
    }
    byte answer = page[codePoint % PAGE_SIZE];
    if (answer == 0) {
      answer = test(codePoint);
      page[codePoint % PAGE_SIZE] = answer;
    }
    return answer == YES;
  }

  private byte test(int codePoint) {
    return atom.matches(Character.toString(codePoint)) ? YES : NO;
  }

  /** The sets of one pattern, one for each distinct atom. */
  static final class Sets {
    private final Map<String, CharacterSet> byAtom = new HashMap<>();

    /**
     * Returns the set for an atom.
     *
     * @param atom the atom as it is written in the pattern
     * @param flags the flags that apply to the atom, out of {@code i} and {@code s}; may be empty
     */
    CharacterSet of(String atom, String flags) {
      String pattern = flags.isEmpty() ? atom : "(?" + flags + ":" + atom + ")";
      return byAtom.computeIfAbsent(pattern, p -> new CharacterSet(Pattern.compile(p)));
    }
  }
}
