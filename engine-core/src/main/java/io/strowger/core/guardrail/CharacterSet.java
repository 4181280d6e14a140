package io.strowger.core.guardrail;

import com.google.re2j.Pattern;
import java.util.HashMap;
import java.util.Map;

/**
 * The characters that one atom of a pattern stands for: a letter, {@code \d}, {@code [a-z]}. What
 * it stands for the library of patterns says; the answers are remembered. Safe on any thread: who
 * sees no answer asks again.
 */
final class CharacterSet {
  private static final int PAGE = 256;
  private static final int MAX_PAGES = 256; // of the first plane
  private static final byte YES = 1;
  private static final byte NO = 2;

  private final Pattern atom;
  private final byte[] ascii = new byte[128];
  private final byte[][] pages = new byte[MAX_PAGES][];

  private CharacterSet(Pattern atom) {
    this.atom = atom;
    for (int c = 0; c < ascii.length; c++) {
      ascii[c] = ask(c);
    }
  }

  boolean has(int codePoint) {
    if (codePoint < ascii.length) {
      return ascii[codePoint] == YES;
    }
    if (codePoint >= PAGE * MAX_PAGES) {
      return ask(codePoint) == YES;
    }
    byte[] page = pages[codePoint / PAGE];
    if (page == null) {
      page = new byte[PAGE];
      pages[codePoint / PAGE] = page;
    }
    byte known = page[codePoint % PAGE];
    if (known == 0) {
      known = ask(codePoint);
      page[codePoint % PAGE] = known;
    }
    return known == YES;
  }

  private byte ask(int codePoint) {
    return atom.matches(Character.toString(codePoint)) ? YES : NO;
  }

  /** The sets of one pattern, each made once. */
  static final class Sets {
    private final Map<String, CharacterSet> byAtom = new HashMap<>();

    /**
     * @param atom as the pattern has it
     * @param flags that hold there: of {@code i} and {@code s}
     */
    CharacterSet of(String atom, String flags) {
      String pattern = flags.isEmpty() ? atom : "(?" + flags + ":" + atom + ")";
      return byAtom.computeIfAbsent(pattern, p -> new CharacterSet(Pattern.compile(p)));
    }
  }
}
