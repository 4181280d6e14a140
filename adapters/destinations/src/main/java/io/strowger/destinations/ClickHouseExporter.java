package io.strowger.destinations;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Inserts calls into a table of ClickHouse by its HTTP interface: {@code INSERT ... FORMAT
 * JSONEachRow}. Inserts are asynchronous: the server collects the rows of many requests into one
 * part of the table, and answers when they are written. Immutable.
 */
final class ClickHouseExporter implements DestinationExporter {
  private static final Pattern TABLE =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_]*)?");

  /** The HTTPS port of the vendor's cloud, for a host without a scheme and without a port. */
  private static final int CLOUD_PORT = 8443;

  /** {@code best_effort} makes the server accept ISO 8601 times with a zone. */
  private static final String SETTINGS =
      "&async_insert=1&wait_for_async_insert=1&input_format_skip_unknown_fields=1"
          + "&input_format_null_as_default=1&date_time_input_format=best_effort";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final URI insertUri;
  private final URI selectUri;
  private final Map<String, String> headers;

  ClickHouseExporter(ConfigValues config) {
    URI base = baseUri(config.text("host"));
    String table =
        config.matching("table", TABLE, "the name of a table, with or without its database");
    String quoted = "`" + table.replace(".", "`.`") + "`";
    insertUri =
        queryUri(
            base,
            config.text("database"),
            "INSERT INTO " + quoted + " FORMAT JSONEachRow",
            SETTINGS);
    selectUri = queryUri(base, config.text("database"), "SELECT 1 FROM " + quoted + " LIMIT 0", "");
    headers =
        config.headers(
            Map.of(
                "X-ClickHouse-User",
                config.text("username"),
                "X-ClickHouse-Key",
                config.textOrEmpty("password")));
  }

  private static URI baseUri(String host) {
    return host.contains("://")
        ? ConfigValues.uri("host", host)
        : ConfigValues.withDefaultPort(ConfigValues.uri("host", "https://" + host), CLOUD_PORT);
  }

  private static URI queryUri(URI base, String database, String query, String settings) {
    String path =
        base.getRawPath() == null || base.getRawPath().isEmpty() ? "/" : base.getRawPath();
    return URI.create(
        base.getScheme()
            + "://"
            + base.getRawAuthority()
            + path
            + "?database="
            + encode(database)
            + "&query="
            + encode(query)
            + settings);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
    var rows = new JsonOutput(1024);
    for (CallTrace call : calls) {
      row(call).writeTo(rows);
      rows.raw('\n');
    }
    return List.of(
        new ExportRequest(
            Transport.Method.POST,
            insertUri,
            headers,
            "application/x-ndjson",
            PortableJson.repair(rows.toByteArray()),
            calls.size()));
  }

  /**
   * Returns a row whose time includes its zone, because the server interprets text without a zone
   * in the zone of the column or in its own. Epoch seconds do not work: older servers interpret a
   * JSON number as ticks of the column and refuse fractions.
   */
  private static Json.Obj row(CallTrace call) {
    return TraceColumns.row(call)
        .with("TIMESTAMP", Json.of(TIME.format(call.result().arrivedAt())));
  }

  /**
   * Returns a test that selects no row; it passes when the table exists and the user may read it.
   */
  @Override
  public ConnectionTest test(Instant now) {
    return new ConnectionTest(
        new ExportRequest(
            Transport.Method.POST,
            selectUri,
            ConfigValues.testHeaders(headers),
            "text/plain",
            new byte[0],
            0),
        false);
  }
}
