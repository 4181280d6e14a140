package io.strowger.conformance.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
@DisplayName("A host whose PostgreSQL is down at the start, or goes down later,")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresOutageTest {
  private static final String ADMIN = "sk-admin-0123456789";

  @TempDir private Path folder;

  /** Starts a server, each time with the same data directory. */
  private EmbeddedPostgres postgres() throws IOException {
    return EmbeddedPostgres.builder()
        .setDataDirectory(folder.resolve("postgres"))
        .setCleanDataDirectory(false)
        .start();
  }

  private Path config(int port) throws IOException {
    return Files.writeString(
        folder.resolve("gateway.json"),
        """
        { "store": { "url": "jdbc:postgresql://127.0.0.1:%d/postgres?sslmode=disable&user=postgres" },
          "providers": [ { "slug": "alpha", "protocol": "openai-chat", "base_url": "http://127.0.0.1:9/v1" } ],
          "models": [ { "id": "acme/large", "endpoints": [ { "provider": "alpha", "upstream_model": "m",
            "pricing": { "completion": "0.000002" } } ] } ],
          "keys": [ { "name": "admin", "key": "%s", "management": true } ] }
        """
            .formatted(port, ADMIN));
  }

  /** Polls the readiness probe until it answers with this status, and returns the answer. */
  private static HttpResponse<String> awaitReadyz(HostProcess host, int status) throws Exception {
    HttpResponse<String> response = host.probe("/readyz");
    while (response.statusCode() != status) {
      response = host.probe("/readyz");
    }
    return response;
  }

  private static void assertStoreUnavailable(HostProcess host) throws Exception {
    assertThat(awaitReadyz(host, 503).body())
        .contains("\"reason\":\"store unavailable\"")
        .doesNotContain("127.0.0.1", "postgres");
    assertThat(host.probe("/livez").statusCode()).isEqualTo(200);
  }

  @Test
  @DisplayName("reports it to readiness probes, and recovers by itself")
  void recovers() throws Exception {
    try (var relay = new TcpRelay();
        HostProcess host = HostProcess.start(config(relay.port()), folder.resolve("data"))) {
      assertStoreUnavailable(host);
      try (EmbeddedPostgres server = postgres()) {
        relay.connectTo(server.getPort());
        awaitReadyz(host, 200);
        assertThat(host.post("/keys", ADMIN, "{\"name\":\"created before\"}").statusCode())
            .isEqualTo(200);
        relay.disconnect();
      }
      assertStoreUnavailable(host);
      try (EmbeddedPostgres server = postgres()) {
        relay.connectTo(server.getPort());
        awaitReadyz(host, 200);
        assertThat(host.get("/keys", ADMIN).body()).contains("created before");
      }
    }
  }
}
