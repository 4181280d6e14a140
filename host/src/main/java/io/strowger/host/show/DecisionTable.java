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

  private static final int NAME = 1;

  /** The minimum width of the last column. */
  private static final int MIN_FATE = 24;

  private final DecisionView decision;
  private final int mostCandidates;
  private final int mostDropped;
  private final Map<String, Endpoint> endpoints;
  private final boolean oneModel;

  private DecisionTable(DecisionView decision, int mostCandidates, int mostDropped) {
    this.decision = decision;
    this.mostCandidates = mostCandidates;
    this.mostDropped = mostDropped;
    this.endpoints = decision.endpoints();
    this.oneModel = models() == 1;
  }

  private long models() {
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
  public static List<String> whole(DecisionView decision) {
    return new DecisionTable(decision, Integer.MAX_VALUE, Integer.MAX_VALUE).lines();
  }

  /** Returns the lines for the first candidates, and how many endpoints each rule dropped. */
  public static List<String> top(DecisionView decision, int candidates) {
    return new DecisionTable(decision, candidates, 0).lines();
  }

  private List<String> lines() {
    var lines = new ArrayList<String>();
    var below = new ArrayList<String>();
    for (TraceEntry entry : decision.trace()) {
      switch (entry) {
        case TraceEntry.Routed routed -> add(lines, said(routed));
        case TraceEntry.Narrowed(var model, var rule, var kept, var setAside) ->
            add(below, "%s: %s set %d aside and kept %d".formatted(model, rule, setAside, kept));
        case TraceEntry.Counted(var rule, var more) ->
            add(below, more + " more dropped by " + rule);
        case TraceEntry.Note(var source, var text) -> add(below, source + ": " + text);
        case TraceEntry.Translated translated -> {}
        case TraceEntry.Stage stage -> {}
        case TraceEntry.Excluded excluded -> {}
        case TraceEntry.Ranked ranked -> {}
        case TraceEntry.Attempted attempted -> {}
        case TraceEntry.Skipped skipped -> {}
      }
    }
    lines.addAll(endpoints());
    lines.addAll(counts());
    lines.addAll(below);
    if (decision.error() != null) {
      add(lines, "error " + decision.error().code().status() + ": " + decision.error().message());
    }
    return lines;
  }

  private static void add(List<String> lines, String text) {
    Table.wrap(text, Table.WIDTH - INDENT).forEach(line -> lines.add(" ".repeat(INDENT) + line));
  }

  private static String said(TraceEntry.Routed routed) {
    Json.Obj data = routed.data();
    String more =
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
        + (more.isEmpty() ? "" : " (" + more + ")");
  }

  private List<String> endpoints() {
    var rows = new ArrayList<String[]>();
    List<PlannedAttempt> shown = decision.candidates().stream().limit(mostCandidates).toList();
    for (PlannedAttempt candidate : shown) {
      TraceEntry.Ranked ranked = decision.ranked(candidate);
      String by = ranked == null ? "" : CandidateSummary.by(ranked);
      String fate = CandidateSummary.of(candidate, decision);
      rows.add(row(String.valueOf(rows.size()), name(candidate), candidate.endpoint(), by, fate));
    }
    int more = decision.candidates().size() - shown.size();
    if (more > 0) {
      rows.add(row("", "and " + more + " more", null, "", ""));
    }
    dropped().entrySet().stream()
        .limit(mostDropped)
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
  private Map<String, String> dropped() {
    var dropped = new LinkedHashMap<String, String>();
    for (TraceEntry entry : decision.trace()) {
      if (entry instanceof TraceEntry.Excluded(var id, var rule, var reason)) {
        dropped.merge(id, rule + ": " + reason, (first, second) -> first + "; " + second);
      }
    }
    return dropped;
  }

  /** Abbreviates long names, so that the last column has its minimum width. */
  private static Table table(List<String[]> rows) {
    int others = INDENT + MIN_FATE;
    for (int column = 0; column < TITLES.length - 1; column++) {
      others += GAP.length() + (column == NAME ? 0 : width(column, rows));
    }
    int room = Math.max(TITLES[NAME].length(), Table.WIDTH - others);
    var table = new Table(TITLES);
    for (String[] row : rows) {
      row[NAME] = cut(row[NAME], room);
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
  private static String cut(String name, int room) {
    int end = room / 2;
    return name.length() <= room
        ? name
        : name.substring(0, room - end - 1) + "…" + name.substring(name.length() - end);
  }

  private String name(PlannedAttempt candidate) {
    String name = name(candidate.endpoint(), candidate.endpoint().id());
    return candidate.byokKey() == null ? name : name + " key " + candidate.byokKey();
  }

  /** Returns the tag alone if the decision is about one model only, else the id. */
  private String name(@Nullable Endpoint endpoint, String id) {
    return endpoint != null && oneModel ? endpoint.tag() : id;
  }

  private static String[] row(
      String rank, String name, @Nullable Endpoint endpoint, String by, String fate) {
    return new String[] {
      rank, name, price(endpoint, Price.PROMPT), price(endpoint, Price.COMPLETION), by, fate
    };
  }

  private static String price(@Nullable Endpoint endpoint, Price price) {
    return endpoint == null ? "" : MoneyFormat.perMillion(endpoint.pricing().price(price));
  }

  /** Returns how many endpoints each rule dropped; empty when they are shown one by one. */
  private List<String> counts() {
    if (mostDropped > 0) {
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
