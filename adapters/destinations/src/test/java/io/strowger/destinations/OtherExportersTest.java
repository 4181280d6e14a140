package io.strowger.destinations;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Calls are written for")
class OtherExportersTest {
  private static final String S3 =
      "{'bucketName':'traces','accessKeyId':'AK','secretAccessKey':'s3cret'%s}";
  private static final String CLICKHOUSE =
      "{'host':'http://c:8123','database':'d b','username':'u','password':'p'}";
  private static final String SNOWFLAKE = "{'account':'org-acct','token':'t0ken'}";

  private static String text(ExportRequest request) {
    return new String(request.body(), StandardCharsets.UTF_8);
  }

  private static Json.Obj at(Json.Obj json, String... path) {
    Json.Obj now = json;
    for (String name : path) {
      now = Objects.requireNonNull(now.object(name), name + " of " + json);
    }
    return now;
  }

  @Test
  @DisplayName("S3 as one file each, signed")
  void s3() {
    ExportRequest request = Traces.sent("s3", S3.formatted(",'sessionToken':'st'"));
    assertThat(request.method()).isEqualTo(Transport.Method.PUT);
    assertThat(request.uri())
        .hasToString(
            "https://traces.s3.us-east-1.amazonaws.com/router-traces/2026-11-21/"
                + Traces.TRACE_ID
                + "-1795262400123.json");
    assertThat(request.headers())
        .containsEntry("x-amz-date", "20261121T120005Z")
        .containsEntry("x-amz-security-token", "st")
        .containsEntry("x-amz-content-sha256", AwsSignature.sha256(request.body()))
        .doesNotContainKey("host");
    assertThat(request.headers().get("Authorization"))
        .startsWith("AWS4-HMAC-SHA256 Credential=AK/20261121/us-east-1/s3/aws4_request,")
        .contains(
            "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,Signature=");
    assertThat(Traces.json(request.body()).list("resourceSpans")).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ",'endpoint':'http://m:9000'|http://m:9000/traces/router-traces/2026-11-21/",
        ",'endpoint':'http://m:9000/x/','prefix':''|http://m:9000/x/traces/2026-11-21/",
        ",'region':'eu-central-1','pathTemplate':''"
            + "|https://traces.s3.eu-central-1.amazonaws.com/",
        ",'prefix':'a b','pathTemplate':'{prefix}/{year}/{month}/{day}/{apiKeyName}'"
            + "|https://traces.s3.us-east-1.amazonaws.com/a%20b/2026/11/21/my_key_1/",
        ",'pathTemplate':'../x//./{date}/'|https://traces.s3.us-east-1.amazonaws.com/x/2026-11-21/",
      })
  @DisplayName("S3 in the folder of the template, in the bucket of the host or of the path")
  void s3Paths(String more, String folder) {
    assertThat(Traces.sent("s3", S3.formatted(more)).uri())
        .hasToString(folder + Traces.TRACE_ID + "-1795262400123.json");
  }

  @Test
  @DisplayName("s3: requests are in the order of the calls, and a file has all of its calls")
  void s3Order() {
    CallTrace one = Traces.whole();
    CallTrace.Result result = one.result();
    CallTrace other =
        new CallTrace(
            "gen-2",
            one.span(),
            new CallTrace.Result(
                result.started().plusSeconds(1), -1, 0, null, null, 200, false),
            one.model(),
            one.usage(),
            null,
            one.sender(),
            one.details());
    List<ExportRequest> requests =
        Traces.exporter("s3", S3.formatted("")).export(List.of(one, one, other, one), Traces.NOW);
    assertThat(requests.stream().map(ExportRequest::calls)).containsExactly(2, 1, 1);
    assertThat(requests.get(2).uri()).isEqualTo(requests.get(0).uri());
    assertThat(requests.get(1).uri()).isNotEqualTo(requests.get(0).uri());
    assertThat(spans(requests.get(0))).isEqualTo(2);
    assertThat(spans(requests.get(1))).isEqualTo(1);
    assertThat(spans(requests.get(2))).isEqualTo(3);
  }

  private static int spans(ExportRequest request) {
    return new String(request.body(), StandardCharsets.UTF_8).split("\"spanId\"", -1).length - 1;
  }

  @Test
  @DisplayName("S3 under no name of a key that the destination is not told")
  void s3Unnamed() {
    List<ExportRequest> requests =
        Traces.exporter("s3", S3.formatted(",'pathTemplate':'{apiKeyName}'"))
            .export(List.of(Traces.bare(), Traces.whole(), Traces.whole()), Traces.NOW);
    assertThat(requests).extracting(ExportRequest::calls).containsExactly(1, 2);
    assertThat(requests.getFirst().uri().getPath()).startsWith("/unnamed/");
    ExportRequest test = Traces.exporter("s3", S3.formatted("")).test(Traces.NOW).request();
    assertThat(test.uri().getPath()).isEqualTo("/router-traces/connection-test.json");
  }

  @Test
  @DisplayName("ClickHouse as rows of its table")
  void clickHouse() {
    ExportRequest request = Traces.sent("clickhouse", CLICKHOUSE);
    assertThat(request.uri().getRawQuery())
        .startsWith("database=d%20b&query=INSERT%20INTO")
        .contains("async_insert=1&wait_for_async_insert=1");
    assertThat(URLDecoder.decode(request.uri().getRawQuery(), StandardCharsets.UTF_8))
        .contains("INSERT INTO `ROUTER_TRACES` FORMAT JSONEachRow");
    assertThat(request.headers())
        .containsEntry("X-ClickHouse-User", "u")
        .containsEntry("X-ClickHouse-Key", "p");
    String[] rows =
        text(Traces.exporter("clickhouse", CLICKHOUSE)
                .export(List.of(Traces.whole(), Traces.bare()), Traces.NOW)
                .getFirst())
            .split("\n");
    assertThat(rows).hasSize(2);
    Json.Obj row = Traces.json(rows[0].getBytes(StandardCharsets.UTF_8));
    for (String column : TraceColumns.NAMES) {
      assertThat(row.has(column)).as(column).isTrue();
    }
    assertThat(row.without("ATTRIBUTES"))
        .isEqualTo(
            Json.object()
                .putAll(
                    Traces.json(
                        """
                        {'TRACE_ID':'0af7651916cd43dd8448eb211c80319c',
                         'TIMESTAMP':'2026-11-21 12:00:00.123','STATUS':'ok',
                         'SPAN_TYPE':'GENERATION','MODEL':'acme/large-2','PROVIDER_NAME':'Alpha',
                         'USER_ID':'user-1','SESSION_ID':'session-1','API_KEY_NAME':'my key/1',
                         'PROMPT_TOKENS':10,'COMPLETION_TOKENS':5,'TOTAL_TOKENS':15,
                         'TOTAL_COST':0.0125,'DURATION_MS':1500,'FINISH_REASON':'stop'}\
                        """))
                .put("INPUT", "[{\"role\":\"user\",\"content\":\"hi\"}]")
                .put(
                    "OUTPUT",
                    "[{\"index\":0,\"finish_reason\":\"stop\","
                        + "\"message\":{\"role\":\"assistant\",\"content\":\"hello\"}}]")
                .put(
                    "METADATA",
                    "{\"team\":\"red\",\"n\":5,\"ratio\":0.5,\"hot\":true,\"none\":null,"
                        + "\"deep\":{\"a\":[1]}}")
                .put("TAGS", "[]")
                .build());
    Json.Obj failed = Traces.json(rows[1].getBytes(StandardCharsets.UTF_8));
    assertThat(failed.text("STATUS")).isEqualTo("error");
    for (String unknown :
        List.of("INPUT", "OUTPUT", "TOTAL_COST", "USER_ID", "API_KEY_NAME", "PROVIDER_NAME")) {
      assertThat(failed.get(unknown)).as(unknown).isEqualTo(Json.NULL);
    }
    DestinationExporter.ConnectionTest test =
        Traces.exporter("clickhouse", "{'host':'h.cloud','database':'d','username':'u'}")
            .test(Traces.NOW);
    assertThat(test.request().uri())
        .hasToString(
            "https://h.cloud:8443/?database=d&query=SELECT%201%20FROM%20%60ROUTER_TRACES%60%20LIMIT%200");
    assertThat(test.passesWhenBad()).isFalse();
  }

  @Test
  @DisplayName("Snowflake as one bound value, which is never part of a statement")
  void snowflake() {
    ExportRequest request = Traces.sent("snowflake", SNOWFLAKE);
    assertThat(request.uri().toString())
        .startsWith("https://org-acct.snowflakecomputing.com/api/v2/statements?requestId=")
        .endsWith("&retry=true")
        .isEqualTo(Traces.sent("snowflake", SNOWFLAKE).uri().toString());
    assertThat(request.headers())
        .containsEntry("Authorization", "Bearer t0ken")
        .containsEntry("X-Snowflake-Authorization-Token-Type", "PROGRAMMATIC_ACCESS_TOKEN");
    Json.Obj body = Traces.json(request.body());
    assertThat(body.text("statement"))
        .startsWith("INSERT INTO ROUTER_TRACES (TRACE_ID, TIMESTAMP, STATUS,")
        .endsWith("FROM TABLE(FLATTEN(INPUT => PARSE_JSON(?)))")
        .doesNotContain("acme");
    assertThat(body.text("database")).isEqualTo("SNOWFLAKE_LEARNING_DB");
    assertThat(body.text("warehouse")).isEqualTo("COMPUTE_WH");
    assertThat(at(body, "bindings", "1").text("type")).isEqualTo("TEXT");
    assertThat(at(body, "bindings", "1").text("value"))
        .startsWith("[{\"TRACE_ID\":\"" + Traces.TRACE_ID);
  }

  @Test
  @DisplayName("Datadog as spans of its LLM observability")
  void datadog() {
    ExportRequest request = Traces.sent("datadog", "{'apiKey':'k','mlApp':'bot'}");
    assertThat(request.uri())
        .hasToString("https://api.us5.datadoghq.com/api/intake/llm-obs/v1/trace/spans");
    assertThat(request.headers()).containsEntry("DD-API-KEY", "k");
    Json.Obj attributes = at(Traces.json(request.body()), "data", "attributes");
    assertThat(attributes.text("ml_app")).isEqualTo("bot");
    Json.Obj span = (Json.Obj) Objects.requireNonNull(attributes.list("spans")).get(0);
    assertThat(span.text("trace_id")).isEqualTo(Traces.TRACE_ID);
    assertThat(span.text("parent_id")).isEqualTo("00f067aa0ba902b7");
    assertThat(span.get("start_ns")).isEqualTo(Json.of(1_795_262_400_123_456_789L));
    assertThat(span.get("duration")).isEqualTo(Json.of(1_500_000_000));
    assertThat(span.text("status")).isEqualTo("ok");
    assertThat(span.text("session_id")).isEqualTo("session-1");
    assertThat(at(span, "metrics").get("input_tokens")).isEqualTo(Json.of(10));
    assertThat(at(span, "meta").text("kind")).isEqualTo("llm");
    assertThat(at(span, "meta", "metadata").text("team")).isEqualTo("red");
    assertThat(at(span, "meta", "input").get("messages"))
        .isEqualTo(Json.array(Traces.json("{'role':'user','content':'hi'}")));
    assertThat(at(span, "meta", "output").get("messages"))
        .isEqualTo(Json.array(Traces.json("{'role':'assistant','content':'hello'}")));
    assertThat(span.get("tags"))
        .isEqualTo(Json.array(Json.of("service:bot"), Json.of("user_id:user-1")));
    Json.Obj failed =
        Traces.json(
            Traces.exporter("datadog", "{'apiKey':'k','mlApp':'bot'}")
                .export(List.of(Traces.bare()), Traces.NOW)
                .getFirst()
                .body());
    assertThat(failed.toString())
        .contains("\"parent_id\":\"undefined\"")
        .contains("\"error\":{\"type\":\"provider_unavailable\"")
        .doesNotContain("messages");
  }

  @Test
  @DisplayName("PostHog as events of generations; metadata replaces nothing in them")
  void postHog() {
    ExportRequest request = Traces.sent("posthog", "{'apiKey':'phc'}");
    assertThat(request.uri()).hasToString("https://us.i.posthog.com/batch/");
    Json.Obj body = Traces.json(request.body());
    assertThat(body.text("api_key")).isEqualTo("phc");
    Json.Obj event = (Json.Obj) Objects.requireNonNull(body.list("batch")).get(0);
    assertThat(event.text("event")).isEqualTo("$ai_generation");
    assertThat(event.text("timestamp")).isEqualTo("2026-11-21T12:00:00.123456789Z");
    Json.Obj told = at(event, "properties");
    assertThat(told.text("distinct_id")).isEqualTo("user-1");
    assertThat(told.text("$ai_trace_id")).isEqualTo(Traces.TRACE_ID);
    assertThat(told.text("$ai_session_id")).isEqualTo("session-1");
    assertThat(told.text("$ai_model")).isEqualTo("acme/large-2");
    assertThat(told.get("$ai_input_tokens")).isEqualTo(Json.of(10));
    assertThat(String.valueOf(told.get("$ai_latency"))).startsWith("1.5");
    assertThat(told.get("$ai_total_cost_usd")).isEqualTo(Traces.json("{'a':0.0125}").get("a"));
    assertThat(told.get("$ai_is_error")).isEqualTo(Json.FALSE);
    assertThat(told.text("team")).isEqualTo("red");
    String failed =
        text(
            Traces.exporter("posthog", "{'apiKey':'phc'}")
                .export(List.of(Traces.bare()), Traces.NOW)
                .getFirst());
    assertThat(failed)
        .contains("\"$ai_is_error\":true")
        .contains("\"$ai_error\":\"provider_unavailable\"")
        .contains("\"$process_person_profile\":false")
        .doesNotContain("$ai_input\"")
        .doesNotContain("$ai_total_cost_usd");
  }
}
