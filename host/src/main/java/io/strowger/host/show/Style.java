package io.strowger.host.show;

/** Adds terminal colours to texts, or returns them unchanged. Immutable. */
public final class Style {
  /** Returns every text unchanged. */
  public static final Style PLAIN = new Style(false);

  /** Colours texts with ANSI escape sequences. */
  public static final Style COLORED = new Style(true);

  private static final String RESET = "\u001b[0m";

  private final boolean colored;

  private Style(boolean colored) {
    this.colored = colored;
  }

  /** Returns whether texts are coloured. */
  public boolean isColored() {
    return colored;
  }

  /** Returns a text in the colour of success. */
  public String success(String text) {
    return apply("32", text);
  }

  /** Returns a text in the colour of errors. */
  public String error(String text) {
    return apply("31", text);
  }

  /** Returns a text in the colour of warnings. */
  public String warning(String text) {
    return apply("33", text);
  }

  /** Returns a text in bold, for headings and important parts. */
  public String strong(String text) {
    return apply("1", text);
  }

  /** Returns a text in faint type, for details. */
  public String faint(String text) {
    return apply("2", text);
  }

  private String apply(String code, String text) {
    return colored ? "\u001b[" + code + "m" + text + RESET : text;
  }
}
