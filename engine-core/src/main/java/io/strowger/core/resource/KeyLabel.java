package io.strowger.core.resource;

/** How a key is shown: masked. Contract: "API key", label. */
public final class KeyLabel {
  private static final int LONG = 24;
  private static final int SHORTEST = 16;
  private static final int TAIL = 3;

  private KeyLabel() {}

  /** The first and last characters of a long key, {@code sk-abc...123}; none of a short one. */
  public static String of(String plaintext) {
    if (plaintext.length() < SHORTEST) {
      return "***";
    }
    int head = plaintext.length() < LONG ? 4 : 6;
    return plaintext.substring(0, head) + "..." + plaintext.substring(plaintext.length() - TAIL);
  }
}
