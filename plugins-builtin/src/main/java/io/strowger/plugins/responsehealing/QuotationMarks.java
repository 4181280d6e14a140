package io.strowger.plugins.responsehealing;

/** The quotation marks that people and models put around a text. */
final class QuotationMarks {
  private static final String DOUBLE = "\"\u201c\u201d";
  private static final String SINGLE = "'\u2018\u2019`";

  private QuotationMarks() {}

  static boolean opens(int c) {
    return c >= 0 && (DOUBLE.indexOf(c) >= 0 || SINGLE.indexOf(c) >= 0);
  }

  /**
   * Returns whether a mark may end a text: a text that began with a straight mark ends only with
   * the same mark, any other text with any mark of the same kind (double or single).
   */
  static boolean closes(int open, int c) {
    return c == open
        || c >= 0
            && open != '"'
            && open != '\''
            && (DOUBLE.indexOf(open) >= 0 ? DOUBLE : SINGLE).indexOf(c) >= 0;
  }
}
