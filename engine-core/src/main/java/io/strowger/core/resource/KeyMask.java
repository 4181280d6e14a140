package io.strowger.core.resource;

/** Masks keys for display. Contract: "API key", label. */
public final class KeyMask {
  /** The label of a key that is short, or of which only the SHA-256 is known. */
  public static final String HIDDEN = "***";

  private static final int MIN_LONG_LENGTH = 24;
  private static final int MIN_MASKABLE = 16;
  private static final int TAIL_LENGTH = 3;

  private KeyMask() {}

  /** Returns the ends of a long key, {@code sk-abc...123}; {@link #HIDDEN} for a short one. */
  public static String of(String plaintext) {
    if (plaintext.length() < MIN_MASKABLE) {
      return HIDDEN;
    }
    int headLength = plaintext.length() < MIN_LONG_LENGTH ? 4 : 6;
    return plaintext.substring(0, headLength)
        + "..."
        + plaintext.substring(plaintext.length() - TAIL_LENGTH);
  }
}
