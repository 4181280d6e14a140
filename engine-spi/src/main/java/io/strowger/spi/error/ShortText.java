package io.strowger.spi.error;

/**
 * Shortens texts from other systems, for messages and records. Lengths are those of {@link
 * String#length}. A surrogate pair is never split, so that what is left can be written as UTF-8.
 */
public final class ShortText {
  private static final String ELLIPSIS = "...";

  private ShortText() {}

  /**
   * Returns the beginning of a text; the text itself when it is no longer than {@code maxLength}.
   *
   * @param maxLength the maximum length, at least 0; the result is one char shorter where a
   *     surrogate pair would be split
   */
  public static String beginning(String text, int maxLength) {
    if (text.length() <= maxLength) {
      return text;
    }
    boolean splitsPair = maxLength > 0 && Character.isHighSurrogate(text.charAt(maxLength - 1));
    return text.substring(0, splitsPair ? maxLength - 1 : maxLength);
  }

  /**
   * Returns the beginning of a text, followed by three dots; the text itself when it is no longer
   * than {@code maxLength}.
   *
   * @param maxLength the maximum length before the dots, at least 0
   */
  public static String withEllipsis(String text, int maxLength) {
    return text.length() <= maxLength ? text : beginning(text, maxLength) + ELLIPSIS;
  }
}
