package io.strowger.core.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings for the metrics and traces of the engine.
 *
 * @param metricsEnabled whether metrics are served on the admin address
 * @param publicMetricsEnabled whether metrics are also served on the API's address, for management
 *     keys
 * @param traces how traces are exported; null to trace nothing
 */
public record TelemetrySettings(
    boolean metricsEnabled, boolean publicMetricsEnabled, @Nullable Traces traces) {
  private static final Pattern ADDRESS = Pattern.compile("https?://[^/\\s]+(/\\S*)?");
  private static final int MAX_CHARS = 1_000;
  private static final int MAX_PORT = 65_535;

  /** Headers that the exporter sets itself. */
  private static final Set<String> RESERVED_HEADERS =
      Set.of(
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "te",
          "transfer-encoding",
          "upgrade");

  /**
   * The settings for exporting traces over OTLP.
   *
   * @param otlp the http or https address to export to, without user and fragment; may be secret
   * @param headers sent with each export; their values are secrets
   * @param sampleRatio the share of calls that are recorded, 0 to 1; a call with a parent is
   *     recorded when its parent is
   * @param followsCallers whether the {@code traceparent} of a caller is the parent of its call
   */
  public record Traces(
      String otlp, Map<String, String> headers, double sampleRatio, boolean followsCallers) {
    public Traces {
      Objects.requireNonNull(otlp, "otlp");
      headers = Map.copyOf(headers);
    }

    /** Shows neither {@link #otlp} nor the values of {@link #headers}. */
    @Override
    public String toString() {
      return "headers: %s, sample ratio: %s, follows callers: %s"
          .formatted(headers.keySet(), sampleRatio, followsCallers);
    }
  }

  static TelemetrySettings read(Section in) {
    boolean metricsEnabled = in.flag("metrics", true);
    boolean publicMetricsEnabled = in.flag("public_metrics", false);
    if (publicMetricsEnabled && !metricsEnabled) {
      in.problem("public_metrics", "must be false when metrics is false");
    }
    return new TelemetrySettings(metricsEnabled, publicMetricsEnabled, traces(in));
  }

  private static @Nullable Traces traces(Section in) {
    String otlp =
        in.secret(
            "otlp",
            "must be an http or https address without user and fragment; credentials go into"
                + " otlp_headers",
            TelemetrySettings::isAddress);
    Map<String, String> headers =
        in.section("otlp_headers", section -> ProviderReader.headers(section, RESERVED_HEADERS));
    if (!in.has("otlp") && !headers.isEmpty()) {
      in.problemWithoutValue("otlp_headers", "must be left out when otlp is left out");
    }
    Double ratio = in.number("sample_ratio", 0, 1);
    boolean followsCallers = in.flag("follow_callers", true);
    return otlp == null
        ? null
        : new Traces(otlp, headers, ratio == null ? 1 : ratio, followsCallers);
  }

  private static boolean isAddress(String text) {
    if (text.length() > MAX_CHARS || !ADDRESS.matcher(text).matches()) {
      return false;
    }
    try {
      var uri = new URI(text);
      return uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getRawFragment() == null
          && uri.getPort() <= MAX_PORT;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** Shows no secrets. */
  @Override
  public String toString() {
    return "metrics: %s, public: %s, traces: %s"
        .formatted(metricsEnabled, publicMetricsEnabled, traces);
  }
}
