package io.strowger.benchmarks.report;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Rows that answer one question in one unit.
 *
 * @param id the id of the section in the page: small letters and hyphens
 * @param title the title, such as "Deciding"
 * @param question the question that the rows answer
 * @param unit the unit, such as "ns"; smaller is better, unless it is a rate, which ends in "/s"
 * @param method how it was measured, in a sentence
 * @param rows the rows, at least one
 */
record ReportSection(
    String id, String title, String question, String unit, String method, List<ReportRow> rows) {
  ReportSection {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(title, "title");
    Objects.requireNonNull(question, "question");
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(method, "method");
    rows = List.copyOf(rows);
    List<String> names = rows.stream().map(ReportRow::name).toList();
    for (ReportRow row : rows) {
      if (row.comparedWith() != null && !names.contains(row.comparedWith())) {
        throw new IllegalArgumentException(row.name() + ": there is no row " + row.comparedWith());
      }
    }
  }

  /**
   * Returns a row by its name.
   *
   * @throws IllegalArgumentException when there is none
   */
  ReportRow row(String name) {
    return rows.stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(title + " has no row " + name));
  }

  Json.Obj toJson() {
    return Json.object()
        .put("id", id)
        .put("title", title)
        .put("question", question)
        .put("unit", unit)
        .put("method", method)
        .put("rows", Json.array(rows.stream().map(ReportRow::toJson).toList()))
        .build();
  }

  static ReportSection read(Json.Obj in) {
    var rows = new ArrayList<ReportRow>();
    for (Json row : ReportData.required(in.list("rows"), "rows")) {
      rows.add(ReportRow.read((Json.Obj) row));
    }
    return new ReportSection(
        text(in, "id"),
        text(in, "title"),
        text(in, "question"),
        text(in, "unit"),
        text(in, "method"),
        rows);
  }

  private static String text(Json.Obj in, String name) {
    return ReportData.required(in.text(name), name);
  }
}
