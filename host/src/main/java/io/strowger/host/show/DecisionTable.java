package io.strowger.host.show;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A decision as a table: first the candidates in the order they are tried, with what became of each
 * when that is known, then what was dropped and why.
 */
public final class DecisionTable {
  private static final int INDENT = 2;

  private static final int WIDEST_NAME = 44;

  /** Quarters of a picodollar per token in a dollar per million tokens. */
  private static final double QUARTER_PICOS = 4e6;

  private final Decision decision;
  private final int mostCandidates;
  private final int mostDropped;
  private final Map<String, Endpoint> endpoints;
  private final boolean oneModel;

  private DecisionTable(Decision decision, int mostCandidates, int mostDropped) {
    this.decision = decision;
    this.mostCandidates = mostCandidates;
    this.mostDropped = mostDropped;
    this.endpoints = decision.endpoints();
    this.oneModel = models(decision) == 1;
  }

  private static long models(Decision decision) {
    Map<String, Endpoint> endpoints = decision.endpoints();
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

  /** Every candidate and everything that was dropped. */
  public static List<String> whole(Decision decision) {
    return new DecisionTable(decision, Integer.MAX_VALUE, Integer.MAX_VALUE).lines();
  }

  /** The first candidates only, and how many each rule dropped. */
  public static List<String> top(Decision decision, int candidates) {
    return new DecisionTable(decision, candidates, 0).lines();
  }

  private List<String> lines() {
    var lines = new ArrayList<String>();
    lines.addAll(endpoints());
    lines.addAll(counts());
    for (TraceEntry entry : decision.trace()) {
      switch (entry) {
        case TraceEntry.Narrowed(var model, var rule, var kept, var setAside) ->
            lines.add("  %s: %s set %d aside and kept %d".formatted(model, rule, setAside, kept));
        case TraceEntry.Note(var source, var text) -> lines.add("  " + source + ": " + text);
        case TraceEntry.Excluded excluded -> {}
        case TraceEntry.Ranked ranked -> {}
        case TraceEntry.Attempted attempted -> {}
        case TraceEntry.Routed routed -> {}
        case TraceEntry.Skipped skipped -> {}
      }
    }
    if (decision.error() != null) {
      String error =
          "error " + decision.error().code().status() + ": " + decision.error().message();
      Table.wrap(error, Table.WIDTH - INDENT).forEach(line -> lines.add("  " + line));
    }
    return lines;
  }

  private List<String> endpoints() {
    var table =
        new Table(">rank", "endpoint", ">in $/M", ">out $/M", ">score", "what became of it");
    Map<String, TraceEntry.Ranked> ranks = new HashMap<>();
    Map<String, TraceEntry.Attempted> attempts = new HashMap<>();
    for (TraceEntry entry : decision.trace()) {
      switch (entry) {
        case TraceEntry.Ranked ranked -> ranks.put(ranked.endpoint(), ranked);
        case TraceEntry.Attempted attempted -> attempts.put(attempted.endpoint(), attempted);
        case TraceEntry.Excluded excluded -> {}
        case TraceEntry.Narrowed narrowed -> {}
        case TraceEntry.Note note -> {}
        case TraceEntry.Routed routed -> {}
        case TraceEntry.Skipped skipped -> {}
      }
    }
    int rank = 0;
    for (Candidate candidate : decision.candidates().stream().limit(mostCandidates).toList()) {
      String id = candidate.endpoint().id();
      row(
          table,
          String.valueOf(rank),
          candidate.endpoint(),
          id,
          ranks.get(id),
          said(attempts.get(id)));
      rank++;
    }
    int more = decision.candidates().size() - rank;
    if (more > 0) {
      table.row("", "and " + more + " more", "", "", "", "");
    }
    int dropped = 0;
    for (TraceEntry entry : decision.trace()) {
      if (entry instanceof TraceEntry.Excluded(var id, var rule, var reason)
          && dropped++ < mostDropped) {
        row(table, "-", endpoints.get(id), id, null, "dropped by " + rule + ": " + reason);
      }
    }
    return table.isEmpty() ? List.of() : table.lines(INDENT);
  }

  /**
   * The tag alone where only one model is in question; never wider than leaves room for the rest.
   */
  private String name(@Nullable Endpoint endpoint, String id) {
    String name = endpoint != null && oneModel ? endpoint.tag() : id;
    int half = WIDEST_NAME / 2;
    return name.length() <= WIDEST_NAME
        ? name
        : name.substring(0, half - 1) + "…" + name.substring(name.length() - half);
  }

  private void row(
      Table table,
      String rank,
      @Nullable Endpoint endpoint,
      String id,
      TraceEntry.@Nullable Ranked ranked,
      String fate) {
    table.row(
        rank,
        name(endpoint, id),
        endpoint == null ? "" : Money.perMillion(endpoint.pricing().price(Price.PROMPT)),
        endpoint == null ? "" : Money.perMillion(endpoint.pricing().price(Price.COMPLETION)),
        ranked == null ? "" : score(ranked),
        fate);
  }

  /**
   * The blended price a candidate is drawn by, in dollars per million tokens like the prices; or
   * where the caller listed it.
   */
  private static String score(TraceEntry.Ranked ranked) {
    return ranked.by().equals("price")
        ? String.format(Locale.ROOT, "%.4f", ranked.score() / QUARTER_PICOS)
        : "listed " + (long) (ranked.score() + 1);
  }

  private static String said(TraceEntry.@Nullable Attempted attempt) {
    if (attempt == null) {
      return "";
    }
    String time = String.format(Locale.ROOT, "%.1f ms", attempt.nanos() / 1e6);
    FailureKind failure = attempt.failure();
    if (failure == null) {
      return "answered in " + time;
    }
    String status = attempt.status() == 0 ? "" : attempt.status() + " ";
    return "failed: "
        + status
        + failure.name().toLowerCase(Locale.ROOT).replace('_', ' ')
        + ", "
        + time;
  }

  /** How many each rule dropped, when they are not shown one by one. */
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
    byRule.forEach((rule, count) -> lines.add("  " + count + " dropped by " + rule));
    return lines;
  }
}
