package io.strowger.host.show;

/** Colours for a terminal. Without a terminal every text stays as it is. Immutable. */
public final class Style {
  /** Colours nothing. */
  public static final Style PLAIN = new Style(false);

  /** Colours what is written to a terminal. */
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

  /** Returns a text that says that all is well. */
  public String good(String text) {
    return in("32", text);
  }

  /** Returns a text that says that something is wrong. */
  public String bad(String text) {
    return in("31", text);
  }

  /** Returns a text that deserves attention. */
  public String notable(String text) {
    return in("33", text);
  }

  /** Returns a heading, or the part of a text that matters. */
  public String strong(String text) {
    return in("1", text);
  }

  /** Returns a text that may be skipped. */
  public String faint(String text) {
    return in("2", text);
  }

  private String in(String code, String text) {
    return colored ? "\u001b[" + code + "m" + text + RESET : text;
  }
}
