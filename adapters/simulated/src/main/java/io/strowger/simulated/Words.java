package io.strowger.simulated;

/** Generates text that depends on nothing but the seed. */
final class Words {
  private static final String[] WORDS =
      ("the switch finds a free line and rings until somebody answers while every "
              + "other call waits its turn without an operator")
          .split(" ");

  private Words() {}

  static String text(long seed, int count) {
    var text = new StringBuilder();
    long state = seed;
    for (int i = 0; i < count; i++) {
      state += 0x9E3779B97F4A7C15L; // SplitMix64
      long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
      z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
      int word = (int) Long.remainderUnsigned(z ^ (z >>> 31), WORDS.length);
      text.append(i == 0 ? "" : " ").append(WORDS[word]);
    }
    return text.toString();
  }
}
