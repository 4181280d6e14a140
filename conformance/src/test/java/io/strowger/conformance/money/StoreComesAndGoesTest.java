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
@DisplayName("A host whose PostgreSQL")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreComesAndGoesTest {
  private static final String ADMIN = "sk-admin-0123456789";

  @TempDir private Path folder;

  /** The same database each time. */
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

  /** Asks until the probe says so; how long a store is waited for is the host's affair. */
  private static HttpResponse<String> ready(HostProcess host, int status) throws Exception {
    HttpResponse<String> ready = host.probe("/readyz");
    while (ready.statusCode() != status) {
      ready = host.probe("/readyz");
    }
    return ready;
  }

  private static void assertAway(HostProcess host) throws Exception {
    assertThat(ready(host, 503).body())
        .contains("\"reason\":\"store unavailable\"")
        .doesNotContain("127.0.0.1", "postgres");
    assertThat(host.probe("/livez").statusCode()).isEqualTo(200);
  }

  @Test
  @DisplayName("comes late, leaves and comes back says so to probes, and recovers by itself")
  void recovers() throws Exception {
    try (var relay = new Relay();
        HostProcess host = HostProcess.start(config(relay.port()), folder.resolve("data"))) {
      assertAway(host);
      try (EmbeddedPostgres server = postgres()) {
        relay.to(server.getPort());
        ready(host, 200);
        assertThat(host.post("/keys", ADMIN, "{\"name\":\"made before\"}").statusCode())
            .isEqualTo(200);
        relay.to(0);
      }
      assertAway(host);
      try (EmbeddedPostgres server = postgres()) {
        relay.to(server.getPort());
        ready(host, 200);
        assertThat(host.get("/keys", ADMIN).body()).contains("made before");
      }
    }
  }
}
