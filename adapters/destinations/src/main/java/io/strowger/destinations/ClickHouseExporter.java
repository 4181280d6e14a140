package io.strowger.destinations;

import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Inserts calls into a table of ClickHouse by its HTTP interface: {@code INSERT ... FORMAT
 * JSONEachRow}. The server gathers the inserts of many, since each would be a part of the table
 * otherwise, and answers when they are written. Immutable.
 */
final class ClickHouseExporter implements DestinationExporter {
  private static final Pattern TABLE =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_]*)?");

  /** A host without a scheme is one of the vendor's cloud. */
  private static final String CLOUD_PORT = ":8443";

  private static final String SETTINGS =
      "&async_insert=1&wait_for_async_insert=1&input_format_skip_unknown_fields=1"
          + "&input_format_null_as_default=1";

  private final URI insert;
  private final URI select;
  private final Map<String, String> headers;

  ClickHouseExporter(ConfigValues config) {
    String host = config.text("host");
    URI base =
        ConfigValues.uri("host", host.contains("://") ? host : "https://" + host + CLOUD_PORT);
    String table =
        config.matching("table", TABLE, "the name of a table, a database before it or not");
    String quoted = "`" + table.replace(".", "`.`") + "`";
    insert =
        at(
            base,
            config.text("database"),
            "INSERT INTO " + quoted + " FORMAT JSONEachRow",
            SETTINGS);
    select = at(base, config.text("database"), "SELECT 1 FROM " + quoted + " LIMIT 0", "");
    headers =
        config.headers(
            Map.of(
                "X-ClickHouse-User",
                config.text("username"),
                "X-ClickHouse-Key",
                config.any("password")));
  }

  private static URI at(URI base, String database, String query, String settings) {
    String path =
        base.getRawPath() == null || base.getRawPath().isEmpty() ? "/" : base.getRawPath();
    return URI.create(
        base.getScheme()
            + "://"
            + base.getRawAuthority()
            + path
            + "?database="
            + encoded(database)
            + "&query="
            + encoded(query)
            + settings);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
    var rows = new JsonOutput(1024);
    for (CallTrace call : calls) {
      TraceColumns.row(call).writeTo(rows);
      rows.raw('\n');
    }
    return List.of(
        new ExportRequest(
            Transport.Method.POST,
            insert,
            headers,
            "application/x-ndjson",
            rows.toByteArray(),
            calls.size()));
  }

  /** Asks for no row of the table: that it is there, and may be read. */
  @Override
  public ConnectionTest test(Instant now) {
    return new ConnectionTest(
        new ExportRequest(
            Transport.Method.POST,
            select,
            ConfigValues.ofTest(headers),
            "text/plain",
            new byte[0],
            0),
        false);
  }
}
