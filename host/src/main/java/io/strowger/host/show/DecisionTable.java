package io.strowger.host.show;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Formats a decision as text: what routers chose; a table of the candidates in the order they are
 * tried, with the health and outcome of each; then the dropped endpoints and why they were dropped.
 */
public final class DecisionTable {
  private static final int INDENT = 2;
  private static final String GAP = "  ";
  private static final String[] TITLES = {
    ">rank", "endpoint", ">in $/M", ">out $/M", "decided by", "what became of it"
  };

  private static final int NAME_COLUMN = 1;

  /** The minimum width of the last column. */
  private static final int MIN_OUTCOME_WIDTH = 24;

  private final DecisionView decision;
  private final int maxCandidates;
  private final int maxDropped;
  private final Map<String, Endpoint> endpoints;
  private final boolean isSingleModel;

  private DecisionTable(DecisionView decision, int maxCandidates, int maxDropped) {
    this.decision = decision;
    this.maxCandidates = maxCandidates;
    this.maxDropped = maxDropped;
    this.endpoints = decision.endpoints();
    this.isSingleModel = modelCount() == 1;
  }

  private long modelCount() {
    var models = new HashSet<String>();
    decision.candidates().forEach(candidate -> models.add(candidate.endpoint().model()));
    for (TraceEntry entry : decision.trace()) {
      if (entry instanceof TraceEntry.Excluded excluded
          && endpoints.get(excluded.endpoint()) instanceof Endpoint endpoint) {
        models.add(endpoint.model());
      }
    }
    return models.size();
  }

  /** Returns the lines for all candidates and all dropped endpoints. */
  public static List<String> full(DecisionView decision) {
    return new DecisionTable(decision, Integer.MAX_VALUE, Integer.MAX_VALUE).lines();
  }

  /** Returns the lines for the first candidates, and how many endpoints each rule dropped. */
  public static List<String> top(DecisionView decision, int candidates) {
    return new DecisionTable(decision, candidates, 0).lines();
  }

  private List<String> lines() {
    var lines = new ArrayList<String>();
    var footer = new ArrayList<String>();
    for (TraceEntry entry : decision.trace()) {
      switch (entry) {
        case TraceEntry.Routed routed -> add(lines, describe(routed));
        case TraceEntry.Narrowed(var model, var rule, var kept, var removed) ->
            add(footer, "%s: %s set %d aside and kept %d".formatted(model, rule, removed, kept));
        case TraceEntry.ExcludedCount(var rule, var count) ->
            add(footer, count + " more dropped by " + rule);
        case TraceEntry.Note(var source, var text) -> add(footer, source + ": " + text);
        case TraceEntry.Translated translated -> {}
        case TraceEntry.Stage stage -> {}
        case TraceEntry.Excluded excluded -> {}
        case TraceEntry.Ranked ranked -> {}
        case TraceEntry.Attempted attempted -> {}
        case TraceEntry.Skipped skipped -> {}
      }
    }
    lines.addAll(endpoints());
    lines.addAll(ruleCounts());
    lines.addAll(footer);
    if (decision.error() != null) {
      add(lines, "error " + decision.error().code().status() + ": " + decision.error().message());
    }
    return lines;
  }

  private static void add(List<String> lines, String text) {
    Table.wrap(text, Table.WIDTH - INDENT).forEach(line -> lines.add(" ".repeat(INDENT) + line));
  }

  private static String describe(TraceEntry.Routed routed) {
    Json.Obj data = routed.data();
    String details =
        IntStream.range(0, data.size())
            .mapToObj(
                i ->
                    data.name(i)
                        + " "
                        + (data.value(i) instanceof Json.Str text
                            ? text.text()
                            : PrettyJson.line(data.value(i))))
            .collect(Collectors.joining(", "));
    return routed.plugin()
        + (routed.model().isEmpty() ? "" : " for " + routed.model())
        + ": "
        + routed.reason()
        + (details.isEmpty() ? "" : " (" + details + ")");
  }

  private List<String> endpoints() {
    var rows = new ArrayList<String[]>();
    List<PlannedAttempt> shown = decision.candidates().stream().limit(maxCandidates).toList();
    for (PlannedAttempt candidate : shown) {
      TraceEntry.Ranked ranked = decision.ranking(candidate);
      String reason = ranked == null ? "" : CandidateSummary.rankingReason(ranked);
      String outcome = CandidateSummary.of(candidate, decision);
      rows.add(
          row(String.valueOf(rows.size()), name(candidate), candidate.endpoint(), reason, outcome));
    }
    int hidden = decision.candidates().size() - shown.size();
    if (hidden > 0) {
      rows.add(row("", "and " + hidden + " more", null, "", ""));
    }
    droppedBy().entrySet().stream()
        .limit(maxDropped)
        .forEach(
            entry ->
                rows.add(
                    row(
                        "-",
                        name(endpoints.get(entry.getKey()), entry.getKey()),
                        endpoints.get(entry.getKey()),
                        "",
                        "dropped by " + entry.getValue())));
    return rows.isEmpty() ? List.of() : table(rows).lines(INDENT);
  }

  /** Returns the rules that dropped each endpoint, by endpoint id. */
  private Map<String, String> droppedBy() {
    var rulesByEndpoint = new LinkedHashMap<String, String>();
    for (TraceEntry entry : decision.trace()) {
      if (entry instanceof TraceEntry.Excluded(var id, var rule, var reason)) {
        rulesByEndpoint.merge(id, rule + ": " + reason, (first, second) -> first + "; " + second);
      }
    }
    return rulesByEndpoint;
  }

  /** Abbreviates long names, so that the last column has its minimum width. */
  private static Table table(List<String[]> rows) {
    int otherWidths = INDENT + MIN_OUTCOME_WIDTH;
    for (int column = 0; column < TITLES.length - 1; column++) {
      otherWidths += GAP.length() + (column == NAME_COLUMN ? 0 : width(column, rows));
    }
    int nameWidth = Math.max(TITLES[NAME_COLUMN].length(), Table.WIDTH - otherWidths);
    var table = new Table(TITLES);
    for (String[] row : rows) {
      row[NAME_COLUMN] = abbreviate(row[NAME_COLUMN], nameWidth);
      table.row(row);
    }
    return table;
  }

  private static int width(int column, List<String[]> rows) {
    int width = TITLES[column].replace(">", "").length();
    for (String[] row : rows) {
      width = Math.max(width, row[column].length());
    }
    return width;
  }

  /** Replaces the middle of a long name by an ellipsis, since its ends tell more. */
  private static String abbreviate(String name, int width) {
    int end = width / 2;
    return name.length() <= width
        ? name
        : name.substring(0, width - end - 1) + "…" + name.substring(name.length() - end);
  }

  private String name(PlannedAttempt candidate) {
    String name = name(candidate.endpoint(), candidate.endpoint().id());
    return candidate.byokKey() == null ? name : name + " key " + candidate.byokKey();
  }

  /** Returns the tag alone if the decision is about one model only, else the id. */
  private String name(@Nullable Endpoint endpoint, String id) {
    return endpoint != null && isSingleModel ? endpoint.tag() : id;
  }

  private static String[] row(
      String rank, String name, @Nullable Endpoint endpoint, String reason, String outcome) {
    return new String[] {
      rank, name, price(endpoint, Price.PROMPT), price(endpoint, Price.COMPLETION), reason, outcome
    };
  }

  private static String price(@Nullable Endpoint endpoint, Price price) {
    return endpoint == null ? "" : MoneyFormat.perMillion(endpoint.pricing().price(price));
  }

  /** Returns how many endpoints each rule dropped; empty when they are shown one by one. */
  private List<String> ruleCounts() {
    if (maxDropped > 0) {
      return List.of();
    }
    var byRule = new TreeMap<String, Integer>();
    for (TraceEntry entry : decision.trace()) {
      if (entry instanceof TraceEntry.Excluded excluded) {
        byRule.merge(excluded.rule(), 1, Integer::sum);
      }
    }
    var lines = new ArrayList<String>();
    byRule.forEach((rule, count) -> add(lines, count + " dropped by " + rule));
    return lines;
  }
}
