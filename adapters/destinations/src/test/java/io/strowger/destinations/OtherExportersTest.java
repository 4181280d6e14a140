package io.strowger.destinations;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.conformance.Proves;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.net.ssl.SNIHostName;
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
    Json.Obj object = json;
    for (String name : path) {
      object = Objects.requireNonNull(object.object(name), name + " of " + json);
    }
    return object;
  }

  @Proves("resources.destination-type.s3")
  @Test
  @DisplayName("S3 as one file each, signed")
  void s3() {
    ExportRequest request =
        ExportFixtures.exportRequest("s3", S3.formatted(",'sessionToken':'st'"));
    assertThat(request.method()).isEqualTo(Transport.Method.PUT);
    assertThat(request.uri())
        .hasToString(
            "https://traces.s3.us-east-1.amazonaws.com/router-traces/2026-11-21/"
                + ExportFixtures.TRACE_ID
                + "-1795262400123-b7ad6b7169203331.json");
    assertThat(request.headers())
        .containsEntry("x-amz-date", "20261121T120005Z")
        .containsEntry("x-amz-security-token", "st")
        .containsEntry("x-amz-content-sha256", AwsSignature.sha256(request.body()))
        .doesNotContainKey("host");
    assertThat(request.headers().get("Authorization"))
        .startsWith("AWS4-HMAC-SHA256 Credential=AK/20261121/us-east-1/s3/aws4_request,")
        .contains(
            "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,Signature=");
    assertThat(ExportFixtures.json(request.body()).list("resourceSpans")).isNotNull();
  }

  @Proves("resources.destination-type.s3")
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
    assertThat(ExportFixtures.exportRequest("s3", S3.formatted(more)).uri())
        .hasToString(folder + ExportFixtures.TRACE_ID + "-1795262400123-b7ad6b7169203331.json");
  }

  @Test
  @DisplayName("S3 in the folder 'unnamed' for {apiKeyName} if the caller's identity is hidden")
  void s3Unnamed() {
    List<ExportRequest> requests =
        ExportFixtures.exporter("s3", S3.formatted(",'pathTemplate':'{apiKeyName}'"))
            .export(
                List.of(ExportFixtures.minimalCall(), ExportFixtures.completeCall()),
                ExportFixtures.NOW);
    assertThat(requests).extracting(ExportRequest::calls).containsExactly(1, 1);
    assertThat(requests.getFirst().uri().getPath()).startsWith("/unnamed/");
    ExportRequest test =
        ExportFixtures.exporter("s3", S3.formatted("")).test(ExportFixtures.NOW).request();
    assertThat(test.uri().getPath()).isEqualTo("/router-traces/connection-test.json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plain-bucket|us-east-1|https://plain-bucket.s3.us-east-1.amazonaws.com/",
        "my_bucket|us-east-1|https://s3.us-east-1.amazonaws.com/my_bucket/",
        "MyBucket|us-east-1|https://s3.us-east-1.amazonaws.com/MyBucket/",
        "my.bucket|us-east-1|https://s3.us-east-1.amazonaws.com/my.bucket/",
        "traces|cn-north-1|https://traces.s3.cn-north-1.amazonaws.com.cn/",
        "my_bucket|cn-north-1|https://s3.cn-north-1.amazonaws.com.cn/my_bucket/",
      })
  @DisplayName("S3 at a host that TLS can verify, in the domain of the region")
  void s3Hosts(String bucket, String region, String start) {
    ExportRequest request =
        ExportFixtures.exportRequest(
            "s3",
            S3.formatted(",'region':'" + region + "'").replace("'traces'", "'" + bucket + "'"));
    assertThat(request.uri().toString()).startsWith(start);
    assertThat(new SNIHostName(request.uri().getHost()).getAsciiName()).isNotEmpty();
  }

  @Test
  @DisplayName("S3 under different names, even in the same millisecond of the same trace")
  void s3Names() {
    DestinationExporter exporter = ExportFixtures.exporter("s3", S3.formatted(""));
    String one =
        exporter
            .export(List.of(ExportFixtures.completeCall()), ExportFixtures.NOW)
            .getFirst()
            .uri()
            .getPath();
    String other =
        exporter
            .export(List.of(ExportFixtures.minimalCall()), ExportFixtures.NOW)
            .getFirst()
            .uri()
            .getPath();
    String start = "/router-traces/2026-11-21/" + ExportFixtures.TRACE_ID + "-1795262400123";
    assertThat(one).startsWith(start).isNotEqualTo(other);
    assertThat(other).startsWith(start);
    assertThat(
            exporter
                .export(List.of(ExportFixtures.completeCall()), ExportFixtures.NOW)
                .getFirst()
                .uri()
                .getPath())
        .isEqualTo(one);
  }

  @Test
  @DisplayName("S3 with every x-amz- header of the config signed, and the date of the request")
  void s3SignedHeaders() {
    ExportRequest request =
        ExportFixtures.exportRequest(
            "s3",
            S3.formatted(
                ",'headers':{'X-Amz-Storage-Class':'STANDARD_IA','X-Other':'o','x-amz-date':'1'}"));
    assertThat(request.headers())
        .containsEntry("X-Amz-Storage-Class", "STANDARD_IA")
        .containsEntry("X-Other", "o")
        .containsEntry("x-amz-date", "20261121T120005Z");
    assertThat(request.headers().get("Authorization"))
        .contains(
            "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,Signature=");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "h.cloud|https://h.cloud:8443/",
        "h.cloud:9440|https://h.cloud:9440/",
        "[::1]|https://[::1]:8443/",
        "h.cloud/proxy|https://h.cloud:8443/proxy",
        "http://c|http://c/",
        "http://c:8123|http://c:8123/",
      })
  @DisplayName("ClickHouse at the port of the config, or else at that of the vendor's cloud")
  void clickHouseHosts(String host, String start) {
    assertThat(
            ExportFixtures.exportRequest("clickhouse", CLICKHOUSE.replace("http://c:8123", host))
                .uri()
                .toString())
        .startsWith(start + "?database=");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "org-my_acct|https://org-my-acct.snowflakecomputing.com/api",
        "https://org-my_acct.snowflakecomputing.com|https://org-my-acct.snowflakecomputing.com/api",
        "https://proxy.test/a_b|https://proxy.test/a_b/api",
      })
  @DisplayName("Snowflake at a host that TLS can verify")
  void snowflakeHosts(String account, String start) {
    ExportRequest request =
        ExportFixtures.exportRequest("snowflake", SNOWFLAKE.replace("org-acct", account));
    assertThat(request.uri().toString()).startsWith(start);
    assertThat(new SNIHostName(request.uri().getHost()).getAsciiName()).isNotEmpty();
  }

  @Proves("resources.destination-type.clickhouse")
  @Test
  @DisplayName("ClickHouse as rows of its table")
  void clickHouse() {
    ExportRequest request = ExportFixtures.exportRequest("clickhouse", CLICKHOUSE);
    assertThat(request.uri().getRawQuery())
        .startsWith("database=d%20b&query=INSERT%20INTO")
        .contains("async_insert=1&wait_for_async_insert=1")
        .contains("&date_time_input_format=best_effort");
    assertThat(URLDecoder.decode(request.uri().getRawQuery(), StandardCharsets.UTF_8))
        .contains("INSERT INTO `ROUTER_TRACES` FORMAT JSONEachRow");
    assertThat(request.headers())
        .containsEntry("X-ClickHouse-User", "u")
        .containsEntry("X-ClickHouse-Key", "p");
    String[] rows =
        text(ExportFixtures.exporter("clickhouse", CLICKHOUSE)
                .export(
                    List.of(ExportFixtures.completeCall(), ExportFixtures.minimalCall()),
                    ExportFixtures.NOW)
                .getFirst())
            .split("\n");
    assertThat(rows).hasSize(2);
    Json.Obj row = ExportFixtures.json(rows[0].getBytes(StandardCharsets.UTF_8));
    for (String column : TraceColumns.NAMES) {
      assertThat(row.has(column)).as(column).isTrue();
    }
    assertThat(row.without("ATTRIBUTES"))
        .isEqualTo(
            Json.object()
                .putAll(
                    ExportFixtures.json(
                        """
                        {'TRACE_ID':'0af7651916cd43dd8448eb211c80319c',
                         'TIMESTAMP':'2026-11-21T12:00:00.123Z','STATUS':'ok',
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
    Json.Obj failed = ExportFixtures.json(rows[1].getBytes(StandardCharsets.UTF_8));
    assertThat(failed.text("STATUS")).isEqualTo("error");
    for (String unknown :
        List.of("INPUT", "OUTPUT", "TOTAL_COST", "USER_ID", "API_KEY_NAME", "PROVIDER_NAME")) {
      assertThat(failed.get(unknown)).as(unknown).isEqualTo(Json.NULL);
    }
    DestinationExporter.ConnectionTest test =
        ExportFixtures.exporter("clickhouse", "{'host':'h.cloud','database':'d','username':'u'}")
            .test(ExportFixtures.NOW);
    assertThat(test.request().uri())
        .hasToString(
            "https://h.cloud:8443/?database=d&query=SELECT%201%20FROM%20%60ROUTER_TRACES%60%20LIMIT%200");
    assertThat(test.acceptsBadRequest()).isFalse();
  }

  @Proves("resources.destination-type.snowflake")
  @Test
  @DisplayName("Snowflake as one bound value, which is never part of a statement")
  void snowflake() {
    ExportRequest request = ExportFixtures.exportRequest("snowflake", SNOWFLAKE);
    assertThat(request.uri().toString())
        .startsWith("https://org-acct.snowflakecomputing.com/api/v2/statements?requestId=")
        .endsWith("&retry=true")
        .isEqualTo(ExportFixtures.exportRequest("snowflake", SNOWFLAKE).uri().toString());
    assertThat(request.headers())
        .containsEntry("Authorization", "Bearer t0ken")
        .containsEntry("X-Snowflake-Authorization-Token-Type", "PROGRAMMATIC_ACCESS_TOKEN");
    Json.Obj body = ExportFixtures.json(request.body());
    assertThat(body.text("statement"))
        .startsWith("INSERT INTO ROUTER_TRACES (TRACE_ID, TIMESTAMP, STATUS,")
        .endsWith("FROM TABLE(FLATTEN(INPUT => PARSE_JSON(?)))")
        .doesNotContain("acme");
    assertThat(body.text("database")).isEqualTo("SNOWFLAKE_LEARNING_DB");
    assertThat(body.text("warehouse")).isEqualTo("COMPUTE_WH");
    assertThat(at(body, "bindings", "1").text("type")).isEqualTo("TEXT");
    assertThat(at(body, "bindings", "1").text("value"))
        .startsWith("[{\"TRACE_ID\":\"" + ExportFixtures.TRACE_ID);
  }

  @Proves("resources.destination-type.datadog")
  @Test
  @DisplayName("Datadog as spans of its LLM observability")
  void datadog() {
    ExportRequest request = ExportFixtures.exportRequest("datadog", "{'apiKey':'k','mlApp':'bot'}");
    assertThat(request.uri())
        .hasToString("https://api.us5.datadoghq.com/api/intake/llm-obs/v1/trace/spans");
    assertThat(request.headers()).containsEntry("DD-API-KEY", "k");
    Json.Obj attributes = at(ExportFixtures.json(request.body()), "data", "attributes");
    assertThat(attributes.text("ml_app")).isEqualTo("bot");
    Json.Obj span = (Json.Obj) Objects.requireNonNull(attributes.list("spans")).get(0);
    assertThat(span.text("trace_id")).isEqualTo(ExportFixtures.TRACE_ID);
    assertThat(span.text("parent_id")).isEqualTo("00f067aa0ba902b7");
    assertThat(span.get("start_ns")).isEqualTo(Json.of(1_795_262_400_123_456_789L));
    assertThat(span.get("duration")).isEqualTo(Json.of(1_500_000_000));
    assertThat(span.text("status")).isEqualTo("ok");
    assertThat(span.text("session_id")).isEqualTo("session-1");
    assertThat(at(span, "metrics").get("input_tokens")).isEqualTo(Json.of(10));
    assertThat(at(span, "meta").text("kind")).isEqualTo("llm");
    assertThat(at(span, "meta", "metadata").text("trace.metadata.team")).isEqualTo("red");
    assertThat(at(span, "meta", "input").get("messages"))
        .isEqualTo(Json.array(ExportFixtures.json("{'role':'user','content':'hi'}")));
    assertThat(at(span, "meta", "output").get("messages"))
        .isEqualTo(Json.array(ExportFixtures.json("{'role':'assistant','content':'hello'}")));
    assertThat(span.get("tags"))
        .isEqualTo(Json.array(Json.of("service:bot"), Json.of("user_id:user-1")));
    Json.Obj failed =
        ExportFixtures.json(
            ExportFixtures.exporter("datadog", "{'apiKey':'k','mlApp':'bot'}")
                .export(List.of(ExportFixtures.minimalCall()), ExportFixtures.NOW)
                .getFirst()
                .body());
    assertThat(failed.toString())
        .contains("\"parent_id\":\"undefined\"")
        .contains("\"error\":{\"type\":\"provider_unavailable\"")
        .doesNotContain("messages");
  }

  private static Json.Obj datadogMeta(CallTrace call) {
    ExportRequest request =
        ExportFixtures.exporter("datadog", "{'apiKey':'k','mlApp':'bot'}")
            .export(List.of(call), ExportFixtures.NOW)
            .getFirst();
    Json.Obj attributes = at(ExportFixtures.json(request.body()), "data", "attributes");
    return at((Json.Obj) Objects.requireNonNull(attributes.list("spans")).get(0), "meta");
  }

  private static Json.Obj postHogEvent(CallTrace call) {
    ExportRequest request =
        ExportFixtures.exporter("posthog", "{'apiKey':'phc'}")
            .export(List.of(call), ExportFixtures.NOW)
            .getFirst();
    return (Json.Obj)
        Objects.requireNonNull(ExportFixtures.json(request.body()).list("batch")).get(0);
  }

  @Test
  @DisplayName("Datadog and PostHog with attributes that a caller's metadata cannot replace")
  void reservedMetadata() {
    CallTrace call =
        ExportFixtures.completeCall(
            "chat",
            ExportFixtures.json(
                "{'api_key_hash':'x','workspace_id':'x','distinct_id':'x','$ai_model':'x'}"),
            Json.array(),
            Json.array());
    for (Json.Obj sent :
        List.of(at(datadogMeta(call), "metadata"), at(postHogEvent(call), "properties"))) {
      assertThat(sent.text("api_key_hash")).isEqualTo("a".repeat(64));
      assertThat(sent.text("workspace_id")).isEqualTo("w");
      assertThat(sent.text("trace.metadata.api_key_hash")).isEqualTo("x");
    }
    Json.Obj properties = at(postHogEvent(call), "properties");
    assertThat(properties.text("distinct_id")).isEqualTo("user-1");
    assertThat(properties.text("$ai_model")).isEqualTo("acme/large-2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "clickhouse|{'host':'http://c:8123','database':'d','username':'u','password':'p'}",
        "datadog|{'apiKey':'k','mlApp':'bot'}",
        "langfuse|{'publicKey':'pk','secretKey':'sk'}",
        "posthog|{'apiKey':'k'}",
        "s3|{'bucketName':'traces','accessKeyId':'AK','secretAccessKey':'s'}",
        "snowflake|{'account':'org-acct','token':'t0ken'}",
        "webhook|{'url':'https://hook.test/'}",
      })
  @DisplayName("every form of destination without anything that a strict parser refuses")
  void portable(String type, String config) {
    CallTrace complete =
        ExportFixtures.completeCall(
            "chat",
            ExportFixtures.json("{'half':'a\\udc00b','pair':'\\ud83d\\ude00','n':[1e99999999999]}"),
            Json.array(ExportFixtures.json("{'role':'user','content':'x\\ud800'}")),
            Json.array());
    CallTrace call =
        new CallTrace(
            complete.id(),
            complete.span(),
            complete.result(),
            complete.model(),
            complete.usage(),
            complete.cost(),
            new CallTrace.Sender("u\ud800", "s\udfff"),
            complete.details());
    String body =
        text(
            ExportFixtures.exporter(type, config)
                .export(List.of(call), ExportFixtures.NOW)
                .getFirst());
    assertThat(body)
        .doesNotContainIgnoringCase("\\ud800", "\\udfff", "\\udc00")
        .doesNotContain("u?", "[1e99999999999]")
        .contains("1e99999999999")
        .containsPattern("\\\\+ud83d\\\\+ude00|\ud83d\ude00");
  }

  @Test
  @DisplayName("Datadog with tool calls in its own form")
  void datadogToolCalls() {
    Json.Obj message =
        ExportFixtures.json(
            "{'role':'assistant','content':'','tool_calls':[{'id':'c1','type':'function',"
                + "'function':{'name':'weather','arguments':'{\\'city\\':\\'Rome\\'}'}},"
                + "{'id':'c2','type':'function','function':{'name':'odd','arguments':'{cut'}},"
                + "{'id':'c3','type':'function','function':{'name':'none','arguments':''}}]}");
    Json.Arr expected =
        Objects.requireNonNull(
            ExportFixtures.json(
                    "{'a':[{'name':'weather','arguments':{'city':'Rome'},'tool_id':'c1',"
                        + "'type':'function'},"
                        + "{'name':'odd','arguments':{'value':'{cut'},'tool_id':'c2',"
                        + "'type':'function'},"
                        + "{'name':'none','arguments':{},'tool_id':'c3','type':'function'}]}")
                .list("a"));
    Json.Obj choice = Json.object().put("index", 0).put("message", message).build();
    Json.Obj meta =
        datadogMeta(
            ExportFixtures.completeCall(
                "chat", Json.Obj.EMPTY, Json.array(message), Json.array(choice)));
    for (String side : List.of("input", "output")) {
      Json.Arr messages = Objects.requireNonNull(at(meta, side).list("messages"));
      assertThat(((Json.Obj) messages.get(0)).get("tool_calls")).as(side).isEqualTo(expected);
    }
  }

  @Test
  @DisplayName("Datadog and PostHog as embeddings, without messages")
  void embeddings() {
    Json.Obj one = ExportFixtures.json("{'role':'user','content':'one'}");
    Json.Obj two = ExportFixtures.json("{'role':'user','content':'two'}");
    CallTrace both =
        ExportFixtures.completeCall(
            "embeddings", Json.Obj.EMPTY, Json.array(one, two), Json.array());
    Json.Obj meta = datadogMeta(both);
    assertThat(meta.text("kind")).isEqualTo("embedding");
    assertThat(meta.get("input"))
        .isEqualTo(ExportFixtures.json("{'documents':[{'text':'one'},{'text':'two'}]}"));
    assertThat(meta.toString()).doesNotContain("messages");
    Json.Obj event = postHogEvent(both);
    assertThat(event.text("event")).isEqualTo("$ai_embedding");
    Json.Obj properties = at(event, "properties");
    assertThat(properties.get("$ai_input")).isEqualTo(Json.array(Json.of("one"), Json.of("two")));
    assertThat(properties.has("$ai_output_choices")).isFalse();
    CallTrace single =
        ExportFixtures.completeCall("embeddings", Json.Obj.EMPTY, Json.array(one), Json.array());
    assertThat(at(postHogEvent(single), "properties").text("$ai_input")).isEqualTo("one");
  }

  @Proves("resources.destination-type.posthog")
  @Test
  @DisplayName("PostHog as events of generations")
  void postHog() {
    ExportRequest request = ExportFixtures.exportRequest("posthog", "{'apiKey':'phc'}");
    assertThat(request.uri()).hasToString("https://us.i.posthog.com/batch/");
    Json.Obj body = ExportFixtures.json(request.body());
    assertThat(body.text("api_key")).isEqualTo("phc");
    Json.Obj event = (Json.Obj) Objects.requireNonNull(body.list("batch")).get(0);
    assertThat(event.text("event")).isEqualTo("$ai_generation");
    assertThat(event.text("timestamp")).isEqualTo("2026-11-21T12:00:00.123456789Z");
    Json.Obj properties = at(event, "properties");
    assertThat(properties.text("distinct_id")).isEqualTo("user-1");
    assertThat(properties.text("$ai_trace_id")).isEqualTo(ExportFixtures.TRACE_ID);
    assertThat(properties.text("$ai_session_id")).isEqualTo("session-1");
    assertThat(properties.text("$ai_model")).isEqualTo("acme/large-2");
    assertThat(properties.get("$ai_input_tokens")).isEqualTo(Json.of(10));
    assertThat(String.valueOf(properties.get("$ai_latency"))).startsWith("1.5");
    assertThat(properties.get("$ai_total_cost_usd"))
        .isEqualTo(ExportFixtures.json("{'a':0.0125}").get("a"));
    assertThat(properties.get("$ai_is_error")).isEqualTo(Json.FALSE);
    assertThat(properties.text("trace.metadata.team")).isEqualTo("red");
    assertThat(properties.get("$ai_output_choices"))
        .isEqualTo(Json.array(ExportFixtures.json("{'role':'assistant','content':'hello'}")));
    String uuid = Objects.requireNonNull(event.text("uuid"));
    assertThat(UUID.fromString(uuid).version()).isEqualTo(3);
    assertThat(text(ExportFixtures.exportRequest("posthog", "{'apiKey':'phc'}"))).contains(uuid);
    String failed =
        text(
            ExportFixtures.exporter("posthog", "{'apiKey':'phc'}")
                .export(List.of(ExportFixtures.minimalCall()), ExportFixtures.NOW)
                .getFirst());
    assertThat(failed)
        .contains("\"$ai_is_error\":true")
        .contains("\"$ai_error\":\"provider_unavailable\"")
        .contains("\"$process_person_profile\":false")
        .doesNotContain("$ai_input\"")
        .doesNotContain(uuid)
        .doesNotContain("$ai_total_cost_usd");
  }
}
