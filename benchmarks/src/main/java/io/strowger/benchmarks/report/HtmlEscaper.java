package io.strowger.benchmarks.report;

/** Escapes text for HTML that is also XML. */
final class HtmlEscaper {
  private HtmlEscaper() {}

  /** Returns the text with the five special characters replaced. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
