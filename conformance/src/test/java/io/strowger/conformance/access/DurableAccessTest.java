package io.strowger.conformance.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.stores.JdbcStores;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("After a restart")
class DurableAccessTest {
  private static final String CONFIG =
      """
      { 'providers': [ { 'slug': 'a', 'protocol': 'simulated', 'base_url': 'http://a.test' } ],
        'models': [ { 'id': 'a/m', 'endpoints': [ { 'provider': 'a',
                      'pricing': { 'prompt': '0.001', 'completion': '0.001' } } ] } ],
        'keys': [ { 'name': 'app', 'key': 'sk-app' },
                  { 'name': 'admin', 'key': 'sk-admin', 'management': true } ] }
      """;
  private static final String HASH = Authenticator.id(new Credential("sk-app")).hex();

  @TempDir private Path directory;

  /** A gateway over the stores in the directory; opening another one is a restart. */
  private final class DurableGateway implements AutoCloseable {
    private final JdbcStores stores;
    private final Gateway gateway;

    DurableGateway() {
      var ambient = new SystemAmbient();
      stores =
          JdbcStores.open(
              new JdbcStores.Settings(
                  "jdbc:h2:file:" + directory.resolve("store"), null, Credential.NONE, directory),
              new JacksonCodec(),
              ambient);
      gateway =
          Gateway.builder(
                  ConfigReader.standard()
                      .read(CONFIG.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                      .orThrow())
              .ambient(ambient)
              .stores(stores)
              .provider(new SimulatedFactory())
              .build();
    }

    private WireResponse send(String key, String method, String path, String body) {
      int mark = path.indexOf('?');
      return gateway
          .wire()
          .handle(
              new WireRequest(
                  method,
                  mark < 0 ? path : path.substring(0, mark),
                  mark < 0 ? "" : path.substring(mark + 1),
                  name -> name.equalsIgnoreCase("Authorization") ? "Bearer " + key : null,
                  new ByteArrayInputStream(
                      body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
                  new Cancellation(),
                  client()));
    }

    private Json.Obj manage(String method, String path, String body) {
      return json(send("sk-admin", method, path, body));
    }

    int ask(String key) {
      WireResponse response =
          send(
              key,
              "POST",
              "/chat/completions",
              "{'model':'a/m','max_tokens':16,'messages':[{'role':'user','content':'hi'}]}");
      json(response);
      return response.status();
    }

    @Override
    public void close() {
      gateway.close();
      stores.close();
    }
  }

  private static InetAddress client() {
    try {
      return InetAddress.getByAddress(new byte[] {(byte) 203, 0, 113, 7});
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Json.Obj json(WireResponse response) {
    var out = new ByteArrayOutputStream();
    try (WireBody body = response.body()) {
      body.transferTo(out);
      return (Json.Obj) new JacksonCodec().parse(out.toByteArray());
    } catch (IOException | MalformedJsonException wrong) {
      throw new IllegalStateException(wrong);
    }
  }

  private static Json.Obj data(Json.Obj answer) {
    return Objects.requireNonNull(answer.object("data"), answer::toString);
  }

  @Test
  @DisplayName(
      "a rotated key keeps its new secret, its limit and its usage, and its old secret is refused")
  void rotated() {
    String key;
    Json usage;
    try (var gateway = new DurableGateway()) {
      gateway.manage("PATCH", "/keys/" + HASH, "{'limit':5}");
      assertThat(gateway.ask("sk-app")).isEqualTo(200);
      Json.Obj rotated =
          gateway.manage("POST", "/keys/" + HASH + "/rotate", "{'overlap_seconds':0}");
      key = Objects.requireNonNull(rotated.text("key"));
      assertThat(gateway.ask(key)).isEqualTo(200);
      usage = Objects.requireNonNull(data(gateway.manage("GET", "/keys/" + HASH, "")).get("usage"));
      assertThat(usage).isNotEqualTo(Json.of(0));
    }
    try (var gateway = new DurableGateway()) {
      Json.Obj shown = data(gateway.manage("GET", "/keys/" + HASH, ""));
      assertThat(shown.text("hash")).isEqualTo(Authenticator.id(new Credential(key)).hex());
      assertThat(shown.get("usage")).isEqualTo(usage);
      assertThat(shown.get("limit")).isEqualTo(Json.of(5));
      assertThat(gateway.ask(key)).isEqualTo(200);
      assertThat(gateway.ask("sk-app")).isEqualTo(401);
    }
  }

  @Test
  @DisplayName("the audit log still shows who changed what, from which address")
  void audited() {
    try (var gateway = new DurableGateway()) {
      gateway.manage("PATCH", "/keys/" + HASH, "{'limit':5}");
    }
    try (var gateway = new DurableGateway()) {
      Json.Arr log = Objects.requireNonNull(gateway.manage("GET", "/audit-log", "").list("data"));
      List<String> actions = new ArrayList<>();
      for (int i = 0; i < log.size(); i++) {
        actions.add(((Json.Obj) log.get(i)).text("action"));
      }
      assertThat(actions)
          .as("the restart adds no entry")
          .containsExactly("key.update", "key.create", "key.create", "workspace.create");
      Json.Obj actor = Objects.requireNonNull(((Json.Obj) log.get(0)).object("actor"));
      assertThat(actor.text("key_name")).isEqualTo("admin");
      assertThat(actor.text("address")).isEqualTo("203.0.113.7");
    }
  }

  @Test
  @DisplayName("the last management key still cannot be deleted")
  void lastManagementKey() {
    String admin = Authenticator.id(new Credential("sk-admin")).hex();
    for (int i = 0; i < 2; i++) {
      try (var gateway = new DurableGateway()) {
        assertThat(gateway.send("sk-admin", "DELETE", "/keys/" + admin, "").status())
            .isEqualTo(400);
      }
    }
  }
}
