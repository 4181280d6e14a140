package io.strowger.destinations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.strowger.core.resource.DestinationType;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("OpenTelemetry spans")
class OtlpExporterTest {
  private static final String LANGFUSE = "{'publicKey':'pk','secretKey':'sk'}";
  private static final String HOOK = "{'url':'https://hook.test/a?b=c','headers':{'X-A':'b'}}";

  private static Span binary(ExportRequest request) throws Exception {
    assertThat(request.contentType()).isEqualTo("application/x-protobuf");
    ExportTraceServiceRequest parsed = ExportTraceServiceRequest.parseFrom(request.body());
    return parsed.getResourceSpans(0).getScopeSpans(0).getSpans(0);
  }

  private static Map<String, Object> attributes(List<KeyValue> list) {
    var all = new LinkedHashMap<String, Object>();
    for (KeyValue one : list) {
      AnyValue value = one.getValue();
      all.put(
          one.getKey(),
          switch (value.getValueCase()) {
            case STRING_VALUE -> value.getStringValue();
            case INT_VALUE -> value.getIntValue();
            case DOUBLE_VALUE -> value.getDoubleValue();
            case BOOL_VALUE -> value.getBoolValue();
            case ARRAY_VALUE -> value.getArrayValue().getValues(0).getStringValue();
            default -> throw new AssertionError(value);
          });
    }
    return all;
  }

  @Proves("resources.destination.payload")
  @Test
  @DisplayName("have ids, names, times and a status")
  void span() throws Exception {
    Span span = binary(ExportFixtures.exportRequest("langfuse", LANGFUSE));
    assertThat(HexFormat.of().formatHex(span.getTraceId().toByteArray()))
        .isEqualTo(ExportFixtures.TRACE_ID);
    assertThat(HexFormat.of().formatHex(span.getSpanId().toByteArray()))
        .isEqualTo("b7ad6b7169203331");
    assertThat(HexFormat.of().formatHex(span.getParentSpanId().toByteArray()))
        .isEqualTo("00f067aa0ba902b7");
    assertThat(span.getName()).isEqualTo("answer");
    assertThat(span.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
    assertThat(span.getStartTimeUnixNano()).isEqualTo(1_795_262_400_123_456_789L);
    assertThat(span.getEndTimeUnixNano() - span.getStartTimeUnixNano()).isEqualTo(1_500_000_000L);
    assertThat(span.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_OK);
  }

  @Proves("resources.destination.payload")
  @Test
  @DisplayName("have the attributes of the contract's payload")
  void attributes() throws Exception {
    Map<String, Object> all =
        attributes(binary(ExportFixtures.exportRequest("langfuse", LANGFUSE)).getAttributesList());
    assertThat(all)
        .containsEntry("gen_ai.operation.name", "chat")
        .containsEntry("gen_ai.request.model", "acme/large")
        .containsEntry("gen_ai.response.model", "acme/large-2")
        .containsEntry("gen_ai.response.id", "gen-1")
        .containsEntry("gen_ai.provider.name", "Alpha")
        .containsEntry("gen_ai.usage.prompt_tokens", 10L)
        .containsEntry("gen_ai.usage.completion_tokens", 5L)
        .containsEntry("gen_ai.usage.total_tokens", 15L)
        .containsEntry("gen_ai.usage.cost", 0.0125)
        .containsEntry("gen_ai.response.finish_reasons", "stop")
        .containsEntry("gen_ai.response.time_to_first_chunk", 0.25)
        .containsEntry("user.id", "user-1")
        .containsEntry("session.id", "session-1")
        .containsEntry("trace.name", "job")
        .containsEntry("span.name", "step")
        .containsEntry("trace.metadata.team", "red")
        .containsEntry("trace.metadata.n", 5L)
        .containsEntry("trace.metadata.ratio", 0.5)
        .containsEntry("trace.metadata.hot", true)
        .containsEntry("trace.metadata.deep", "{\"a\":[1]}")
        .doesNotContainKey("trace.metadata.none")
        .containsEntry("strowger.api_key.name", "my key/1")
        .containsEntry("user_agent.original", "curl")
        .containsEntry("gen_ai.prompt", "[{\"role\":\"user\",\"content\":\"hi\"}]")
        .doesNotContainKeys("error.type", "input.value", "langsmith.span.kind");
    assertThat(String.valueOf(all.get("gen_ai.completion"))).contains("hello");
  }

  @Test
  @DisplayName("have every number of a caller's metadata, as text if no double can hold it")
  void numbers() throws Exception {
    CallTrace call =
        ExportFixtures.completeCall(
            "chat",
            ExportFixtures.json("{'huge':1e99999999999,'low':-1e400,'tiny':1e-99999999999}"),
            Json.array(),
            Json.array());
    ExportRequest request =
        ExportFixtures.exporter("langfuse", LANGFUSE)
            .export(List.of(call), ExportFixtures.NOW)
            .getFirst();
    assertThat(attributes(binary(request).getAttributesList()))
        .containsEntry("trace.metadata.huge", "1e99999999999")
        .containsEntry("trace.metadata.low", "-1e400")
        .containsEntry("trace.metadata.tiny", 0.0);
    ExportRequest json =
        ExportFixtures.exporter("webhook", HOOK)
            .export(List.of(call), ExportFixtures.NOW)
            .getFirst();
    assertThat(new String(json.body(), StandardCharsets.UTF_8))
        .contains(
            "{\"key\":\"trace.metadata.huge\",\"value\":{\"stringValue\":\"1e99999999999\"}}");
  }

  @Test
  @DisplayName("of a failed call have an error, and none of the hidden attributes")
  void failed() throws Exception {
    ExportRequest request =
        ExportFixtures.exporter("langfuse", LANGFUSE)
            .export(List.of(ExportFixtures.minimalCall()), ExportFixtures.NOW)
            .getFirst();
    Span span = binary(request);
    assertThat(span.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
    assertThat(span.getStatus().getMessage()).isEqualTo("provider_unavailable");
    assertThat(span.getParentSpanId().isEmpty()).isTrue();
    assertThat(attributes(span.getAttributesList()))
        .containsEntry("error.type", "provider_unavailable")
        .containsEntry("http.response.status_code", 502L)
        .doesNotContainKeys(
            "gen_ai.usage.cost",
            "user.id",
            "session.id",
            "gen_ai.prompt",
            "gen_ai.completion",
            "gen_ai.provider.name",
            "strowger.api_key.name",
            "gen_ai.response.time_to_first_chunk");
  }

  @Proves("resources.destination.payload")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "arize|{'apiKey':'k','spaceKey':'s','modelId':'m'}|https://otlp.arize.com/v1/traces"
            + "|space_id=s api_key=k arize-space-id=s arize-api-key=k",
        "braintrust|{'apiKey':'k','projectId':'p'}|https://api.braintrust.dev/otel/v1/traces"
            + "|Authorization=Bearer_k x-bt-parent=project_id:p",
        "grafana|{'apiKey':'k','instanceId':'7'}"
            + "|https://otlp-gateway-prod-us-west-0.grafana.net/otlp/v1/traces"
            + "|Authorization=Basic_Nzpr",
        "langfuse|{'publicKey':'pk','secretKey':'sk','baseUrl':'http://h:3000/x/'}"
            + "|http://h:3000/x/api/public/otel/v1/traces|Authorization=Basic_cGs6c2s=",
        "langsmith|{'apiKey':'k','workspaceId':'w'}"
            + "|https://api.smith.langchain.com/otel/v1/traces"
            + "|x-api-key=k Langsmith-Project=main X-Tenant-Id=w",
        "newrelic|{'licenseKey':'k'}|https://otlp.nr-data.net/v1/traces|api-key=k",
        "newrelic|{'licenseKey':'k','region':'eu'}|https://otlp.eu01.nr-data.net/v1/traces"
            + "|api-key=k",
        "opik|{'apiKey':'k','workspace':'w','projectName':'p'}"
            + "|https://www.comet.com/opik/api/v1/private/otel/v1/traces"
            + "|Authorization=k Comet-Workspace=w projectName=p",
        "sentry|{'otlpEndpoint':'https://o1.ingest.sentry.io/api/2/integration/otlp',"
            + "'dsn':'https://pub@o1.ingest.sentry.io/2'}"
            + "|https://o1.ingest.sentry.io/api/2/integration/otlp/v1/traces"
            + "|x-sentry-auth=sentry_sentry_key=pub",
        "weave|{'apiKey':'k','entity':'e','project':'p'}|https://trace.wandb.ai/otel/v1/traces"
            + "|Authorization=Basic_YXBpOms= project_id=e/p",
      })
  @DisplayName("go to the address of their destination type with its credential, in binary form")
  void types(String type, String config, String uri, String headers) throws Exception {
    ExportRequest request = ExportFixtures.exportRequest(type, config);
    assertThat(request.uri()).hasToString(uri);
    assertThat(request.method()).isEqualTo(Transport.Method.POST);
    for (String header : headers.split(" ")) {
      int equals = header.indexOf('=');
      assertThat(request.headers())
          .containsEntry(
              header.substring(0, equals),
              header.substring(equals + 1).replaceFirst("(Bearer|Basic|sentry)_", "$1 "));
    }
    assertThat(binary(request).getName()).isEqualTo("answer");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "otel-collector|{'endpoint':'http://c:4318'}|http://c:4318/v1/traces",
        "otel-collector|{'endpoint':'http://c:4318/'}|http://c:4318/v1/traces",
        "otel-collector|{'endpoint':'http://c:4318/v1/traces?a=b'}|http://c:4318/v1/traces?a=b",
        "ramp|{'apiKey':'k','baseUrl':'http://r/x'}|http://r/x/v1/traces",
        "webhook|{'url':'https://hook.test/a?b=c'}|https://hook.test/a?b=c",
        "webhook|{'url':'http://in_house:4318/a'}|http://in_house:4318/a",
        "webhook|{'url':'http://[::1]:4318/a'}|http://[::1]:4318/a",
        "webhook|{'url':'https://127.0.0.1'}|https://127.0.0.1",
      })
  @DisplayName("go to collectors and webhooks in JSON form")
  void jsonTypes(String type, String config, String uri) {
    ExportRequest request = ExportFixtures.exportRequest(type, config);
    assertThat(request.uri()).hasToString(uri);
    assertThat(request.contentType()).isEqualTo("application/json");
    assertThat(ExportFixtures.json(request.body()).list("resourceSpans")).isNotNull();
  }

  @Proves("resources.destination.payload")
  @Test
  @DisplayName("in JSON have hex ids, long numbers as text and enums as numbers")
  void jsonForm() {
    Json.Obj resource =
        (Json.Obj)
            Objects.requireNonNull(
                    ExportFixtures.json(ExportFixtures.exportRequest("webhook", HOOK).body())
                        .list("resourceSpans"))
                .get(0);
    assertThat(resource.get("resource"))
        .isEqualTo(
            ExportFixtures.json(
                "{'attributes':[{'key':'service.name','value':{'stringValue':'strowger'}}]}"));
    Json.Obj scope = (Json.Obj) Objects.requireNonNull(resource.list("scopeSpans")).get(0);
    Json.Obj span = (Json.Obj) Objects.requireNonNull(scope.list("spans")).get(0);
    assertThat(span.text("traceId")).isEqualTo(ExportFixtures.TRACE_ID);
    assertThat(span.text("spanId")).isEqualTo("b7ad6b7169203331");
    assertThat(span.text("startTimeUnixNano")).isEqualTo("1795262400123456789");
    assertThat(span.get("kind")).isEqualTo(Json.of(3));
    assertThat(span.get("status")).isEqualTo(ExportFixtures.json("{'code':1}"));
    assertThat(new String(span.toBytes(), StandardCharsets.UTF_8))
        .contains("{\"key\":\"gen_ai.usage.prompt_tokens\",\"value\":{\"intValue\":\"10\"}}")
        .contains("{\"key\":\"gen_ai.usage.cost\",\"value\":{\"doubleValue\":0.0125}}")
        .contains("{\"key\":\"trace.metadata.hot\",\"value\":{\"boolValue\":true}}");
  }

  @Proves("resources.destination-type.webhook")
  @Test
  @DisplayName("go to a webhook with the method and headers of its config")
  void webhook() {
    ExportRequest post = ExportFixtures.exportRequest("webhook", HOOK);
    assertThat(post.method()).isEqualTo(Transport.Method.POST);
    assertThat(post.headers()).isEqualTo(Map.of("X-A", "b"));
    assertThat(
            ExportFixtures.exportRequest("webhook", "{'url':'http://h','method':'PUT'}").method())
        .isEqualTo(Transport.Method.PUT);
  }

  @Proves("resources.destination.test")
  @Test
  @DisplayName("are tested with an empty payload, and a test header for webhooks")
  void test() {
    DestinationExporter.ConnectionTest hook =
        ExportFixtures.exporter("webhook", HOOK).test(ExportFixtures.NOW);
    assertThat(hook.acceptsBadRequest()).isTrue();
    assertThat(hook.request().headers())
        .containsEntry("X-Test-Connection", "true")
        .containsEntry("X-A", "b");
    assertThat(new String(hook.request().body(), StandardCharsets.UTF_8))
        .isEqualTo("{\"resourceSpans\":[]}");
    assertThat(hook.request().calls()).isZero();
    assertThat(
            ExportFixtures.exporter("langfuse", LANGFUSE).test(ExportFixtures.NOW).request().body())
        .isEmpty();
  }

  @Test
  @DisplayName("have additional attributes for some destinations")
  void additionalAttributes() throws Exception {
    ExportRequest arize =
        ExportFixtures.exportRequest("arize", "{'apiKey':'k','spaceKey':'s','modelId':'m'}");
    assertThat(attributes(binary(arize).getAttributesList()))
        .containsEntry("openinference.span.kind", "LLM")
        .containsEntry("llm.token_count.prompt", 10L)
        .containsKeys("input.value", "output.value");
    assertThat(
            attributes(
                ExportTraceServiceRequest.parseFrom(arize.body())
                    .getResourceSpans(0)
                    .getResource()
                    .getAttributesList()))
        .containsEntry("service.name", "strowger")
        .containsEntry("model_id", "m");
    assertThat(
            attributes(
                binary(ExportFixtures.exportRequest("langsmith", "{'apiKey':'k'}"))
                    .getAttributesList()))
        .containsEntry("langsmith.span.kind", "llm");
  }

  @Test
  @DisplayName("that a collector rejected with status 200 are counted")
  void rejected() {
    DestinationExporter langfuse = ExportFixtures.exporter("langfuse", LANGFUSE);
    byte[] answer =
        ExportTraceServiceResponse.newBuilder()
            .setPartialSuccess(ExportTracePartialSuccess.newBuilder().setRejectedSpans(3))
            .build()
            .toByteArray();
    assertThat(langfuse.rejectedCount(answer)).isEqualTo(3);
    assertThat(langfuse.rejectedCount(new byte[0])).isZero();
    assertThat(langfuse.rejectedCount("{}".getBytes(StandardCharsets.UTF_8))).isZero();
    assertThat(langfuse.rejectedCount("ok".getBytes(StandardCharsets.UTF_8))).isZero();
    assertThat(ExportFixtures.exporter("webhook", HOOK).rejectedCount(answer)).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'partialSuccess':{'rejectedSpans':'3','errorMessage':'no'}}|3",
        "{'partialSuccess':{'rejectedSpans':3}}|3",
        "{'partialSuccess':{}}|0",
        "{'partialSuccess':null}|0",
        "{'partialSuccess':{'rejectedSpans':-3}}|0",
        "{'partialSuccess':{'rejectedSpans':'many'}}|0",
        "{}|0",
        "[3]|0",
        "{'partialSuccess':{'rejectedSpans':3|0",
        "ok|0",
      })
  @DisplayName("that a collector rejected in a JSON answer are counted")
  void rejectedInJson(String answer, long rejected) {
    assertThat(
            ExportFixtures.exporter("otel-collector", "{'endpoint':'http://c:4318'}")
                .rejectedCount(answer.replace('\'', '"').getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(rejected);
  }

  @Test
  @DisplayName("and other forms cover every type of the contract")
  void complete() {
    assertThat(new StandardDestinations().types())
        .containsExactlyInAnyOrderElementsOf(DestinationType.NAMES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "webhook|{'url':'ftp://h'}|url must be",
        "webhook|{'url':'http://user:secret@h/'}|url must be",
        "webhook|{'url':'http://a b'}|url must be",
        "webhook|{'url':'http://h:1:2/'}|url must be",
        "webhook|{'url':'http://h:99999/'}|url must be",
        "webhook|{'url':'http://h:/'}|url must be",
        "webhook|{'url':'https://a_b.test/'}|url must be an https address whose host has no",
        "otel-collector|{'endpoint':'http://h:x'}|endpoint must be",
        "ramp|{'apiKey':'k'}|baseUrl is required",
        "clickhouse|{'host':'h:1:2','database':'d','username':'u'}|host must be",
        "clickhouse|{'host':'h','database':'d','username':'u','table':'t; DROP'}|table must be",
        "snowflake|{'account':'a/../b','token':'t'}|account must be",
        "snowflake|{'account':'a','token':'t','table':'t;x'}|table must be",
        "s3|{'bucketName':'abc','accessKeyId':'k','secretAccessKey':'s',"
            + "'endpoint':'http://h/?secret'}|endpoint must be",
        "s3|{'bucketName':'a/b','accessKeyId':'k','secretAccessKey':'s'}|bucketName must be",
        "s3|{'bucketName':'abc','accessKeyId':'k','secretAccessKey':'s','region':'x y'}"
            + "|region must be",
      })
  @DisplayName("are refused for an unusable config, with a message without its values")
  void unusable(String type, String config, String message) {
    assertThatThrownBy(() -> ExportFixtures.exporter(type, config))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message)
        .message()
        .doesNotContain("secret")
        .doesNotContain("DROP");
  }

  @Test
  @DisplayName("and their exporters show no secret in toString")
  void secrets() {
    assertThat(ExportFixtures.exportRequest("langsmith", "{'apiKey':'k-secret'}").toString())
        .doesNotContain("secret");
    assertThat(ExportFixtures.completeCall().toString())
        .doesNotContain("hi")
        .doesNotContain("user-1");
    assertThat(new AwsSignature("a", "secret", "r").toString()).doesNotContain("secret");
  }
}
