package io.strowger.host.show;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of plain text, at most {@value #WIDTH} columns wide. A column is as wide as its widest
 * cell; if the table would be too wide, the text of the last column is wrapped.
 */
public final class Table {
  /** The most columns of a line. */
  public static final int WIDTH = 100;

  private static final String GAP = "  ";
  private static final int MIN_LAST_WIDTH = 16;

  private final List<String> titles;
  private final boolean[] alignsRight;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param titles one per column; one that begins with {@code >} is aligned to the right
   */
  public Table(String... titles) {
    this.titles = new ArrayList<>();
    this.alignsRight = new boolean[titles.length];
    for (int i = 0; i < titles.length; i++) {
      alignsRight[i] = titles[i].startsWith(">");
      this.titles.add(alignsRight[i] ? titles[i].substring(1) : titles[i]);
    }
  }

  /** Adds a row of as many cells as there are columns. */
  public Table row(String... cells) {
    if (cells.length != alignsRight.length) {
      throw new IllegalArgumentException(
          "a row has " + alignsRight.length + " cells, was given " + cells.length);
    }
    rows.add(List.of(cells));
    return this;
  }

  /**
   * Returns the lines of the table, indented by this many spaces and without trailing blanks. The
   * last column is left out if all its cells are empty.
   */
  public List<String> lines(int indent) {
    int last = alignsRight.length - 1;
    if (last > 0 && rows.stream().allMatch(row -> row.get(last).isEmpty())) {
      return withoutLastColumn().lines(indent);
    }
    int[] widths = widths(indent);
    var lines = new ArrayList<String>();
    add(lines, titles, widths, indent);
    var rule = new ArrayList<String>();
    for (int width : widths) {
      rule.add("─".repeat(width));
    }
    add(lines, rule, widths, indent);
    rows.forEach(row -> add(lines, row, widths, indent));
    return lines;
  }

  private Table withoutLastColumn() {
    int last = alignsRight.length - 1;
    String[] remaining = new String[last];
    for (int i = 0; i < last; i++) {
      remaining[i] = (alignsRight[i] ? ">" : "") + titles.get(i);
    }
    var table = new Table(remaining);
    rows.forEach(row -> table.row(row.subList(0, last).toArray(String[]::new)));
    return table;
  }

  private int[] widths(int indent) {
    int[] widths = new int[alignsRight.length];
    int total = indent - GAP.length();
    for (int i = 0; i < widths.length; i++) {
      widths[i] = titles.get(i).length();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
      total += widths[i] + GAP.length();
    }
    int last = widths.length - 1;
    if (total > WIDTH) {
      widths[last] = Math.max(MIN_LAST_WIDTH, widths[last] - (total - WIDTH));
    }
    return widths;
  }

  private void add(List<String> lines, List<String> cells, int[] widths, int indent) {
    int last = cells.size() - 1;
    List<String> pieces = wrap(cells.get(last), widths[last]);
    var line = new StringBuilder(" ".repeat(indent));
    for (int i = 0; i < last; i++) {
      line.append(pad(cells.get(i), widths[i], alignsRight[i])).append(GAP);
    }
    int column = line.length();
    line.append(pad(pieces.getFirst(), widths[last], alignsRight[last]));
    lines.add(line.toString().stripTrailing());
    for (String continuation : pieces.subList(1, pieces.size())) {
      lines.add(" ".repeat(column) + continuation);
    }
  }

  private static String pad(String text, int width, boolean right) {
    String blanks = " ".repeat(Math.max(0, width - text.length()));
    return right ? blanks + text : text + blanks;
  }

  /**
   * Cuts text into lines of at most this width, between words or after a comma where that is
   * possible.
   */
  public static List<String> wrap(String text, int width) {
    var lines = new ArrayList<String>();
    String remainder = text;
    while (remainder.length() > width) {
      int cut =
          Math.max(remainder.lastIndexOf(' ', width), remainder.lastIndexOf(',', width - 1) + 1);
      if (cut <= 0) {
        cut = width;
      }
      lines.add(remainder.substring(0, cut).stripTrailing());
      remainder = remainder.substring(cut).stripLeading();
    }
    lines.add(remainder);
    return lines;
  }
}
