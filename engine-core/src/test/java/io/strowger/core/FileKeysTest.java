package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.audit.AuditActor;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.AuditStore;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A key of the configuration file")
class FileKeysTest {
  private static final String APP_AND_ADMIN =
      "{'name':'app','key':'sk-app'}, {'name':'admin','key':'sk-admin','management':true}";
  private static final String ADMIN = "{'name':'admin','key':'sk-admin','management':true}";

  private final TestAmbient ambient = TestAmbient.at(TestServer.NOW);
  private final MemoryStores stores = new MemoryStores();
  private Gateway gateway = open(APP_AND_ADMIN, "");

  private static GatewayConfig config(String keys, String members) {
    String file =
        """
        { 'providers': [ { 'slug': 'a', 'protocol': 'simulated', 'base_url': 'http://a.test' } ],
          'models': [ { 'id': 'a/m', 'endpoints': [ { 'provider': 'a' } ] } ],
          'keys': [ %s ]%s }
        """
            .formatted(keys, members)
            .replace('\'', '"');
    return ConfigReader.standard().read(file.getBytes(StandardCharsets.UTF_8)).orThrow();
  }

  private Gateway open(String keys, String members) {
    return Gateway.builder(config(keys, members))
        .allowMissingParts()
        .ambient(ambient)
        .stores(stores)
        .build();
  }

  private void restart(String keys) {
    gateway.close();
    gateway = open(keys, "");
  }

  @BeforeEach
  void appKeyWorks() {
    assertThat(status("sk-app")).isEqualTo(200);
  }

  @AfterEach
  void close() {
    gateway.close();
    ambient.assertNoThreadsLeft();
  }

  private WireResponse send(String key, String method, String path, String body) {
    return gateway
        .wire()
        .handle(
            new WireRequest(
                method,
                path,
                "",
                name -> name.equalsIgnoreCase("Authorization") ? "Bearer " + key : null,
                new ByteArrayInputStream(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
                new Cancellation()));
  }

  private int status(String key) {
    return send(key, "GET", "/key", "").status();
  }

  private static String hash(String key) {
    return Authenticator.id(new Credential(key)).hex();
  }

  @Test
  @DisplayName("is disabled by a reload of a file without it, and enabled when it is back")
  void reload() {
    assertThat(gateway.reload(config(ADMIN, ""))).isEmpty();
    assertThat(status("sk-app")).isEqualTo(401);
    gateway.reload(config(ADMIN, ""));
    assertThat(gateway.reload(config(APP_AND_ADMIN, ""))).isEmpty();
    assertThat(status("sk-app")).isEqualTo(200);
  }

  @Test
  @DisplayName("is disabled and enabled also by a start, if the file changed in between")
  void restarts() {
    restart(ADMIN);
    assertThat(status("sk-app")).isEqualTo(401);
    restart(APP_AND_ADMIN);
    assertThat(status("sk-app")).isEqualTo(200);
  }

  @Test
  @DisplayName("is created by a reload of a file with it")
  void made() {
    gateway.reload(config(APP_AND_ADMIN + ", {'name':'new','key':'sk-new'}", ""));
    assertThat(status("sk-new")).isEqualTo(200);
  }

  @Test
  @DisplayName("that was changed over HTTP is not changed by a reload, which warns about it")
  void changed() {
    assertThat(send("sk-admin", "PATCH", "/keys/" + hash("sk-app"), "{'name':'x'}").status())
        .isEqualTo(200);
    assertThat(gateway.reload(config(ADMIN, "")))
        .containsExactly(
            "keys: \"x\" (***) is no longer in the file and stays enabled, because it was created"
                + " or changed over HTTP");
    assertThat(status("sk-app")).isEqualTo(200);
    send("sk-admin", "PATCH", "/keys/" + hash("sk-app"), "{'disabled':true}");
    assertThat(gateway.reload(config(APP_AND_ADMIN, "")))
        .containsExactly(
            "keys: \"app\" (***) is disabled and stays so, because it was disabled over HTTP:"
                + " enable it with PATCH /keys/"
                + hash("sk-app"),
            hasNoEffect("name"));
    assertThat(status("sk-app"))
        .as("a key that was disabled over HTTP stays disabled")
        .isEqualTo(401);
  }

  private static String hasNoEffect(String members) {
    return "keys: \"app\" (***): "
        + members
        + " has no effect, because the file only creates a key: change the key with PATCH /keys/"
        + hash("sk-app");
  }

  @Test
  @DisplayName("that was created over HTTP is never disabled, even if a file listed it meanwhile")
  void madeOverHttp() throws Exception {
    String key = plaintext(send("sk-admin", "POST", "/keys", "{'name':'made'}"));
    assertThat(gateway.reload(config(APP_AND_ADMIN + ",{'name':'made','key':'" + key + "'}", "")))
        .isEmpty();
    assertThat(gateway.reload(config(APP_AND_ADMIN, "")))
        .singleElement()
        .asString()
        .startsWith("keys: \"made\" (")
        .endsWith(
            ") is no longer in the file and stays enabled, because it was created or changed over"
                + " HTTP");
    assertThat(status(key)).isEqualTo(200);
  }

  private static String plaintext(WireResponse created) throws Exception {
    var out = new ByteArrayOutputStream();
    try (WireBody body = created.body()) {
      body.transferTo(out);
    }
    return String.valueOf(((Json.Obj) new JacksonCodec().parse(out.toByteArray())).text("key"));
  }

  @Test
  @DisplayName("that was deleted over HTTP stays deleted, and a reload warns about it")
  void deleted() {
    send("sk-admin", "DELETE", "/keys/" + hash("sk-app"), "");
    assertThat(gateway.reload(config(APP_AND_ADMIN, "")))
        .containsExactly(
            "keys: \"app\" (***) was deleted over HTTP and stays so; take it out of the file, or"
                + " give it another secret");
    restart(APP_AND_ADMIN);
    assertThat(status("sk-app")).isEqualTo(401);
  }

  @Test
  @DisplayName("that was rotated over HTTP keeps its new secret")
  void rotated() throws Exception {
    String key = plaintext(send("sk-admin", "POST", "/keys/" + hash("sk-app") + "/rotate", ""));
    assertThat(gateway.reload(config(APP_AND_ADMIN, "")))
        .containsExactly(
            "keys: \"app\" (***) was given another secret over HTTP; the one in the file works"
                + " at most until the overlap ends: put the new secret into the file, or take the"
                + " key out");
    assertThat(gateway.reload(config(ADMIN, "")))
        .singleElement()
        .asString()
        .contains("no longer in the");
    assertThat(status(key)).isEqualTo(200);
    assertThat(gateway.reload(config(ADMIN + ", {'name':'app','key':'" + key + "'}", "")))
        .as("the file has the new secret")
        .isEmpty();
    assertThat(status(key)).isEqualTo(200);
    assertThat(gateway.reload(config(ADMIN, "")))
        .as("the file listed two hashes of the same key")
        .singleElement()
        .asString()
        .contains("no longer in the file");
    restart(APP_AND_ADMIN);
    assertThat(status("sk-app")).as("the former secret stays invalid").isEqualTo(401);
  }

  @Test
  @DisplayName("may be removed even if it is the last management key: the file can restore it")
  void management() {
    gateway.reload(config("", ""));
    assertThat(status("sk-admin")).isEqualTo(401);
    gateway.reload(config(APP_AND_ADMIN, ""));
    assertThat(status("sk-admin")).isEqualTo(200);
  }

  @Test
  @DisplayName("that changes in the file after its creation is reported with the ignored members")
  void members() {
    String changed = "{'name':'other','key':'sk-app','limit':5,'limit_reset':'daily'}";
    assertThat(gateway.reload(config(ADMIN + "," + changed, "")))
        .containsExactly(
            "keys: \"other\" (***): name, limit, limit_reset have no effect, because the file only"
                + " creates a key: change the key with PATCH /keys/"
                + hash("sk-app"));
  }

  @Test
  @DisplayName("is compared with the stored key, also if the file changed between two runs")
  void limits() {
    String limited = APP_AND_ADMIN.replace("'sk-app'", "'sk-app','limit':50");
    restart(limited);
    assertThat(gateway.reload(config(limited, ""))).containsExactly(hasNoEffect("limit"));
    send("sk-admin", "PATCH", "/keys/" + hash("sk-app"), "{'limit':50}");
    assertThat(gateway.reload(config(limited, ""))).isEmpty();
  }

  @Test
  @DisplayName("is reloaded together with members that need a restart, which the reload reports")
  void startOnly() {
    String members =
        ", 'server':{'port':1}, 'limits':{'depth':9}, 'credits':'5',"
            + " 'stream':{'early_head_ms':1000}";
    assertThat(gateway.reload(config(APP_AND_ADMIN, members)))
        .containsExactly(
            "credits has no effect until the gateway is started again",
            "limits.depth has no effect until the gateway is started again",
            "server.port has no effect until the gateway is started again",
            "stream.early_head_ms has no effect until the gateway is started again");
    assertThat(gateway.reload(config(APP_AND_ADMIN, ""))).isEmpty();
  }

  @Test
  @DisplayName("has an audit entry in the name of the host's user when a reload disables it")
  void audited() {
    gateway.reload(config(ADMIN, ""), AuditActor.host("ann"));
    var actions = new ArrayList<String>();
    for (var entry : stores.audit().list(new AuditStore.Filter(null, null, null, 0, 2)).entries()) {
      actions.add(entry.body().text("action") + " " + entry.body().object("actor"));
      assertThat(entry.body().toString()).contains("ann");
    }
    assertThat(actions).hasSize(2).anyMatch(line -> line.startsWith("configuration.reload"));
    List<String> update = actions.stream().filter(line -> line.startsWith("key.update")).toList();
    assertThat(update).hasSize(1);
  }
}
