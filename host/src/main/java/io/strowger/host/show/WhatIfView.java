package io.strowger.host.show;

import io.strowger.core.WhatIfReport;
import io.strowger.core.WhatIfReport.Row;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Formats a what-if report: which decisions would have been different, and which assumptions the
 * report makes.
 */
public final class WhatIfView {
  private static final int SHOWN_MOVES = 20;
  private static final String INDENT = "  ";

  private static final List<String> ASSUMED =
      List.of(
          "Another endpoint is taken to use the tokens the logged answer used, in the cache or not:"
              + " what another model would have answered cannot be known.",
          "An endpoint that failed or was skipped for a request is taken to fail it again, and"
              + " every other one to answer it.",
          "Latency is the median to the first token that the statistics of the log gave an endpoint"
              + " at that moment, or that its catalog assumes; they are not changed by what would"
              + " have been sent elsewhere. Neither are budgets, nor the endpoints that"
              + " conversations stayed with.");
  private static final String ASSUMED_OF_CONFIG =
      "Models, endpoints, prices and settings of plugins are those of the new configuration; the"
          + " rules of the account and its keys are those of the log.";

  private final WhatIfReport report;
  private final boolean isOtherConfig;

  /**
   * @param isOtherConfig whether another configuration than that of the log was used
   */
  public WhatIfView(WhatIfReport report, boolean isOtherConfig) {
    this.report = report;
    this.isOtherConfig = isOtherConfig;
  }

  /**
   * Returns the report for people.
   *
   * @param what the name of the log
   */
  public List<String> lines(String what, Style style) {
    WhatIfReport.Counts counts = report.counts();
    var lines = new ArrayList<String>();
    add(lines, "", what + ": " + Quantity.of(counts.decisions(), "decision"));
    count(lines, counts.unchanged(), counts, "unchanged", style::good);
    count(lines, counts.firstChanged(), counts, "with another first choice", style::notable);
    count(lines, counts.laterChanged(), counts, "with other fallbacks only", style::notable);
    if (counts.notComparable() > 0) {
      add(
          lines,
          INDENT,
          String.format(
              Locale.ROOT,
              "%,d not comparable: this program decides them otherwise than the log even without"
                  + " the change; see gateway replay LOG",
              counts.notComparable()));
    }
    if (counts.damaged() > 0) {
      add(lines, INDENT, Quantity.of(counts.damaged(), "place") + " of the log cannot be read");
    }
    moves(lines, style);
    changes(lines, style);
    figures(lines, style);
    lines.add("");
    lines.add(style.strong("What cannot be known"));
    assumed().forEach(sentence -> bullet(lines, sentence));
    return lines;
  }

  private List<String> assumed() {
    var all = new ArrayList<>(ASSUMED);
    if (isOtherConfig) {
      all.add(ASSUMED_OF_CONFIG);
    }
    return all;
  }

  private static void count(
      List<String> lines,
      long count,
      WhatIfReport.Counts counts,
      String what,
      UnaryOperator<String> color) {
    double percent = counts.compared() == 0 ? 0 : 100.0 * count / counts.compared();
    lines.add(
        INDENT + color.apply(String.format(Locale.ROOT, "%,d %s (%.1f %%)", count, what, percent)));
  }

  private void moves(List<String> lines, Style style) {
    if (report.moves().isEmpty()) {
      return;
    }
    var table = new Table(">decisions", "from", "to");
    report.moves().stream()
        .limit(SHOWN_MOVES)
        .forEach(
            move ->
                table.row(String.format(Locale.ROOT, "%,d", move.count()), move.from(), move.to()));
    lines.add("");
    lines.add(style.strong("First choices that change"));
    lines.addAll(table.lines(INDENT.length()));
    long more =
        report.moves().stream().skip(SHOWN_MOVES).mapToLong(WhatIfReport.Move::count).sum()
            + report.otherMoves();
    if (more > 0) {
      lines.add(INDENT + "and " + Quantity.of(more, "decision") + " of other kinds");
    }
  }

  private void changes(List<String> lines, Style style) {
    if (report.changes().isEmpty()) {
      return;
    }
    lines.add("");
    lines.add(style.strong("The first decisions that change"));
    for (WhatIfReport.Change change : report.changes()) {
      add(lines, INDENT, change.id());
      add(lines, INDENT + INDENT, "then " + change.from());
      add(lines, INDENT + INDENT, "now  " + change.to());
    }
  }

  private void figures(List<String> lines, Style style) {
    WhatIfReport.Figures figures = report.figures();
    lines.add("");
    lines.add(style.strong("Money and latency"));
    if (figures.priced() == 0 && figures.timed() == 0) {
      add(
          lines,
          INDENT,
          "unknown: the log has no answered decision with its usage or the speed of its endpoints");
      return;
    }
    Usd logged = figures.of(Row.LOGGED).money();
    var table = new Table("", ">money", ">to logged", ">first token", "");
    for (Row row : figures.rows()) {
      table.row(
          row.name(),
          figures.priced() == 0 ? "unknown" : MoneyFormat.dollars(row.money()),
          figures.priced() == 0 ? "" : change(row.money(), logged),
          row.latencyMs().isEmpty()
              ? "unknown"
              : String.format(Locale.ROOT, "%,.1f ms", row.latencyMs().getAsDouble()),
          "");
    }
    lines.addAll(table.lines(INDENT.length()));
    add(
        lines,
        INDENT,
        "money over "
            + Quantity.of(figures.priced(), "answered decision")
            + ", latency over "
            + Quantity.of(figures.timed(), "answered decision")
            + ", the same ones in every row");
  }

  private static String change(Usd money, Usd logged) {
    if (logged.nanos() == 0) {
      return "";
    }
    BigDecimal percent =
        money
            .dollars()
            .subtract(logged.dollars())
            .multiply(BigDecimal.valueOf(100))
            .divide(logged.dollars(), 1, RoundingMode.HALF_EVEN);
    return (percent.signum() > 0 ? "+" : "") + percent.toPlainString() + " %";
  }

  private static void bullet(List<String> lines, String sentence) {
    List<String> wrapped = Table.wrap(sentence, Table.WIDTH - 4);
    for (int i = 0; i < wrapped.size(); i++) {
      lines.add((i == 0 ? "  - " : "    ") + wrapped.get(i));
    }
  }

  private static void add(List<String> lines, String indent, String text) {
    Table.wrap(text, Table.WIDTH - indent.length()).forEach(line -> lines.add(indent + line));
  }

  /** Returns the report as one JSON object. */
  public Json.Obj json() {
    WhatIfReport.Counts counts = report.counts();
    WhatIfReport.Figures figures = report.figures();
    return Json.object()
        .put("decisions", counts.decisions())
        .put("unchanged", counts.unchanged())
        .put("first_changed", counts.firstChanged())
        .put("later_changed", counts.laterChanged())
        .put("not_comparable", counts.notComparable())
        .put("damaged", counts.damaged())
        .put("moves", Json.array(report.moves().stream().map(WhatIfView::json).toList()))
        .put("moves_left_out", report.otherMoves())
        .put("changes", Json.array(report.changes().stream().map(WhatIfView::json).toList()))
        .put("priced", figures.priced())
        .put("timed", figures.timed())
        .put("figures", Json.array(figures.rows().stream().map(WhatIfView::json).toList()))
        .put("assumed", Json.array(assumed().stream().<Json>map(Json::of).toList()))
        .build();
  }

  private static Json json(WhatIfReport.Move move) {
    return Json.object()
        .put("from", move.from())
        .put("to", move.to())
        .put("decisions", move.count())
        .build();
  }

  private static Json json(WhatIfReport.Change change) {
    return Json.object()
        .put("id", change.id())
        .put("from", change.from())
        .put("to", change.to())
        .build();
  }

  private static Json json(Row row) {
    return Json.object()
        .put("name", row.name())
        .put("money", row.money().json())
        .put(
            "latency_ms",
            row.latencyMs().isEmpty()
                ? Json.NULL
                : Json.of(
                    BigDecimal.valueOf(row.latencyMs().getAsDouble())
                        .setScale(3, RoundingMode.HALF_EVEN)))
        .build();
  }
}
