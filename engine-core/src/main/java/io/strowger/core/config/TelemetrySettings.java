package io.strowger.core.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;
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
  private static final Pattern ADDRESS = Pattern.compile("https?://[^/\\s]+(/\\S*)?");
  private static final int MOST_CHARS = 1_000;

  static TelemetrySettings read(Section in) {
    boolean metrics = in.flag("metrics", true);
    boolean publicMetrics = in.flag("public_metrics", false);
    if (publicMetrics && !metrics) {
      in.problem("public_metrics", "must be false where metrics is");
    }
    String otlp =
        in.secret("otlp", "must be an http or https address", TelemetrySettings::isAddress);
    return new TelemetrySettings(metrics, publicMetrics, otlp);
  }

  private static boolean isAddress(String text) {
    if (text.length() > MOST_CHARS || !ADDRESS.matcher(text).matches()) {
      return false;
    }
    try {
      return new URI(text).getHost() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** Neither says what {@link #otlp} is. */
  @Override
  public String toString() {
    return "metrics: " + metrics + ", public: " + publicMetrics + ", traces: " + (otlp != null);
  }
}
