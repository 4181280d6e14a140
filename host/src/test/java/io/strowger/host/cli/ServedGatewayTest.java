package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.authentication.Authenticator;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.ReloadResult;
import io.strowger.host.server.ServedName;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Credential;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A gateway served from a file")
class ServedGatewayTest {
  @TempDir private Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private Path file;
  private ServedGateway serving;

  @BeforeEach
  void start() throws Exception {
    file = folder.resolve("gateway.json");
    Files.writeString(file, CommandsTest.CONFIG);
    serving = ServedGateway.start(configFile(), new ServedGateway.Options(null, 0, null, null));
  }

  private ConfigFile configFile() {
    return new ConfigFile(file, context());
  }

  private static CommandContext context() {
    var commands = new GatewayCommands(Map.of("UPSTREAM_KEY", "upstream-secret"));
    return commands.context(new ByteArrayOutputStream(), new ByteArrayOutputStream());
  }

  private ConfigFile configFile(Ambient ambient) {
    CommandContext context = context();
    return new ConfigFile(
        file,
        new CommandContext(
            context.in(), context.out(), context.err(), context.environment(), ambient));
  }

  @AfterEach
  void stop() {
    serving.close();
    http.close();
  }

  private HttpResponse<String> send(String method, String path, String key)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(serving.uri() + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header("Authorization", "Bearer " + key)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  @DisplayName("is healthy once it listens")
  void healthy() throws Exception {
    HttpResponse<String> health = send("GET", "/health", "nobody");
    assertThat(health.statusCode()).isEqualTo(200);
    assertThat(health.body()).isEqualTo("{\"status\":\"ok\"}");
  }

  @Test
  @DisplayName(
      "shows metrics on the port of clients only if the file says so, and only to management keys")
  void metrics() throws Exception {
    assertThat(send("GET", "/admin/metrics", "sk-admin").statusCode()).isEqualTo(404);
    serving.close();
    Files.writeString(
        file,
        CommandsTest.CONFIG.replaceFirst("\\{", "{ \"telemetry\": { \"public_metrics\": true },"));
    serving = ServedGateway.start(configFile(), new ServedGateway.Options(null, 0, null, null));
    assertThat(send("GET", "/admin/metrics", "sk-admin").body())
        .contains("# TYPE strowger_requests_in_flight gauge");
    assertThat(send("GET", "/admin/metrics", "sk-app").statusCode()).isEqualTo(403);
  }

  @Test
  @DisplayName("collects no telemetry if nothing could read it")
  void uncounted() throws Exception {
    try (ConfigFile.OpenConfig opened = configFile().open();
        HostTelemetry telemetry = HostTelemetry.of(opened.config(), new SystemAmbient())) {
      assertThat(opened.config().telemetry().metricsEnabled()).isTrue();
      assertThat(telemetry.page()).isNull();
      assertThat(telemetry.sinks()).isEmpty();
      assertThat(telemetry.tracer()).isNull();
    }
  }

  @Test
  @DisplayName("reads a changed file when a management key requests a reload")
  void reloads() throws Exception {
    String before = send("POST", "/admin/reload", "sk-admin").body();
    Files.writeString(file, CommandsTest.CONFIG.replace("acme/large", "acme/huge"));
    HttpResponse<String> reloaded = send("POST", "/admin/reload", "sk-admin");
    assertThat(reloaded.statusCode()).isEqualTo(200);
    assertThat(reloaded.body())
        .startsWith("{\"data\":{\"catalog_version\":\"")
        .isNotEqualTo(before);
  }

  @Test
  @DisplayName(
      "reports which changes of the file have no effect, and records who reloaded it from where")
  void recorded() throws Exception {
    Files.writeString(
        file,
        CommandsTest.CONFIG
            .replaceFirst("\\{", "{ \"server\": { \"port\": 1 },")
            .replace("\"sk-app\"", "\"sk-app\", \"limit\": 5"));
    assertThat(send("POST", "/admin/reload", "sk-admin").body())
        .contains(
            "\"without_effect\":[\"server.port has no effect until the gateway is started again\",",
            "limit has no effect, because the file only creates a key");
    assertThat(send("GET", "/audit-log?limit=1", "sk-admin").body())
        .contains(
            "\"action\":\"configuration.reload\"",
            "\"type\":\"api_key\"",
            "\"key_hash\":\"" + Authenticator.id(new Credential("sk-admin")).hex() + "\"",
            "\"key_name\":\"admin\"",
            "\"address\":\"127.0.0.1\"");
    assertThat(serving.reload()).isInstanceOf(ReloadResult.Applied.class);
    assertThat(send("GET", "/audit-log?limit=1", "sk-admin").body())
        .contains(
            "\"action\":\"configuration.reload\"",
            "\"type\":\"configuration\"",
            "\"key_hash\":null");
  }

  @Test
  @DisplayName("refuses a bad file with every problem, and keeps its configuration")
  void keeps() throws Exception {
    Files.writeString(file, "{ \"providers\": 1, \"modls\": [] }");
    HttpResponse<String> refused = send("POST", "/admin/reload", "sk-admin");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("/providers", "/models", "/modls");
    assertThat(serving.reload()).isInstanceOf(ReloadResult.Refused.class);
    Files.delete(file);
    assertThat(send("POST", "/admin/reload", "sk-admin").statusCode()).isEqualTo(409);
    assertThat(serving.reload()).isInstanceOf(ReloadResult.Unreadable.class);
    assertThat(send("GET", "/health", "nobody").statusCode()).isEqualTo(200);
  }

  @Test
  @DisplayName("reloads for no other key, and only at a POST")
  void protectedRoute() throws Exception {
    assertThat(send("POST", "/admin/reload", "sk-nobody").statusCode()).isEqualTo(401);
    HttpResponse<String> forbidden = send("POST", "/admin/reload", "sk-app");
    assertThat(forbidden.statusCode()).isEqualTo(403);
    assertThat(forbidden.body()).contains("Only management keys can perform this operation");
    HttpResponse<String> other = send("GET", "/admin/reload/", "sk-admin");
    assertThat(other.statusCode()).isEqualTo(405);
    assertThat(other.headers().firstValue("Allow")).hasValue("OPTIONS, POST");
    assertThat(send("OPTIONS", "/admin/reload", "sk-admin").statusCode()).isEqualTo(200);
    assertThat(send("OPTIONS", "/admin/reload", "sk-nobody").statusCode()).isEqualTo(401);
  }

  @Test
  @DisplayName("cannot be served twice on one port, and reports why")
  void portTaken() {
    assertThatThrownBy(
            () ->
                ServedGateway.start(
                    configFile(),
                    new ServedGateway.Options("127.0.0.1", serving.uri().getPort(), null, null)))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("Address already in use");
  }

  @Test
  @DisplayName("serves TLS with the certificate of its file, and reads it again when it reloads")
  void tls() throws Exception {
    Path certificate = folder.resolve("own.pem");
    Path key = folder.resolve("own.key");
    copyPair("one", certificate, key);
    String tls =
        "{ \"server\": { \"drain_seconds\": 0, \"tls\": { \"certificate\": \"%s\", \"key\": \"%s\" } },"
            .formatted(certificate, key);
    Files.writeString(file, CommandsTest.CONFIG.replaceFirst("\\{", tls));
    try (ServedGateway secure =
        ServedGateway.start(configFile(), new ServedGateway.Options(null, 0, null, null))) {
      assertThat(secure.uri()).hasScheme("https");
      assertThat(ServedName.of(secure.uri())).isEqualTo("CN=one.test");
      copyPair("two", certificate, key);
      assertThat(ServedName.of(secure.uri())).isEqualTo("CN=one.test");
      assertThat(secure.reload()).isInstanceOf(ReloadResult.Applied.class);
      assertThat(ServedName.of(secure.uri())).isEqualTo("CN=two.test");
      Files.writeString(key, "no key");
      assertThat(secure.reload())
          .isInstanceOfSatisfying(
              ReloadResult.Refused.class,
              refused ->
                  assertThat(refused.problems())
                      .singleElement()
                      .asString()
                      .startsWith("/server/tls: must be usable: " + key));
      assertThat(ServedName.of(secure.uri())).isEqualTo("CN=two.test");
    }
    assertThatThrownBy(
            () -> ServedGateway.start(configFile(), new ServedGateway.Options(null, 0, null, null)))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("server.tls cannot be used: " + key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"certificate-renewal", "connection-sweep", "TraceExport"})
  @DisplayName("leaves nothing open when it cannot be started, whichever of its parts fails")
  void failedStart(String failingPart) throws Exception {
    Path certificate = folder.resolve("own.pem");
    Path key = folder.resolve("own.key");
    copyPair("one", certificate, key);
    String settings =
        """
        { "server": { "drain_seconds": 0, "tls": { "certificate": "%s", "key": "%s" } },
          "telemetry": { "public_metrics": true, "otlp": "http://127.0.0.1:9" },\
        """
            .formatted(certificate, key);
    Files.writeString(file, CommandsTest.CONFIG.replaceFirst("\\{", settings));
    var options = new ServedGateway.Options("127.0.0.1", freePort(), folder.resolve("data"), null);
    var ambient = new FailingAmbient(failingPart);
    assertThatThrownBy(() -> ServedGateway.start(configFile(ambient), options))
        .isInstanceOf(OutOfMemoryError.class)
        .hasNoSuppressedExceptions();
    for (Thread thread : ambient.threads) {
      assertThat(thread.join(Duration.ofSeconds(10))).as(thread.getName()).isTrue();
    }
    // neither the port nor the data directory is still in use
    try (ServedGateway restarted = ServedGateway.start(configFile(), options)) {
      assertThat(ServedName.of(restarted.uri())).isEqualTo("CN=one.test");
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /**
   * An ambient that fails, like a process that can start no more threads, when a service or class
   * of a given name uses it.
   */
  private static final class FailingAmbient implements Ambient {
    private final Ambient system = new SystemAmbient();
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final String failingPart;

    FailingAmbient(String failingPart) {
      this.failingPart = failingPart;
    }

    @Override
    public Instant now() {
      return system.now();
    }

    @Override
    public long nanoTime() {
      return system.nanoTime();
    }

    @Override
    public long seed() {
      boolean isFailing =
          StackWalker.getInstance()
              .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith(failingPart)));
      if (isFailing) {
        throw new OutOfMemoryError(failingPart);
      }
      return system.seed();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
      system.sleep(time);
    }

    @Override
    public Thread start(String name, Runnable task) {
      return track(system.start(name, task));
    }

    @Override
    public Thread startService(String name, Runnable task) {
      if (name.equals(failingPart)) {
        throw new OutOfMemoryError(failingPart);
      }
      return track(system.startService(name, task));
    }

    private Thread track(Thread thread) {
      threads.add(thread);
      return thread;
    }
  }

  private static void copyPair(String name, Path certificate, Path key) throws IOException {
    copy(name + ".pem", certificate);
    copy(name + ".key", key);
  }

  private static void copy(String resource, Path to) throws IOException {
    try (InputStream in = HttpHost.class.getResourceAsStream("tls/" + resource)) {
      Files.copy(Objects.requireNonNull(in), to, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
