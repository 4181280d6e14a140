package io.strowger.host.cli;

import io.strowger.core.WhatIf;
import io.strowger.core.decisionlog.DecisionReplay;
import io.strowger.core.decisionlog.ReplayFinding;
import io.strowger.host.show.Quantity;
import io.strowger.host.show.Style;
import io.strowger.host.show.Table;
import io.strowger.spi.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Collects the first findings of a replay and reports its progress. */
final class ReplayReport implements DecisionReplay.Listener {
  private static final int MAX_FINDINGS = 50;

  private final Path log;
  private final WhatIf.Progress progress;
  private final List<ReplayFinding> findings = new ArrayList<>();

  /**
   * @param progress called after every decision
   */
  ReplayReport(Path log, WhatIf.Progress progress) {
    this.log = log;
    this.progress = progress;
  }

  @Override
  public void onFinding(ReplayFinding replayFinding) {
    if (findings.size() < MAX_FINDINGS) {
      findings.add(replayFinding);
    }
  }

  @Override
  public void onProgress(long decisions, long bytes) {
    progress.onProgress(decisions, bytes);
  }

  private static long findingCount(DecisionReplay.Result result) {
    return result.different() + result.incomparable() + result.damaged();
  }

  List<String> text(DecisionReplay.Result result, Style style) {
    DecisionReplay.Records records = result.records();
    var lines = new ArrayList<String>();
    add(
        lines,
        "",
        "%s: %s over %s and %s in %s"
            .formatted(
                log,
                Quantity.of(records.decisions(), "decision"),
                Quantity.of(records.catalogs(), "catalog"),
                Quantity.of(records.statistics(), "statistics snapshot"),
                Quantity.of(records.bytes(), "byte")));
    findings.forEach(replayFinding -> finding(lines, replayFinding));
    long more = findingCount(result) - findings.size();
    if (more > 0) {
      add(lines, "  ", String.format(Locale.ROOT, "and %,d more", more));
    }
    String summary = summary(result);
    lines.add(result.isClean() ? style.success(summary) : style.error(summary));
    return lines;
  }

  private static String summary(DecisionReplay.Result result) {
    return result.isClean()
        ? String.format(Locale.ROOT, "%,d identical", result.identical())
        : String.format(
            Locale.ROOT,
            "%,d identical, %,d different, %,d not comparable, %,d damaged",
            result.identical(),
            result.different(),
            result.incomparable(),
            result.damaged());
  }

  private static void finding(List<String> lines, ReplayFinding replayFinding) {
    String at = "at byte " + replayFinding.offset() + ": ";
    switch (replayFinding) {
      case ReplayFinding.Damage(var offset, var what) -> add(lines, "  ", at + what);
      case ReplayFinding.Incomparable(var offset, var id, var plugin, var recorded, var present) ->
          add(
              lines,
              "  ",
              at
                  + id
                  + " was decided with "
                  + plugin
                  + " "
                  + recorded
                  + (present == null ? ", which is not installed" : "; installed is " + present));
      case ReplayFinding.Difference(var offset, var id, var expected, var actual) -> {
        add(lines, "  ", at + id + " is decided differently");
        add(lines, "    ", "then " + expected);
        add(lines, "    ", "now  " + actual);
      }
    }
  }

  private static void add(List<String> lines, String indent, String text) {
    Table.wrap(text, Table.WIDTH - indent.length()).forEach(line -> lines.add(indent + line));
  }

  Json.Obj json(DecisionReplay.Result result) {
    DecisionReplay.Records records = result.records();
    return Json.object()
        .put("clean", result.isClean())
        .put("decisions", records.decisions())
        .put("catalogs", records.catalogs())
        .put("statistics", records.statistics())
        .put("bytes", records.bytes())
        .put("identical", result.identical())
        .put("different", result.different())
        .put("not_comparable", result.incomparable())
        .put("damaged", result.damaged())
        .put("findings", Json.array(findings.stream().map(ReplayReport::json).toList()))
        .put("findings_left_out", findingCount(result) - findings.size())
        .build();
  }

  private static Json json(ReplayFinding replayFinding) {
    Json.Obj.Builder at = Json.object().put("offset", replayFinding.offset());
    return switch (replayFinding) {
      case ReplayFinding.Damage(var offset, var what) ->
          at.put("kind", "damage").put("what", what).build();
      case ReplayFinding.Incomparable(var offset, var id, var plugin, var recorded, var present) ->
          at.put("kind", "plugin")
              .put("id", id)
              .put("plugin", plugin)
              .put("recorded", recorded)
              .putOrNull("present", present)
              .build();
      case ReplayFinding.Difference(var offset, var id, var expected, var actual) ->
          at.put("kind", "difference")
              .put("id", id)
              .put("expected", expected.toJson())
              .put("actual", actual.toJson())
              .build();
    };
  }
}
