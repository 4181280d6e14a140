package io.strowger.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes the report as one HTML file without scripts that loads nothing. The file is also XML, so
 * that programs can read it.
 */
final class HtmlReport {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --paper: #fdfdfb; --ink: #1d2329; --soft: #5d6873; --line: #d9dee3; --card: #f3f5f6;
              --ours: #1f6fb2; --floor: #a9b4bd; --peer: #d29a3c; --run: #10181f; }
      @media (prefers-color-scheme: dark) {
        :root { --paper: #14181c; --ink: #e4e8eb; --soft: #9aa6b0; --line: #333c44; --card: #1d2329;
                --ours: #57a5e6; --floor: #5b6771; --peer: #cf9a45; --run: #f2f5f7; } }
      * { box-sizing: border-box; }
      body { margin: 0 auto; max-width: 54rem; padding: 2.5rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
             font: 16px/1.55 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
      h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
      h2 { font-size: 1.25rem; margin: 3rem 0 .2rem; padding-top: 1.2rem; border-top: 1px solid var(--line); }
      p { margin: .3rem 0 .8rem; } .soft { color: var(--soft); font-size: .92rem; }
      .key { display: grid; grid-template-columns: repeat(auto-fit, minmax(11.5rem, 1fr)); gap: .8rem; margin: 1.6rem 0; padding: 0; list-style: none; }
      .key li { background: var(--card); border-radius: .5rem; padding: .8rem 1rem; }
      .key strong { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
      .key a { color: inherit; text-decoration: none; } .key a:hover { text-decoration: underline; }
      .legend { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; padding: 0; margin: 1rem 0; list-style: none; font-size: .92rem; color: var(--soft); }
      .legend i { display: inline-block; width: .9rem; height: .9rem; border-radius: 2px; margin-right: .4rem; vertical-align: -.1rem; }
      i.ours { background: var(--ours); } i.floor { background: var(--floor); } i.peer { background: var(--peer); }
      i.dot { background: var(--run); border-radius: 50%; width: .45rem; height: .45rem; vertical-align: .1rem; }
      svg { width: 100%; height: auto; display: block; margin: .6rem 0 .4rem; font: 13px system-ui, "Segoe UI", Roboto, Arial, sans-serif; }
      svg .axis { stroke: var(--line); } svg .name { fill: var(--ink); text-anchor: end; } svg .value { fill: var(--soft); }
      svg .ours { fill: var(--ours); } svg .floor { fill: var(--floor); } svg .peer { fill: var(--peer); }
      svg .run { fill: var(--run); fill-opacity: .75; stroke: var(--paper); stroke-width: .6; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums; }
      th, td { text-align: right; padding: .35rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
      th:first-child, td:first-child { text-align: left; padding-left: 0; white-space: normal; min-width: 12rem; }
      th:last-child, td:last-child { white-space: normal; min-width: 9rem; padding-right: 0; } thead th { color: var(--soft); font-weight: 600; }
      tr.ours td:first-child { font-weight: 600; }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; font-size: .92rem; } dt { color: var(--soft); } dd { margin: 0; }
      @media print { h2 { break-after: avoid; } svg, table { break-inside: avoid; } }
      """;

  private final ReportData data;
  private final StringBuilder out = new StringBuilder();

  private HtmlReport(ReportData data) {
    this.data = data;
  }

  /** Returns the page. The same data gives the same page. */
  static String of(ReportData data) {
    return new HtmlReport(data).write();
  }

  private String write() {
    out.append(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n");
    out.append("<meta charset=\"utf-8\"/>\n");
    out.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    out.append("<title>Strowger: what it costs</title>\n<style>\n");
    out.append(STYLE).append("</style>\n</head>\n<body>\n");
    out.append("<h1>Strowger: what it costs</h1>\n");
    out.append(
        "<p class=\"soft\">Measured in one run on one machine. Compare bars of one picture; times"
            + " differ on another machine, and on a busy one.</p>\n");
    writeUnsteadyCount();
    writeMissedCount();
    writeKeyFigures();
    writeLegend();
    data.sections().forEach(this::writeSection);
    writeFacts();
    return out.append("</body>\n</html>\n").toString();
  }

  private void writeUnsteadyCount() {
    List<ReportRow> rows =
        data.sections().stream().flatMap(section -> section.rows().stream()).toList();
    long unsteady = rows.stream().filter(row -> !row.isSteady()).count();
    if (unsteady > 0) {
      out.append(
          "<p class=\"soft\">%d of %d rows are not steady: their last run differs from the first by more than a fifth. Do not quote them; run it again on a quiet machine.</p>%n"
              .formatted(unsteady, rows.size()));
    }
  }

  private void writeMissedCount() {
    int limits = 0;
    int missed = 0;
    for (ReportSection section : data.sections()) {
      for (ReportRow row : section.rows()) {
        ReportLimit limit = row.limit();
        limits += limit == null ? 0 : 1;
        missed += limit != null && limit.isMissed() ? 1 : 0;
      }
    }
    if (missed > 0) {
      out.append(
          "<p class=\"soft\">%d of %d limits are missed; the tables say which.</p>%n"
              .formatted(missed, limits));
    }
  }

  /** Writes this project's first row of each section. */
  private void writeKeyFigures() {
    out.append("<ul class=\"key\">\n");
    for (ReportSection section : data.sections()) {
      section.rows().stream()
          .filter(row -> row.role() == ReportRow.Role.OURS)
          .findFirst()
          .ifPresent(
              row ->
                  out.append(
                      "<li><a href=\"#%s\"><strong>%s</strong>%s: %s</a></li>%n"
                          .formatted(
                              section.id(),
                              escape(number(row.median(), section.unit())),
                              escape(section.title()),
                              escape(row.name()))));
    }
    out.append("</ul>\n");
  }

  private void writeLegend() {
    out.append(
        """
        <ul class="legend">
        <li><i class="ours"></i>Strowger, the median of the runs</li>
        <li><i class="floor"></i>a floor: the least that the work can cost</li>
        <li><i class="peer"></i>a peer: the obvious way, or another library</li>
        <li><i class="dot"></i>one run</li>
        </ul>
        """);
  }

  private void writeSection(ReportSection section) {
    out.append(
        "<h2 id=\"%s\">%s</h2>%n<p>%s</p>%n"
            .formatted(section.id(), escape(section.title()), escape(section.question())));
    out.append(Plot.of(section));
    out.append("<div class=\"wide\"><table>\n<thead><tr><th></th>");
    var headings =
        new ArrayList<>(List.of("median", "least", "most", "spread", "runs", "compared"));
    if (hasLimits(section)) {
      headings.add("limit");
    }
    for (String heading : headings) {
      out.append("<th>").append(heading).append("</th>");
    }
    out.append("</tr></thead>\n<tbody>\n");
    section.rows().forEach(row -> writeRow(section, row));
    out.append("</tbody>\n</table></div>\n<p class=\"soft\">");
    out.append(escape(section.method())).append("</p>\n");
  }

  private static boolean hasLimits(ReportSection section) {
    return section.rows().stream().anyMatch(row -> row.limit() != null);
  }

  private void writeRow(ReportSection section, ReportRow row) {
    out.append(
        "<tr class=\"%s\"><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>\u00b1 %s %%%s</td><td>%d</td><td>%s</td>%s</tr>%n"
            .formatted(
                row.role().name().toLowerCase(Locale.ROOT),
                escape(row.name()),
                escape(number(row.median(), section.unit())),
                number(row.min()),
                number(row.max()),
                number(row.spread()),
                row.isSteady() ? "" : ", not steady",
                row.runs().size(),
                escape(comparison(section, row)),
                hasLimits(section) ? "<td>" + escape(verdict(row.limit())) + "</td>" : ""));
  }

  private static String verdict(@Nullable ReportLimit limit) {
    return limit == null
        ? ""
        : "%s %s, at most %s: %s"
            .formatted(
                number(limit.figure()),
                limit.subject(),
                number(limit.most()),
                limit.isMissed() ? "missed" : "held");
  }

  private static String comparison(ReportSection section, ReportRow row) {
    @Nullable String comparedWith = row.comparedWith();
    return comparedWith == null
        ? ""
        : "%s times %s"
            .formatted(number(row.median() / section.row(comparedWith).median()), comparedWith);
  }

  private void writeFacts() {
    out.append("<h2 id=\"machine\">The machine, and the run</h2>\n<dl>\n");
    for (ReportData.Fact fact : data.facts()) {
      out.append("<dt>%s</dt><dd>%s</dd>%n".formatted(escape(fact.name()), escape(fact.value())));
    }
    out.append("</dl>\n<p class=\"soft\">");
    out.append(
        "Spread is half the difference of the highest and the lowest run, in % of the median. Two"
            + " such pages may differ by as much. Make another one with ./gateway bench report.");
    out.append("</p>\n");
  }

  /** Returns the text with the five special characters replaced. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** Returns a number with three significant digits, such as 1,234 or 12.3 or 1.23 or 0.123. */
  static String number(double value) {
    double size = Math.abs(value);
    if (size >= 99.95) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (size >= 9.995) {
      return String.format(Locale.ROOT, "%.1f", value);
    }
    return String.format(Locale.ROOT, size >= 0.9995 || size == 0 ? "%.2f" : "%.3f", value);
  }

  /** Returns a number with its unit. */
  static String number(double value, String unit) {
    return number(value) + " " + unit;
  }
}
