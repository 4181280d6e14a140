package io.strowger.benchmarks.report;

/** Text inside of HTML that is XML as well. */
final class HtmlEscaper {
  private HtmlEscaper() {}

  /** The text with the five characters replaced that mean something else there. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
