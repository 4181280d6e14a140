package io.strowger.benchmarks.report;

import io.strowger.spi.json.Json;
import java.util.Objects;

/**
 * A limit of a figure, and the figure as measured.
 *
 * @param subject the unit and what is limited, such as "kB allocated per request"
 * @param figure the measured figure
 * @param most the limit
 */
record ReportLimit(String subject, double figure, double most) {
  ReportLimit {
    Objects.requireNonNull(subject, "subject");
  }

  /** Returns whether the figure exceeds the limit. */
  boolean isMissed() {
    return figure > most;
  }

  Json.Obj toJson() {
    return Json.object()
        .put("subject", subject)
        .put("figure", ReportRow.number(figure))
        .put("most", ReportRow.number(most))
        .build();
  }

  static ReportLimit read(Json.Obj in) {
    return new ReportLimit(
        ReportData.required(in.text("subject"), "subject"),
        ReportRow.number(in, "figure"),
        ReportRow.number(in, "most"));
  }
}
