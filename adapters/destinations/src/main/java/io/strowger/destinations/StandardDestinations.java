package io.strowger.destinations;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.DestinationFactory;
import java.util.Set;
import java.util.TreeSet;

/**
 * The exporters of all seventeen types of the resources fact sheet, section 5. Stateless, safe on
 * any thread.
 */
public final class StandardDestinations implements DestinationFactory {
  private static final Set<String> OTHERS =
      Set.of("clickhouse", "datadog", "posthog", "s3", "snowflake");

  /** For {@link java.util.ServiceLoader}, and for hosts that name it. */
  public StandardDestinations() {}

  @Override
  public Set<String> types() {
    var all = new TreeSet<>(OTHERS);
    all.addAll(OtlpTypes.NAMES);
    return Set.copyOf(all);
  }

  @Override
  public DestinationExporter create(String type, Json.Obj config) {
    var values = new ConfigValues(config);
    return switch (type) {
      case "clickhouse" -> new ClickHouseExporter(values);
      case "datadog" -> new DatadogExporter(values);
      case "posthog" -> new PostHogExporter(values);
      case "s3" -> new S3Exporter(values);
      case "snowflake" -> new SnowflakeExporter(values);
      default -> new OtlpExporter(OtlpTypes.target(type, values));
    };
  }
}
