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
  private static final int NARROWEST = 16;

  private final List<String> titles;
  private final boolean[] right;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param titles one per column; one that begins with {@code >} is aligned to the right
   */
  public Table(String... titles) {
    this.titles = new ArrayList<>();
    this.right = new boolean[titles.length];
    for (int i = 0; i < titles.length; i++) {
      right[i] = titles[i].startsWith(">");
      this.titles.add(right[i] ? titles[i].substring(1) : titles[i]);
    }
  }

  /** Adds a row of as many cells as there are columns. */
  public Table row(String... cells) {
    if (cells.length != right.length) {
      throw new IllegalArgumentException(
          "a row has " + right.length + " cells, was given " + cells.length);
    }
    rows.add(List.of(cells));
    return this;
  }

  /**
   * Returns the lines of the table, indented by this many spaces and without trailing blanks. The
   * last column is left out if all its cells are empty.
   */
  public List<String> lines(int indent) {
    int last = right.length - 1;
    if (last > 0 && rows.stream().allMatch(row -> row.get(last).isEmpty())) {
      return withoutLast().lines(indent);
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

  private Table withoutLast() {
    int last = right.length - 1;
    String[] fewer = new String[last];
    for (int i = 0; i < last; i++) {
      fewer[i] = (right[i] ? ">" : "") + titles.get(i);
    }
    var table = new Table(fewer);
    rows.forEach(row -> table.row(row.subList(0, last).toArray(String[]::new)));
    return table;
  }

  private int[] widths(int indent) {
    int[] widths = new int[right.length];
    int all = indent - GAP.length();
    for (int i = 0; i < widths.length; i++) {
      widths[i] = titles.get(i).length();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
      all += widths[i] + GAP.length();
    }
    int last = widths.length - 1;
    if (all > WIDTH) {
      widths[last] = Math.max(NARROWEST, widths[last] - (all - WIDTH));
    }
    return widths;
  }

  private void add(List<String> lines, List<String> cells, int[] widths, int indent) {
    int last = cells.size() - 1;
    List<String> pieces = wrap(cells.get(last), widths[last]);
    var line = new StringBuilder(" ".repeat(indent));
    for (int i = 0; i < last; i++) {
      line.append(padded(cells.get(i), widths[i], right[i])).append(GAP);
    }
    int column = line.length();
    line.append(padded(pieces.getFirst(), widths[last], right[last]));
    lines.add(line.toString().stripTrailing());
    for (String more : pieces.subList(1, pieces.size())) {
      lines.add(" ".repeat(column) + more);
    }
  }

  private static String padded(String text, int width, boolean right) {
    String blanks = " ".repeat(Math.max(0, width - text.length()));
    return right ? blanks + text : text + blanks;
  }

  /**
   * Cuts text into lines of at most this width, between words or after a comma where that is
   * possible.
   */
  public static List<String> wrap(String text, int width) {
    var lines = new ArrayList<String>();
    String rest = text;
    while (rest.length() > width) {
      int cut = Math.max(rest.lastIndexOf(' ', width), rest.lastIndexOf(',', width - 1) + 1);
      if (cut <= 0) {
        cut = width;
      }
      lines.add(rest.substring(0, cut).stripTrailing());
      rest = rest.substring(cut).stripLeading();
    }
    lines.add(rest);
    return lines;
  }
}
