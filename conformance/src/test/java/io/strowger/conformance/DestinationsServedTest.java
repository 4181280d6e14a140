package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.util.JsonFormat;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import io.strowger.core.Gateway;
import io.strowger.core.ambient.ForwardingAmbient;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.destinations.StandardDestinations;
import io.strowger.host.server.RunningGateway;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.http.AddressRules;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.RawUpstream;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** Tests destinations of the whole program on loopback, which here may send to 127.0.0.1 only. */
@DisplayName("Destinations of the whole program")
class DestinationsServedTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DateTimeFormatter SIGNED_AT =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  /**
   * The configuration of a destination type that accepts OTLP, and the request it is sent.
   *
   * @param config the configuration, in which HERE stands for the address of the receiver
   * @param path the path below that address
   */
  private record OtlpType(
      String config, String path, boolean isJson, Map<String, String> headers) {}

  /** The types whose address can be configured; those of newrelic and opik are fixed. */
  private static final Map<String, OtlpType> OTLP =
      Map.of(
          "arize",
          binary(
              "'apiKey':'k','spaceKey':'s','modelId':'m','baseUrl':'HERE'",
              "/v1/traces",
              Map.of("arize-space-id", "s", "arize-api-key", "k")),
          "braintrust",
          binary(
              "'apiKey':'k','projectId':'p','baseUrl':'HERE'",
              "/otel/v1/traces",
              Map.of("Authorization", "Bearer k", "x-bt-parent", "project_id:p")),
          "grafana",
          binary(
              "'apiKey':'k','instanceId':'7','baseUrl':'HERE'",
              "/otlp/v1/traces",
              Map.of("Authorization", "Basic Nzpr")),
          "langfuse",
          binary(
              "'publicKey':'pk','secretKey':'sk','baseUrl':'HERE'",
              "/api/public/otel/v1/traces",
              Map.of("Authorization", "Basic cGs6c2s=")),
          "langsmith",
          binary(
              "'apiKey':'k','workspaceId':'w','endpoint':'HERE'",
              "/otel/v1/traces",
              Map.of("x-api-key", "k", "Langsmith-Project", "main", "X-Tenant-Id", "w")),
          "otel-collector",
          new OtlpType("'endpoint':'HERE/v1/traces'", "/v1/traces", true, Map.of()),
          "ramp",
          new OtlpType(
              "'apiKey':'k','baseUrl':'HERE'",
              "/v1/traces",
              true,
              Map.of("Authorization", "Bearer k")),
          "sentry",
          binary(
              "'otlpEndpoint':'HERE','dsn':'https://pub@o1.ingest.test/2'",
              "/v1/traces",
              Map.of("x-sentry-auth", "sentry sentry_key=pub")),
          "weave",
          binary(
              "'apiKey':'k','entity':'e','project':'p','baseUrl':'HERE'",
              "/otel/v1/traces",
              Map.of("Authorization", "Basic YXBpOms=", "project_id", "e/p")),
          "webhook",
          new OtlpType("'url':'HERE/hook?key=k','method':'PUT'", "/hook?key=k", true, Map.of()));

  private final SystemAmbient ambient = new SystemAmbient();
  private final AtomicInteger busyRequests = new AtomicInteger();
  private final LinkedBlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch held = new CountDownLatch(1); // until then /held is not answered
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private SimulatedUpstream upstream;
  private HttpServer receiver;
  private @Nullable RunningGateway running;

  /** A request that the receiver got. */
  private record Received(String method, URI uri, Map<String, String> headers, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  private static OtlpType binary(String config, String path, Map<String, String> headers) {
    return new OtlpType(config, path, false, headers);
  }

  @BeforeEach
  void start() throws IOException {
    upstream = SimulatedUpstream.start(ambient);
    upstream.script("large", Script.answer("Hello from afar"));
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    receiver.setExecutor(threads);
    receiver.createContext("/", this::receive);
    receiver.start();
  }

  @AfterEach
  void stop() {
    stopped.countDown();
    held.countDown();
    if (running != null) {
      running.close();
    }
    receiver.stop(0);
    threads.close();
    upstream.close();
  }

  private void receive(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
    URI uri = exchange.getRequestURI();
    received.add(new Received(exchange.getRequestMethod(), uri, headers, body));
    int status = 200;
    if (uri.getPath().startsWith("/hang")) {
      await(stopped);
    } else if (uri.getPath().startsWith("/held")) {
      await(held);
    } else if (uri.getPath().startsWith("/fail")) {
      status = 401;
    } else if (uri.getPath().startsWith("/busy") && busyRequests.getAndIncrement() == 0) {
      exchange.getResponseHeaders().add("Retry-After", "2");
      status = 429;
    } else if (uri.getPath().startsWith("/redirect")) {
      exchange
          .getResponseHeaders()
          .add("Location", "http://127.0.0.2:" + receiver.getAddress().getPort() + "/stolen");
      status = 302;
    } else if (uri.getPath().startsWith("/moved")) {
      exchange.getResponseHeaders().add("Location", at("/stolen"));
      status = 307;
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String at(String path) {
    return "http://127.0.0.1:" + receiver.getAddress().getPort() + path;
  }

  private void serve(String... destinations) {
    running = RunningGateway.open(config(destinations), ambient);
  }

  private GatewayConfig config(String... destinations) {
    String config = Fixtures.config(upstream.baseUri().toString()).stripTrailing();
    config =
        config.substring(0, config.lastIndexOf('}'))
            + ",'store':{'secret_key':'"
            + Base64.getEncoder().encodeToString(new byte[32])
            + "'},'network':{'allow_private':['127.0.0.1']},'observability_destinations':["
            + String.join(",", destinations)
            + "]}";
    return new ConfigReader(new JacksonCodec(), name -> null)
        .read(config.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  private static String destination(String type, String config) {
    return "{'id':'%s','name':'n','type':'%s','broadcast_generation_cost':true,'config':{%s}}"
        .formatted(type + config.hashCode(), type, config);
  }

  private String send(String key, String method, String path, String body) {
    return send(running().gateway(), key, method, path, body);
  }

  private static String send(Gateway gateway, String key, String method, String path, String body) {
    WireResponse response =
        gateway
            .wire()
            .handle(
                new WireRequest(
                    method,
                    path,
                    "",
                    name -> name.equalsIgnoreCase("Authorization") ? "Bearer " + key : null,
                    new ByteArrayInputStream(
                        body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
                    new Cancellation()));
    var out = new ByteArrayOutputStream();
    try (WireBody answer = response.body()) {
      answer.transferTo(out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private void ask() {
    assertThat(send(Fixtures.APP_KEY, "POST", "/chat/completions", Fixtures.CHAT))
        .contains("Hello from afar");
  }

  private Received next() throws InterruptedException {
    return Objects.requireNonNull(received.poll(20, TimeUnit.SECONDS), "nothing was sent");
  }

  private RunningGateway running() {
    return Objects.requireNonNull(running, "nothing was started");
  }

  private DestinationCounts awaitEmptyQueue() {
    while (true) {
      DestinationCounts counts = running().gateway().destinations().getFirst();
      if (counts.queued() == 0) {
        return counts;
      }
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("are sent spans that an OTLP parser reads")
  void otlp() throws Exception {
    serve(destination("langfuse", "'publicKey':'pk','secretKey':'sk','baseUrl':'" + at("") + "'"));
    ask();
    Received sent = next();
    assertThat(sent.method()).isEqualTo("POST");
    assertThat(sent.uri()).hasToString("/api/public/otel/v1/traces");
    assertThat(sent.headers())
        .containsEntry("Authorization", "Basic cGs6c2s=")
        .containsEntry("Content-type", "application/x-protobuf");
    var span =
        ExportTraceServiceRequest.parseFrom(sent.body())
            .getResourceSpans(0)
            .getScopeSpans(0)
            .getSpans(0);
    assertThat(span.getName()).isEqualTo("acme/large");
    assertThat(span.toString()).contains("Hello from afar").contains("gen_ai.usage.cost");
    assertThat(awaitEmptyQueue().delivered()).isEqualTo(1);
  }

  @Proves({
    "resources.destination-type.arize",
    "resources.destination-type.braintrust",
    "resources.destination-type.grafana",
    "resources.destination-type.langfuse",
    "resources.destination-type.langsmith",
    "resources.destination-type.otel-collector",
    "resources.destination-type.ramp",
    "resources.destination-type.sentry",
    "resources.destination-type.weave",
    "resources.destination-type.webhook"
  })
  @Test
  @DisplayName(
      "that accept OTLP receive spans in their format, at their path, with their credential")
  void otlpTypes() throws Exception {
    var destinations = new ArrayList<String>();
    OTLP.forEach(
        (type, expected) ->
            destinations.add(destination(type, expected.config().replace("HERE", at("/" + type)))));
    serve(destinations.toArray(String[]::new));
    ask();
    var types = new HashSet<String>();
    for (int i = 0; i < OTLP.size(); i++) {
      Received sent = next();
      String type = sent.uri().getPath().split("/")[1];
      types.add(type);
      OtlpType expected = Objects.requireNonNull(OTLP.get(type), type);
      assertThat(sent.uri()).as(type).hasToString("/" + type + expected.path());
      assertThat(sent.method()).as(type).isEqualTo(type.equals("webhook") ? "PUT" : "POST");
      expected.headers().forEach((name, value) -> assertHeader(sent, name, value));
      assertHeader(
          sent, "Content-Type", expected.isJson() ? "application/json" : "application/x-protobuf");
      assertSpan(type, sent, expected.isJson());
    }
    assertThat(types).isEqualTo(OTLP.keySet());
  }

  /** Asserts that what was sent is an OTLP request with one span. */
  private static void assertSpan(String type, Received sent, boolean isJson) throws IOException {
    ExportTraceServiceRequest request =
        isJson ? otlpOfJson(sent.body()) : ExportTraceServiceRequest.parseFrom(sent.body());
    assertThat(request.getUnknownFields().asMap()).as(type).isEmpty();
    assertThat(request.getResourceSpansList()).as(type).hasSize(1);
    Span span = request.getResourceSpans(0).getScopeSpans(0).getSpans(0);
    assertThat(span.getName()).as(type).isEqualTo("acme/large");
    assertThat(span.getTraceId().size()).as(type).isEqualTo(16);
    assertThat(span.getSpanId().size()).as(type).isEqualTo(8);
    assertThat(span.getEndTimeUnixNano()).as(type).isGreaterThan(span.getStartTimeUnixNano());
    assertThat(span.toString()).as(type).contains("Hello from afar");
  }

  /** Reads OTLP in JSON, which has ids in hex digits where protocol buffers have base64. */
  private static ExportTraceServiceRequest otlpOfJson(byte[] body) throws IOException {
    JsonNode json = JSON.readTree(body);
    for (JsonNode found : json.findParents("traceId")) {
      var span = (ObjectNode) found;
      for (String name : List.of("traceId", "spanId", "parentSpanId")) {
        if (span.has(name)) {
          byte[] id = HexFormat.of().parseHex(span.get(name).asText());
          span.put(name, Base64.getEncoder().encodeToString(id));
        }
      }
    }
    var request = ExportTraceServiceRequest.newBuilder();
    JsonFormat.parser().merge(json.toString(), request);
    return request.build();
  }

  private static void assertHeader(Received sent, String name, String value) {
    assertThat(sent.headers().get(name)).as(name + " of " + sent.uri()).isEqualTo(value);
  }

  @Proves("resources.destination-type.clickhouse")
  @Test
  @DisplayName("of ClickHouse receive rows that fit the documented table")
  void clickHouse() throws Exception {
    serve(clickHouse("/held", ",'broadcast_generation_cost':true"));
    ask();
    List<JsonNode> first = rows(next());
    ask();
    askInVain();
    awaitQueued(3); // the last two wait until the first request is answered
    held.countDown();
    List<JsonNode> others = rows(next());
    assertThat(first).hasSize(1);
    assertThat(others).hasSize(2);
    for (JsonNode row : List.of(first.getFirst(), others.getFirst())) {
      assertThat(row.get("STATUS").asText()).isEqualTo("ok");
      assertThat(row.get("TOTAL_COST").isNumber()).isTrue();
      assertThat(row.get("OUTPUT").asText()).contains("Hello from afar");
      assertThat(nullColumns(row)).containsExactly("USER_ID", "SESSION_ID", "API_KEY_NAME");
    }
    JsonNode failed = others.getLast();
    assertThat(failed.get("STATUS").asText()).isEqualTo("error");
    assertThat(failed.get("FINISH_REASON").asText()).isEqualTo("error");
    assertThat(failed.get("COMPLETION_TOKENS").asInt()).isZero();
    assertThat(failed.get("OUTPUT").asText()).isEqualTo("[]");
    assertThat(nullColumns(failed))
        .containsExactly("PROVIDER_NAME", "USER_ID", "SESSION_ID", "API_KEY_NAME");
  }

  @Proves("resources.destination-type.clickhouse")
  @Test
  @DisplayName("of ClickHouse receive NULL for everything that a row may not show")
  void clickHouseNulls() throws Exception {
    serve(clickHouse("/", ",'privacy_mode':true"));
    askInVain();
    List<JsonNode> rows = rows(next());
    assertThat(rows).hasSize(1);
    assertThat(nullColumns(rows.getFirst()))
        .containsExactly(
            "PROVIDER_NAME",
            "USER_ID",
            "SESSION_ID",
            "API_KEY_NAME",
            "TOTAL_COST",
            "INPUT",
            "OUTPUT");
  }

  /**
   * Returns a destination of ClickHouse.
   *
   * @param members further members of the destination
   */
  private String clickHouse(String path, String members) {
    return ("{'id':'clickhouse','name':'n','type':'clickhouse',"
            + "'config':{'host':'%s','database':'d','username':'u','password':'p','table':'t'}%s}")
        .formatted(at(path), members);
  }

  /** Sends a request that fails. */
  private void askInVain() {
    upstream.script("large", Script.status(400));
    assertThat(send(Fixtures.APP_KEY, "POST", "/chat/completions", Fixtures.CHAT))
        .contains("\"error\"");
  }

  private void awaitQueued(int calls) {
    while (running().gateway().destinations().getFirst().queued() < calls) {
      Thread.onSpinWait();
    }
  }

  /** Returns the rows of a request to insert into ClickHouse, which fit the documented table. */
  private static List<JsonNode> rows(Received sent) throws IOException {
    assertThat(sent.uri().getQuery())
        .contains("database=d")
        .contains("query=INSERT INTO `t` FORMAT JSONEachRow");
    assertHeader(sent, "X-ClickHouse-User", "u");
    assertHeader(sent, "X-ClickHouse-Key", "p");
    Map<String, String> columns = documentedColumns();
    var rows = new ArrayList<JsonNode>();
    for (String line : sent.text().split("\n")) {
      JsonNode row = JSON.readTree(line);
      assertThat(row.fieldNames()).toIterable().containsExactlyElementsOf(columns.keySet());
      columns.forEach((name, type) -> assertFits(name, type, row.get(name)));
      assertThat(row.get("MODEL").asText()).isEqualTo("acme/large");
      rows.add(row);
    }
    return rows;
  }

  private static List<String> nullColumns(JsonNode row) {
    return row.properties().stream()
        .filter(column -> column.getValue().isNull())
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Returns the columns of the table that {@code operating.md} tells users to create, with their
   * types.
   */
  private static Map<String, String> documentedColumns() throws IOException {
    String page = Files.readString(Modules.root().resolve("docs/operating.md"));
    int start = page.indexOf("CREATE TABLE ROUTER_TRACES (");
    String table = page.substring(page.indexOf('(', start) + 1, page.indexOf(") ENGINE", start));
    var columns = new LinkedHashMap<String, String>();
    Matcher column = Pattern.compile("([A-Z_]+) ([A-Za-z0-9]+(?:\\([^)]*\\))?)").matcher(table);
    while (column.find()) {
      columns.put(column.group(1), column.group(2));
    }
    assertThat(columns).hasSize(20).containsEntry("TOTAL_COST", "Nullable(Float64)");
    return columns;
  }

  /** Asserts that ClickHouse accepts a value in JSONEachRow for a column of a type. */
  private static void assertFits(String name, String type, JsonNode value) {
    boolean fits =
        switch (type) {
          case "UInt64" -> value.isIntegralNumber() && value.asLong() >= 0;
          case "Nullable(Float64)" -> value.isNumber() || value.isNull();
          case "Nullable(String)" -> value.isTextual() || value.isNull();
          case "String", "LowCardinality(String)" -> value.isTextual();
          case "DateTime64(3, 'UTC')" -> Instant.parse(value.asText()).isAfter(Instant.EPOCH);
          default -> false;
        };
    assertThat(fits).as(name + " " + type + ": " + value).isTrue();
  }

  @Proves("resources.destination-type.s3")
  @Test
  @DisplayName("of S3 receive files with the signature that the vendor's library computes")
  void s3() throws Exception {
    serve(
        destination(
            "s3",
            "'bucketName':'bucket','accessKeyId':'AK','secretAccessKey':'s3cret',"
                + "'sessionToken':'st','prefix':'a b+c','endpoint':'"
                + at("")
                + "'"));
    ask();
    Received sent = next();
    assertThat(sent.method()).isEqualTo("PUT");
    assertThat(sent.uri().toString()).startsWith("/bucket/a%20b%2Bc/").endsWith(".json");
    assertThat(JSON.readTree(sent.body()).at("/resourceSpans/0").isObject()).isTrue();
    assertSignature(sent, URI.create(at("") + sent.uri()), "st");
  }

  /**
   * Asserts that the vendor's library computes the signature that a request has.
   *
   * @param uri the address that the request was made for
   * @param token null for none
   */
  private static void assertSignature(Received sent, URI uri, @Nullable String token) {
    String authorization = Objects.requireNonNull(sent.headers().get("Authorization"));
    Matcher signedHeaders = Pattern.compile("SignedHeaders=([^,]+),").matcher(authorization);
    assertThat(signedHeaders.find()).as(authorization).isTrue();
    var request = SdkHttpRequest.builder().method(SdkHttpMethod.PUT).uri(uri);
    for (String name : signedHeaders.group(1).split(";")) {
      request.putHeader(
          name,
          name.equals("host")
              ? uri.getRawAuthority()
              : Objects.requireNonNull(sent.headers().get(name), name));
    }
    Instant signedAt = SIGNED_AT.parse(sent.headers().get("X-Amz-Date"), Instant::from);
    AwsCredentialsIdentity identity =
        token == null
            ? AwsCredentialsIdentity.create("AK", "s3cret")
            : AwsSessionCredentialsIdentity.create("AK", "s3cret", token);
    String expected =
        AwsV4HttpSigner.create()
            .sign(
                parameters ->
                    parameters
                        .identity(identity)
                        .request(request.build())
                        .payload(ContentStreamProvider.fromByteArray(sent.body()))
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                        .putProperty(
                            HttpSigner.SIGNING_CLOCK, Clock.fixed(signedAt, ZoneOffset.UTC)))
            .request()
            .firstMatchingHeader("Authorization")
            .orElseThrow();
    assertThat(authorization.replaceAll(", *", ", ")).isEqualTo(expected.replaceAll(", *", ", "));
  }

  /** Sends every request to the receiver instead, with the original address in a header. */
  private final class RedirectingTransport implements Transport {
    private final ApacheTransport transport = new ApacheTransport();

    @Override
    public Response send(Request request) throws IOException {
      var headers = new HashMap<>(request.headers());
      headers.put("X-Meant-For", request.uri().toString());
      return transport.send(
          new Request(
              request.method(),
              URI.create(at(request.uri().getRawPath())),
              headers,
              request.contentType(),
              request.body(),
              request.connectTimeout(),
              request.readTimeout(),
              request.poolKey(),
              request.cancellation()));
    }

    @Override
    public void close() {
      transport.close();
    }
  }

  @Proves({
    "resources.destination-type.newrelic",
    "resources.destination-type.opik",
    "resources.destination-type.s3"
  })
  @Test
  @DisplayName("with a fixed address are sent spans and files over HTTP in the same way")
  void fixedAddresses() throws Exception {
    GatewayConfig config =
        config(
            destination("newrelic", "'licenseKey':'k'"),
            destination("opik", "'apiKey':'k','workspace':'w','projectName':'p'"),
            destination(
                "s3", "'bucketName':'bucket','accessKeyId':'AK','secretAccessKey':'s3cret'"));
    try (var upstreams = new ApacheTransport();
        var transport = new RedirectingTransport();
        Gateway gateway =
            Gateway.builder(config)
                .ambient(ambient)
                .provider(new OpenAiChatFactory(upstreams))
                .destinations(transport, List.of(new StandardDestinations()))
                .build()) {
      assertThat(send(gateway, Fixtures.APP_KEY, "POST", "/chat/completions", Fixtures.CHAT))
          .contains("Hello from afar");
      var hosts = new HashSet<String>();
      for (int i = 0; i < 3; i++) {
        Received sent = next();
        URI meantFor = URI.create(Objects.requireNonNull(sent.headers().get("X-Meant-For")));
        hosts.add(meantFor.getScheme() + "://" + meantFor.getHost());
        switch (meantFor.getHost()) {
          case "otlp.nr-data.net" -> {
            assertHeader(sent, "api-key", "k");
            assertThat(meantFor.getPath()).isEqualTo("/v1/traces");
            assertSpan("newrelic", sent, false);
          }
          case "www.comet.com" -> {
            assertHeader(sent, "Comet-Workspace", "w");
            assertThat(meantFor.getPath()).isEqualTo("/opik/api/v1/private/otel/v1/traces");
            assertSpan("opik", sent, false);
          }
          default -> assertSignature(sent, meantFor, null);
        }
      }
      assertThat(hosts)
          .containsExactlyInAnyOrder(
              "https://otlp.nr-data.net",
              "https://www.comet.com",
              "https://bucket.s3.us-east-1.amazonaws.com");
    }
  }

  @Proves("resources.destination.trace")
  @Test
  @DisplayName("are sent neither images nor audio of an answer")
  void strippedAnswer() throws InterruptedException {
    upstream.script(
        "large",
        Script.builder()
            .text("Hello from afar")
            .extras(
                Json.object()
                    .put("images", Json.array(Json.of("data:image/png;base64,iVBORw0KGgo")))
                    .put("audio", Json.object().put("data", Json.of("UklGRsound")).build())
                    .build())
            .build());
    serve(destination("webhook", "'url':'" + at("/hook") + "'"));
    assertThat(send(Fixtures.APP_KEY, "POST", "/chat/completions", Fixtures.CHAT))
        .contains("iVBORw0KGgo", "UklGRsound");
    assertThat(next().text())
        .contains("Hello from afar")
        .doesNotContain("iVBORw0KGgo")
        .doesNotContain("UklGRsound");
  }

  @Proves({
    "resources.destination-type.snowflake",
    "resources.destination-type.datadog",
    "resources.destination-type.posthog"
  })
  @Test
  @DisplayName("with a format of their own receive calls in that format")
  void otherForms() throws Exception {
    serve(
        destination("snowflake", "'account':'" + at("/snowflake") + "','token':'t'"),
        destination("datadog", "'apiKey':'k','mlApp':'bot','url':'" + at("/datadog") + "'"),
        destination("posthog", "'apiKey':'phc','endpoint':'" + at("/posthog") + "'"));
    ask();
    var received = new HashMap<String, Received>();
    for (int i = 0; i < 3; i++) {
      Received sent = next();
      received.put(sent.uri().getPath(), sent);
    }
    assertThat(received)
        .containsOnlyKeys(
            "/snowflake/api/v2/statements",
            "/datadog/api/intake/llm-obs/v1/trace/spans",
            "/posthog/batch/");
    JsonNode statement =
        sent(received, "/snowflake/api/v2/statements", "Authorization", "Bearer t");
    assertThat(statement.at("/statement").asText()).startsWith("INSERT INTO ");
    JsonNode rows = JSON.readTree(statement.at("/bindings/1/value").asText());
    assertThat(rows.at("/0/OUTPUT").asText()).contains("Hello from afar");
    JsonNode span =
        sent(received, "/datadog/api/intake/llm-obs/v1/trace/spans", "DD-API-KEY", "k")
            .at("/data/attributes/spans/0");
    assertThat(span.at("/meta/output/messages/0/content").asText()).isEqualTo("Hello from afar");
    JsonNode batch = sent(received, "/posthog/batch/", "Content-Type", "application/json");
    assertThat(batch.at("/api_key").asText()).isEqualTo("phc");
    assertThat(batch.at("/batch/0/event").asText()).isEqualTo("$ai_generation");
    assertThat(batch.at("/batch/0/properties/$ai_output_choices").toString())
        .contains("Hello from afar");
  }

  private static JsonNode sent(
      Map<String, Received> received, String path, String header, String value) throws IOException {
    Received sent = Objects.requireNonNull(received.get(path), path);
    assertHeader(sent, header, value);
    return JSON.readTree(sent.body());
  }

  /** A pause of the delivering thread, and how many requests the receiver had got before it. */
  private record Pause(Duration length, int requests) {}

  /**
   * The system's ambient, except that long pauses of the thread that delivers calls are recorded
   * and over at once.
   */
  private final class ImpatientAmbient extends ForwardingAmbient {
    private final Queue<Pause> pauses = new ConcurrentLinkedQueue<>();

    private ImpatientAmbient() {
      super(ambient);
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
      if (time.compareTo(Duration.ofSeconds(1)) >= 0
          && Thread.currentThread().getName().equals("destination-delivery")) {
        pauses.add(new Pause(time, busyRequests.get()));
      } else {
        super.sleep(time);
      }
    }
  }

  @Test
  @DisplayName("that are busy are sent a call a second time after their Retry-After")
  void busy() throws InterruptedException {
    var impatient = new ImpatientAmbient();
    running =
        RunningGateway.open(
            config(destination("webhook", "'url':'" + at("/busy") + "'")), impatient);
    ask();
    assertThat(next().text()).contains("Hello from afar");
    assertThat(next().text()).contains("Hello from afar");
    assertThat(impatient.pauses).containsExactly(new Pause(Duration.ofSeconds(2), 1));
    DestinationCounts counts = awaitEmptyQueue();
    assertThat(counts.delivered()).isEqualTo(1);
    assertThat(counts.failures()).isEqualTo(1);
    assertThat(counts.failing()).isFalse();
    assertThat(received).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"head", "body"})
  @DisplayName("that answer without end are cut off")
  void endless(String part) throws InterruptedException {
    TestAmbient attackers = TestAmbient.realTime();
    var hungUp = new CountDownLatch(1);
    try (RawUpstream attacker =
        RawUpstream.start(
            attackers,
            false,
            connection -> {
              connection.readRequest();
              if (connection.number() > 1) {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                return;
              }
              try {
                connection.write("HTTP/1.1 200 OK\r\n" + (part.equals("head") ? "" : "\r\n"));
                while (true) {
                  connection.write("X-Filler: " + "x".repeat(1_000) + "\r\n");
                }
              } catch (IOException e) {
                hungUp.countDown();
              }
            })) {
      running =
          RunningGateway.open(
              config(destination("webhook", "'url':'" + attacker.baseUri() + "'")),
              new ImpatientAmbient());
      ask();
      assertThat(hungUp.await(20, TimeUnit.SECONDS)).isTrue();
      DestinationCounts counts = awaitEmptyQueue();
      assertThat(counts.delivered()).isEqualTo(1);
      assertThat(counts.failures()).isEqualTo(part.equals("head") ? 1 : 0);
      assertThat(attacker.connections()).isEqualTo(part.equals("head") ? 2 : 1);
    }
    attackers.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("that hang delay no call, and the program still stops in time")
  void hangs() throws InterruptedException {
    serve(destination("webhook", "'url':'" + at("/hang") + "'"));
    for (int i = 0; i < 20; i++) {
      ask();
    }
    next();
    assertThat(running().gateway().destinations().getFirst().queued()).isEqualTo(20);
    RunningGateway closing = running();
    running = null;
    closing.close();
    DestinationCounts counts = closing.gateway().destinations().getFirst();
    assertThat(counts.queued()).isZero();
    assertThat(counts.droppedFailed()).isEqualTo(20);
  }

  @Test
  @DisplayName("that refuse or redirect lose their calls; no redirect is followed")
  void refuses() throws Exception {
    int port = receiver.getAddress().getPort();
    HttpServer elsewhere =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), port), 0);
    elsewhere.createContext("/", this::receive);
    elsewhere.start();
    try {
      serve(
          destination("webhook", "'url':'" + at("/redirect") + "'"),
          destination("webhook", "'url':'" + at("/moved") + "'"),
          destination("webhook", "'url':'" + at("/fail") + "'"));
      ask();
      assertThat(List.of(next().uri().getPath(), next().uri().getPath(), next().uri().getPath()))
          .containsExactlyInAnyOrder("/redirect", "/moved", "/fail");
      assertNothingFollows();
    } finally {
      elsewhere.stop(0);
    }
  }

  private void assertNothingFollows() {
    while (running().gateway().destinations().stream().anyMatch(one -> one.queued() > 0)) {
      Thread.onSpinWait();
    }
    assertThat(running().gateway().destinations())
        .allMatch(counts -> counts.droppedRefused() == 1 && counts.failing());
    assertThat(received).isEmpty();
  }

  @Test
  @DisplayName("at private addresses or with an untrusted certificate are sent nothing")
  void unreachable() {
    TestAmbient secured = TestAmbient.realTime();
    serve();
    try (RawUpstream impostor =
        RawUpstream.start(
            secured, true, connection -> received.add(receivedHead(connection.readHead())))) {
      String elsewhere = "http://127.0.0.2:" + receiver.getAddress().getPort() + "/?key=k-secret";
      assertThat(failedConnection(elsewhere)).contains("network rules").doesNotContain("secret");
      assertThat(failedConnection("http://169.254.169.254/latest")).contains("network rules");
      assertThat(failedConnection("http://127.0.0.1.nip.invalid/")).contains("no answer");
      assertThat(failedConnection(impostor.baseUri().toString()))
          .contains("no answer (SSLHandshakeException)");
      ask();
      running().close();
      assertThat(running().gateway().destinations())
          .hasSize(4)
          .allMatch(counts -> counts.delivered() == 0 && counts.droppedFailed() == 1);
      running = null;
    } finally {
      secured.assertNoThreadsLeft();
    }
    assertThat(received).isEmpty();
  }

  @Test
  @DisplayName("with a certificate that is trusted are sent calls over TLS")
  void trusted() throws Exception {
    TestAmbient secured = TestAmbient.realTime();
    try (RawUpstream owner =
            RawUpstream.start(
                secured,
                true,
                connection -> {
                  String head = connection.readHead();
                  connection.readBody(head);
                  received.add(receivedHead(head));
                  connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                });
        var upstreams = new ApacheTransport();
        var transport =
            new ApacheTransport(
                ApacheTransport.Limits.DEFAULT,
                RawUpstream.loopbackTlsContext(),
                AddressRules.publicOnly().allowing(List.of("127.0.0.1")));
        Gateway gateway =
            Gateway.builder(config())
                .ambient(ambient)
                .provider(new OpenAiChatFactory(upstreams))
                .destinations(transport, List.of(new StandardDestinations()))
                .build()) {
      assertThat(testConnection(gateway, owner.baseUri().toString())).contains("\"passed\":true");
      assertThat(next().method()).startsWith("POST / ").contains("X-Test-Connection: true");
      assertThat(send(gateway, Fixtures.APP_KEY, "POST", "/chat/completions", Fixtures.CHAT))
          .contains("Hello from afar");
      assertThat(next().method()).startsWith("POST / ").doesNotContain("X-Test-Connection");
    }
    secured.assertNoThreadsLeft();
  }

  private static Received receivedHead(String head) {
    return new Received(head, URI.create("/"), Map.of(), new byte[0]);
  }

  /** Returns the answer of a test of the connection to a new destination, which fails. */
  private String failedConnection(String url) {
    String tested = testConnection(running().gateway(), url);
    assertThat(tested).contains("\"passed\":false");
    return tested;
  }

  /**
   * Creates a destination at an address, tests the connection, and returns the answer of the test.
   */
  private static String testConnection(Gateway gateway, String url) {
    String path = "/observability/destinations";
    String made =
        send(
            gateway,
            Fixtures.ADMIN_KEY,
            "POST",
            path,
            "{'name':'n','type':'webhook','config':{'url':'" + url + "'}}");
    Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(made);
    assertThat(id.find()).as(made).isTrue();
    return send(gateway, Fixtures.ADMIN_KEY, "POST", path + "/" + id.group(1) + "/test", "");
  }
}
