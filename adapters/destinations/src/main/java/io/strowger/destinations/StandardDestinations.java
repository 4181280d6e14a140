package io.strowger.destinations;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.DestinationFactory;
import java.util.HashSet;
import java.util.Set;

/**
 * Creates the exporters of all seventeen destination types: resources fact sheet, section 5.
 * Stateless, safe on any thread.
 */
public final class StandardDestinations implements DestinationFactory {
  private static final Set<String> NON_OTLP_TYPES =
      Set.of("clickhouse", "datadog", "posthog", "s3", "snowflake");

  /** Creates the factory; called by {@link java.util.ServiceLoader} and by hosts. */
  public StandardDestinations() {}

  @Override
  public Set<String> types() {
    var types = new HashSet<>(NON_OTLP_TYPES);
    types.addAll(OtlpTypes.NAMES);
    return Set.copyOf(types);
  }

  @Override
  public DestinationExporter create(String type, Json.Obj config) {
    return new ContentLimitingExporter(exporter(type, new ConfigValues(config)));
  }

  private static DestinationExporter exporter(String type, ConfigValues values) {
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
