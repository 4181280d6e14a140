package io.strowger.destinations;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Inserts calls into a Snowflake table through the Snowflake SQL API. All rows are one bound value,
 * an array in JSON, so that no content of a call is part of a statement. A statement that is sent
 * again keeps its request id, so that Snowflake does not run it twice. Immutable.
 */
final class SnowflakeExporter implements DestinationExporter {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]{0,254}");
  private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z0-9_.-]{1,255}");
  private static final String DOMAIN = ".snowflakecomputing.com";

  /** The address of an account under a domain of Snowflake. Groups: scheme, account, remainder. */
  private static final Pattern ADDRESS =
      Pattern.compile("(?i)(https://)([a-z0-9_.-]+)(\\.snowflakecomputing\\.(?:com|cn).*)");

  private static final String NAME_FORM =
      "a name: letters, digits, _ and $, beginning with a letter or _";
  private static final long TIMEOUT_SECONDS = 60;

  private final URI statementsUri;
  private final Map<String, String> headers;
  private final Json.Obj session;
  private final String insertStatement;
  private final String selectStatement;

  SnowflakeExporter(ConfigValues config) {
    statementsUri = ConfigValues.appendPath(baseUri(config), "/api/v2/statements");
    headers =
        config.headers(
            Map.of(
                "Authorization",
                "Bearer " + config.text("token"),
                "X-Snowflake-Authorization-Token-Type",
                "PROGRAMMATIC_ACCESS_TOKEN",
                "Accept",
                "application/json",
                "User-Agent",
                "strowger"));
    String database = config.matching("database", NAME, NAME_FORM);
    String schema = config.matching("schema", NAME, NAME_FORM);
    String table = config.matching("table", NAME, NAME_FORM);
    session =
        Json.object()
            .put("database", database)
            .put("schema", schema)
            .put("warehouse", config.matching("warehouse", NAME, NAME_FORM))
            .put("timeout", TIMEOUT_SECONDS)
            .build();
    insertStatement =
        "INSERT INTO "
            + table
            + " ("
            + String.join(", ", TraceColumns.NAMES)
            + ") SELECT "
            + TraceColumns.NAMES.stream()
                .map(SnowflakeExporter::columnExpression)
                .collect(Collectors.joining(", "))
            + " FROM TABLE(FLATTEN(INPUT => PARSE_JSON(?)))";
    selectStatement = "SELECT 1 FROM " + table + " LIMIT 0";
  }

  /**
   * Returns the base address of an account. The config gives the account's name or an address. In a
   * name, and in an address under a domain of Snowflake, underscores become hyphens, because TLS
   * refuses host names with underscores and Snowflake serves the account under both names. Any
   * other address is kept.
   */
  private static URI baseUri(ConfigValues config) {
    String account = config.text("account");
    if (!account.contains("://")) {
      String name = config.matching("account", ACCOUNT, "the name or the address of an account");
      return ConfigValues.uri("account", "https://" + name.replace('_', '-') + DOMAIN);
    }
    Matcher address = ADDRESS.matcher(account);
    return ConfigValues.uri(
        "account",
        address.matches()
            ? address.group(1) + address.group(2).replace('_', '-') + address.group(3)
            : account);
  }

  private static String columnExpression(String name) {
    return switch (name) {
      case "TIMESTAMP" -> "value:TIMESTAMP::TIMESTAMP_NTZ";
      case "PROMPT_TOKENS", "COMPLETION_TOKENS", "TOTAL_TOKENS", "DURATION_MS" ->
          "value:" + name + "::NUMBER";
      case "TOTAL_COST" -> "value:TOTAL_COST::FLOAT";
      case "INPUT", "OUTPUT", "METADATA", "ATTRIBUTES", "TAGS" ->
          "TRY_PARSE_JSON(value:" + name + "::STRING)";
      default -> "value:" + name + "::STRING";
    };
  }

  @Override
  public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
    var rows = new ArrayList<Json>();
    var ids = new StringBuilder();
    for (CallTrace call : calls) {
      rows.add(TraceColumns.row(call));
      ids.append(call.id()).append(' ');
    }
    Json.Obj binding =
        Json.object()
            .put("type", "TEXT")
            .put("value", OtlpSpans.jsonText(Json.array(rows)))
            .build();
    Json.Obj body =
        session
            .with("statement", Json.of(insertStatement))
            .with("bindings", Json.object().put("1", binding).build());
    UUID id = UUID.nameUUIDFromBytes(ids.toString().getBytes(StandardCharsets.UTF_8));
    return List.of(
        new ExportRequest(
            Transport.Method.POST,
            URI.create(statementsUri + "?requestId=" + id + "&retry=true"),
            headers,
            Transport.Request.JSON,
            PortableJson.bytes(body),
            calls.size()));
  }

  /**
   * Returns a test that selects no row; it passes when the table exists and the token may read it.
   */
  @Override
  public ConnectionTest test(Instant now) {
    return new ConnectionTest(
        new ExportRequest(
            Transport.Method.POST,
            statementsUri,
            ConfigValues.testHeaders(headers),
            Transport.Request.JSON,
            session.with("statement", Json.of(selectStatement)).toBytes(),
            0),
        false);
  }
}
