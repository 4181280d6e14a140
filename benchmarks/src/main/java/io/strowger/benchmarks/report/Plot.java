package io.strowger.benchmarks.report;

import java.util.List;
import java.util.Locale;

/**
 * Draws a section: for each row a bar from zero to the median and a dot for each run, all on one
 * scale. Colours come from the style sheet of the page, which has a light and a dark mode.
 */
final class Plot {
  private static final int WIDTH = 760;
  private static final int NAME_WIDTH = 250;
  private static final int VALUE_WIDTH = 110;
  private static final int ROW_HEIGHT = 30;
  private static final int BAR_HEIGHT = 14;
  private static final double MAX_BAR_LENGTH = WIDTH - NAME_WIDTH - VALUE_WIDTH;

  private final ReportSection section;
  private final double largest;
  private final StringBuilder out = new StringBuilder();

  private Plot(ReportSection section) {
    this.section = section;
    this.largest = section.rows().stream().mapToDouble(ReportRow::max).max().orElse(1);
  }

  /** Returns an element {@code svg}. */
  static String of(ReportSection section) {
    return new Plot(section).draw();
  }

  private String draw() {
    List<ReportRow> rows = section.rows();
    int height = rows.size() * ROW_HEIGHT + 8;
    out.append(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n"
            .formatted(WIDTH, height, HtmlReport.escape(section.title() + ": medians and runs")));
    out.append(
        "<line class=\"axis\" x1=\"%1$d\" y1=\"2\" x2=\"%1$d\" y2=\"%2$d\"/>%n"
            .formatted(NAME_WIDTH, height - 2));
    for (int i = 0; i < rows.size(); i++) {
      draw(rows.get(i), 4 + i * ROW_HEIGHT);
    }
    return out.append("</svg>\n").toString();
  }

  private void draw(ReportRow row, int top) {
    int middle = top + ROW_HEIGHT / 2;
    String kind = row.role().name().toLowerCase(Locale.ROOT);
    out.append(
        "<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>%n"
            .formatted(NAME_WIDTH - 10, middle + 4, HtmlReport.escape(row.name())));
    out.append(
        "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%s\" height=\"%d\" rx=\"2\"/>%n"
            .formatted(
                kind, NAME_WIDTH, middle - BAR_HEIGHT / 2, length(row.median()), BAR_HEIGHT));
    for (double run : row.runs()) {
      out.append(
          "<circle class=\"run\" cx=\"%s\" cy=\"%d\" r=\"2.5\"/>%n"
              .formatted(coordinate(NAME_WIDTH + MAX_BAR_LENGTH * run / largest), middle));
    }
    double labelX = NAME_WIDTH + MAX_BAR_LENGTH * row.max() / largest + 8;
    out.append(
        "<text class=\"value\" x=\"%s\" y=\"%d\">%s</text>%n"
            .formatted(
                coordinate(labelX),
                middle + 4,
                HtmlReport.escape(HtmlReport.number(row.median(), section.unit()))));
  }

  /** Returns the length of a bar, at least 1, so that it is visible. */
  private String length(double value) {
    return coordinate(Math.max(1, MAX_BAR_LENGTH * value / largest));
  }

  private static String coordinate(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
