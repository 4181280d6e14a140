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
  private static final int MAX_MOVES = 20;
  private static final String INDENT = "  ";

  private static final List<String> ASSUMPTIONS =
      List.of(
          "Another endpoint is taken to use the tokens the logged answer used, in the cache or not:"
              + " what another model would have answered cannot be known.",
          "An endpoint that failed or was skipped for a request is taken to fail it again, and"
              + " every other one to answer it.",
          "Latency is the median to the first token that the statistics of the log gave an endpoint"
              + " at that moment, or that its catalog assumes; they are not changed by what would"
              + " have been sent elsewhere. Budgets and the endpoints that conversations stayed"
              + " with are not changed either.");
  private static final String CONFIG_ASSUMPTION =
      "Models, endpoints, prices and settings of plugins are those of the new configuration; the"
          + " rules of the account and its keys are those of the log.";

  private final WhatIfReport report;
  private final boolean isNewConfig;

  /**
   * @param isNewConfig whether another configuration than that of the log was used
   */
  public WhatIfView(WhatIfReport report, boolean isNewConfig) {
    this.report = report;
    this.isNewConfig = isNewConfig;
  }

  /**
   * Returns the report for people.
   *
   * @param logName the name of the log
   */
  public List<String> lines(String logName, Style style) {
    WhatIfReport.Counts counts = report.counts();
    var lines = new ArrayList<String>();
    add(lines, "", logName + ": " + Quantity.of(counts.decisions(), "decision"));
    addCount(lines, counts.unchanged(), counts, "unchanged", style::success);
    addCount(lines, counts.firstChanged(), counts, "with another first choice", style::warning);
    addCount(lines, counts.laterChanged(), counts, "with other fallbacks only", style::warning);
    if (counts.notComparable() > 0) {
      add(
          lines,
          INDENT,
          String.format(
              Locale.ROOT,
              "%,d not comparable: this program decides them differently from the log even without"
                  + " the change; see gateway replay LOG",
              counts.notComparable()));
    }
    if (counts.damaged() > 0) {
      add(lines, INDENT, Quantity.of(counts.damaged(), "place") + " of the log cannot be read");
    }
    addMoves(lines, style);
    addChanges(lines, style);
    addFigures(lines, style);
    lines.add("");
    lines.add(style.strong("What cannot be known"));
    assumptions().forEach(sentence -> addBullet(lines, sentence));
    return lines;
  }

  private List<String> assumptions() {
    var assumptions = new ArrayList<>(ASSUMPTIONS);
    if (isNewConfig) {
      assumptions.add(CONFIG_ASSUMPTION);
    }
    return assumptions;
  }

  private static void addCount(
      List<String> lines,
      long count,
      WhatIfReport.Counts counts,
      String label,
      UnaryOperator<String> color) {
    double percent = counts.compared() == 0 ? 0 : 100.0 * count / counts.compared();
    lines.add(
        INDENT
            + color.apply(String.format(Locale.ROOT, "%,d %s (%.1f %%)", count, label, percent)));
  }

  private void addMoves(List<String> lines, Style style) {
    if (report.firstChoiceChanges().isEmpty()) {
      return;
    }
    var table = new Table(">decisions", "from", "to");
    report.firstChoiceChanges().stream()
        .limit(MAX_MOVES)
        .forEach(
            move ->
                table.row(String.format(Locale.ROOT, "%,d", move.count()), move.from(), move.to()));
    lines.add("");
    lines.add(style.strong("First choices that change"));
    lines.addAll(table.lines(INDENT.length()));
    long hidden =
        report.firstChoiceChanges().stream()
                .skip(MAX_MOVES)
                .mapToLong(WhatIfReport.FirstChoiceChange::count)
                .sum()
            + report.otherFirstChoiceChanges();
    if (hidden > 0) {
      lines.add(INDENT + "and " + Quantity.of(hidden, "decision") + " of other kinds");
    }
  }

  private void addChanges(List<String> lines, Style style) {
    if (report.changedDecisions().isEmpty()) {
      return;
    }
    lines.add("");
    lines.add(style.strong("The first decisions that change"));
    for (WhatIfReport.ChangedDecision change : report.changedDecisions()) {
      add(lines, INDENT, change.id());
      add(lines, INDENT + INDENT, "then " + change.from());
      add(lines, INDENT + INDENT, "now  " + change.to());
    }
  }

  private void addFigures(List<String> lines, Style style) {
    WhatIfReport.Figures figures = report.figures();
    lines.add("");
    lines.add(style.strong("Money and latency"));
    if (figures.pricedDecisions() == 0 && figures.timedDecisions() == 0) {
      add(
          lines,
          INDENT,
          "unknown: the log has no answered decision with its usage or the speed of its endpoints");
      return;
    }
    Usd logged = figures.row(Row.LOGGED).cost();
    var table = new Table("", ">money", ">to logged", ">first token", "");
    for (Row row : figures.rows()) {
      table.row(
          row.name(),
          figures.pricedDecisions() == 0 ? "unknown" : MoneyFormat.dollars(row.cost()),
          figures.pricedDecisions() == 0 ? "" : percentChange(row.cost(), logged),
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
            + Quantity.of(figures.pricedDecisions(), "answered decision")
            + ", latency over "
            + Quantity.of(figures.timedDecisions(), "answered decision")
            + ", the same ones in every row");
  }

  private static String percentChange(Usd money, Usd logged) {
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

  private static void addBullet(List<String> lines, String sentence) {
    List<String> wrapped = Table.wrap(sentence, Table.WIDTH - 4);
    for (int i = 0; i < wrapped.size(); i++) {
      lines.add((i == 0 ? "  - " : "    ") + wrapped.get(i));
    }
  }

  private static void add(List<String> lines, String indent, String text) {
    Table.wrap(text, Table.WIDTH - indent.length()).forEach(line -> lines.add(indent + line));
  }

  /** Returns the report as one JSON object. */
  public Json.Obj toJson() {
    WhatIfReport.Counts counts = report.counts();
    WhatIfReport.Figures figures = report.figures();
    return Json.object()
        .put("decisions", counts.decisions())
        .put("unchanged", counts.unchanged())
        .put("first_changed", counts.firstChanged())
        .put("later_changed", counts.laterChanged())
        .put("not_comparable", counts.notComparable())
        .put("damaged", counts.damaged())
        .put(
            "moves",
            Json.array(report.firstChoiceChanges().stream().map(WhatIfView::toJson).toList()))
        .put("moves_left_out", report.otherFirstChoiceChanges())
        .put(
            "changes",
            Json.array(report.changedDecisions().stream().map(WhatIfView::toJson).toList()))
        .put("priced", figures.pricedDecisions())
        .put("timed", figures.timedDecisions())
        .put("figures", Json.array(figures.rows().stream().map(WhatIfView::toJson).toList()))
        .put("assumed", Json.array(assumptions().stream().<Json>map(Json::of).toList()))
        .build();
  }

  private static Json toJson(WhatIfReport.FirstChoiceChange move) {
    return Json.object()
        .put("from", move.from())
        .put("to", move.to())
        .put("decisions", move.count())
        .build();
  }

  private static Json toJson(WhatIfReport.ChangedDecision change) {
    return Json.object()
        .put("id", change.id())
        .put("from", change.from())
        .put("to", change.to())
        .build();
  }

  private static Json toJson(Row row) {
    return Json.object()
        .put("name", row.name())
        .put("money", row.cost().json())
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
