package io.strowger.plugins.webfetch;

import io.strowger.plugins.webfetch.PageText.Readable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.select.NodeFilter;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the text of an HTML page as a person reads it: visible text in order, blocks on lines of
 * their own, headings and list items marked. Scripts, navigation, forms and hidden elements are
 * left out. Only a bounded number of tags is read, to limit the cost of a page full of tags.
 */
final class HtmlText {
  private static final int MAX_TAGS = 60_000;
  private static final int MAX_DEPTH = 512;

  /**
   * The least percentage of the page's text that the main part must have for the rest to be left
   * out.
   */
  private static final int MAIN_PERCENT = 40;

  private static final Set<String> SKIPPED =
      Set.of(
          "script",
          "style",
          "noscript",
          "template",
          "svg",
          "math",
          "iframe",
          "object",
          "embed",
          "canvas",
          "nav",
          "footer",
          "form",
          "button",
          "select",
          "option",
          "textarea",
          "input",
          "head",
          "audio",
          "video",
          "map",
          "dialog",
          "menu");

  private HtmlText() {}

  /** Returns the number of bytes of a page to read: all, unless it has too many tags. */
  static int boundedLength(byte[] page) {
    int tags = 0;
    for (int i = 0; i < page.length; i++) {
      if (page[i] == '<' && ++tags > MAX_TAGS) {
        return i;
      }
    }
    return page.length;
  }

  /**
   * @param charset the charset of the header; null to use the page's own, else UTF-8
   */
  static Readable of(InputStream page, @Nullable String charset, String uri) throws IOException {
    Document document = Jsoup.parse(page, charset, uri, Parser.htmlParser().setMaxDepth(MAX_DEPTH));
    String fullText = text(document.body());
    Element mainElement = document.selectFirst("main, article, [role=main]");
    String mainText = mainElement == null ? fullText : text(mainElement);
    boolean isMainLarge = mainText.length() * 100L >= fullText.length() * (long) MAIN_PERCENT;
    return new Readable(document.title().strip(), isMainLarge ? mainText : fullText);
  }

  private static String text(Element element) {
    var writer = new Writer();
    element.filter(writer);
    return writer.text();
  }

  private static boolean isSkipped(Element element) {
    return SKIPPED.contains(element.normalName())
        || element.hasAttr("hidden")
        || element.attr("aria-hidden").equalsIgnoreCase("true")
        || isInvisible(element.attr("style"));
  }

  private static boolean isInvisible(String style) {
    String css = style.replace(" ", "").toLowerCase(Locale.ROOT);
    return css.contains("display:none") || css.contains("visibility:hidden");
  }

  /** Writes the visible text. */
  private static final class Writer implements NodeFilter {
    private final StringBuilder out = new StringBuilder();
    private boolean needsSpace; // whether a space is needed before the next word
    private int lineBreaks; // line breaks before the next word
    private int preformattedDepth; // open elements that are preformatted

    @Override
    public FilterResult head(Node node, int depth) {
      if (node instanceof TextNode text) {
        write(text.getWholeText());
      } else if (node instanceof Element element) {
        if (isSkipped(element) && depth > 0) {
          return FilterResult.SKIP_ENTIRELY;
        }
        begin(element);
      }
      return FilterResult.CONTINUE;
    }

    private void begin(Element element) {
      String name = element.normalName();
      switch (name) {
        case "br" -> lineBreaks = Math.max(lineBreaks, 1);
        case "hr" -> lineBreaks = 2;
        case "td", "th" -> needsSpace = true;
        case "pre" -> {
          lineBreaks = 2;
          preformattedDepth++;
        }
        case "li" -> {
          lineBreaks = Math.max(lineBreaks, 1);
          writeMark("- ");
        }
        case "h1", "h2", "h3", "h4", "h5", "h6" -> {
          lineBreaks = 2;
          writeMark("#".repeat(name.charAt(1) - '0') + " ");
        }
        default -> lineBreaks = Math.max(lineBreaks, lineBreaksAround(element));
      }
    }

    private static int lineBreaksAround(Element element) {
      if (!element.tag().isBlock()) {
        return 0;
      }
      return switch (element.normalName()) {
        case "td", "th" -> 0;
        case "tr", "dt", "dd", "li" -> 1;
        default -> 2;
      };
    }

    @Override
    public FilterResult tail(Node node, int depth) {
      if (node instanceof Element element) {
        preformattedDepth -= element.normalName().equals("pre") ? 1 : 0;
        lineBreaks = Math.max(lineBreaks, lineBreaksAround(element));
      }
      return FilterResult.CONTINUE;
    }

    private void writeMark(String mark) {
      breakLines();
      out.append(mark);
    }

    private void breakLines() {
      if (!out.isEmpty()) {
        out.append("\n".repeat(lineBreaks));
      }
      lineBreaks = 0;
      needsSpace = false;
    }

    private void write(String text) {
      if (preformattedDepth > 0) {
        breakLines();
        out.append(text);
        return;
      }
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (Character.isWhitespace(c) || c == '\u00A0') {
          needsSpace = true;
        } else if (c != '\u200B' && c != '\u00AD' && !Character.isISOControl(c)) {
          writePending();
          out.append(c);
        }
      }
    }

    private void writePending() {
      if (lineBreaks > 0) {
        breakLines();
      } else if (needsSpace
          && !out.isEmpty()
          && !Character.isWhitespace(out.charAt(out.length() - 1))) {
        out.append(' ');
      }
      needsSpace = false;
    }

    String text() {
      return out.toString().strip();
    }
  }
}
