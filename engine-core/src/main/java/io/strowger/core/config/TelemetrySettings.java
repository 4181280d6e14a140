package io.strowger.core.config;

import org.jspecify.annotations.Nullable;

/**
 * What a host shows and exports of the engine itself.
 *
 * @param metrics whether metrics are served on the admin address
 * @param publicMetrics whether they are also served where clients call, for management keys
 * @param otlp where traces are sent over OTLP, an http or https address; null: nowhere. May hold a
 *     secret
 */
public record TelemetrySettings(boolean metrics, boolean publicMetrics, @Nullable String otlp) {
  static TelemetrySettings read(Section in) {
    boolean metrics = in.flag("metrics", true);
    boolean publicMetrics = in.flag("public_metrics", false);
    if (publicMetrics && !metrics) {
      in.problem("public_metrics", "must be false where metrics is");
    }
    String otlp =
        in.secret(
            "otlp",
            "must be an http or https address",
            text -> text.matches("https?://[^/\\s]+(/\\S*)?") && text.length() <= 1_000);
    return new TelemetrySettings(metrics, publicMetrics, otlp);
  }

  /** Neither says what {@link #otlp} is. */
  @Override
  public String toString() {
    return "metrics: " + metrics + ", public: " + publicMetrics + ", traces: " + (otlp != null);
  }
}
