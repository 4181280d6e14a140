package io.strowger.spi.error;

/**
 * Shortens texts from other systems, for messages and records. Lengths are those of {@link
 * String#length}. A surrogate pair is never split, so that what is left can be written as UTF-8.
 */
public final class ShortText {
  private static final String DOTS = "...";

  private ShortText() {}

  /**
   * Returns the beginning of a text; the text itself when it is no longer than {@code maxLength}.
   *
   * @param most the maximum length, at least 0; one less where a surrogate pair would be split
   */
  public static String beginning(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    boolean splits = most > 0 && Character.isHighSurrogate(text.charAt(most - 1));
    return text.substring(0, splits ? most - 1 : most);
  }

  /**
   * Returns the beginning of a text with three dots behind it; the text itself when it is no longer
   * than {@code maxLength}.
   *
   * @param most the maximum length before the dots, at least 0
   */
  public static String withDots(String text, int most) {
    return text.length() <= most ? text : beginning(text, most) + DOTS;
  }
}
