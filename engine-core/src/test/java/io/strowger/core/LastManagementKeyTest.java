package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.TestServer.Answer;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.store.ForwardingDocuments;
import io.strowger.core.store.ForwardingStores;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.DocumentStore;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The last management key")
class LastManagementKeyTest {
  private static final String HASH = Authenticator.id(new Credential(TestServer.ADMIN)).hex();
  private static final String REFUSAL = "This is the last management key that works";

  /** A second management key: its plaintext and its hash. */
  private record ManagementKey(String key, String hash) {
    static ManagementKey create(TestServer server, String members) {
      Answer created =
          server.manage("POST", "/keys", "{'name':'second','management':true" + members + "}");
      assertThat(created.status()).isEqualTo(200);
      return new ManagementKey(
          Objects.requireNonNull(created.body().text("key")), created.text("hash"));
    }
  }

  private static void assertRefused(Answer answer) {
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.message())
        .startsWith(REFUSAL)
        .contains("POST /keys with \"management\": true");
  }

  @Test
  @DisplayName(
      "can be neither deleted nor disabled with its own credential, but its name can be changed")
  void itself() {
    try (var server = new TestServer("")) {
      assertRefused(server.manage("DELETE", "/keys/" + HASH, ""));
      assertRefused(server.manage("PATCH", "/keys/" + HASH, "{'disabled':true}"));
      Answer renamed = server.manage("PATCH", "/keys/" + HASH, "{'name':'root'}");
      assertThat(renamed.text("name")).as("another member may be changed").isEqualTo("root");
      assertThat(server.get("/keys").status()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("can be deleted after another one was created over HTTP, which then is the last")
  void another() {
    try (var server = new TestServer("")) {
      ManagementKey second = ManagementKey.create(server, "");
      assertThat(server.send(second.key(), "GET", "/key", "").data().get("is_management_key"))
          .isEqualTo(Json.TRUE);
      assertThat(server.ask(second.key(), "acme/small").status())
          .as("management keys cannot send inference requests")
          .isEqualTo(403);
      assertThat(server.manage("DELETE", "/keys/" + HASH, "").status()).isEqualTo(200);
      assertRefused(server.send(second.key(), "DELETE", "/keys/" + second.hash(), ""));
    }
  }

  @Test
  @DisplayName("is the last one that works: disabled and expired ones do not count")
  void others() {
    try (var server = new TestServer("")) {
      ManagementKey disabled = ManagementKey.create(server, "");
      ManagementKey expired = ManagementKey.create(server, ",'expires_at':'2026-11-21T13:00:00Z'");
      String path = "/keys/" + disabled.hash();
      assertThat(server.manage("PATCH", path, "{'disabled':true}").status()).isEqualTo(200);
      server.ambient.advance(Duration.ofHours(2));
      assertRefused(server.manage("DELETE", "/keys/" + HASH, ""));
      assertThat(server.manage("DELETE", path, "").status())
          .as("a disabled management key can be deleted")
          .isEqualTo(200);
      assertThat(server.manage("DELETE", "/keys/" + expired.hash(), "").status()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("cannot be created by a change: management is no member of PATCH /keys")
  void notByChange() {
    try (var server = new TestServer("")) {
      String app = Authenticator.id(new Credential(TestServer.APP)).hex();
      Answer unchanged = server.manage("PATCH", "/keys/" + app, "{'management':true}");
      assertThat(unchanged.message()).isEqualTo("No update fields provided");
      server.manage("PATCH", "/keys/" + app, "{'management':true,'name':'a'}");
      assertThat(server.send(TestServer.APP, "GET", "/keys", "").status()).isEqualTo(403);
      assertThat(server.manage("POST", "/keys", "{'name':'n','management':1}").message())
          .contains("/management: must be true or false");
      String plain =
          Objects.requireNonNull(server.manage("POST", "/keys", "{'name':'n'}").body().text("key"));
      assertThat(server.send(plain, "GET", "/keys", "").status()).isEqualTo(403);
    }
  }

  /** Stores that run an action just before the next write. */
  private static final class InterceptedStores extends ForwardingStores {
    private final DocumentStore documents =
        new ForwardingDocuments(super.documents()) {
          @Override
          public boolean write(List<Write> writes) {
            Runnable action = beforeNextWrite;
            if (action != null) {
              beforeNextWrite = null;
              action.run();
            }
            return super.write(writes);
          }
        };

    private @Nullable Runnable beforeNextWrite;

    InterceptedStores(MemoryStores delegate) {
      super(delegate);
    }

    @Override
    public DocumentStore documents() {
      return documents;
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @CsvSource({"DELETE,DELETE", "DELETE,PATCH", "PATCH,DELETE", "PATCH,PATCH"})
  @DisplayName("remains when two keys remove each other at the same time on two nodes")
  void race(String first, String other) {
    var stores = new MemoryStores();
    var intercepted = new InterceptedStores(stores);
    var ambient = TestAmbient.at(TestServer.NOW);
    try (var one = new TestServer("", intercepted, ambient, SecretKeySource.NONE);
        var two = new TestServer("", stores, ambient, SecretKeySource.NONE)) {
      ManagementKey second = ManagementKey.create(one, "");
      two.awaitStorePoll(2);
      intercepted.beforeNextWrite =
          () ->
              assertThat(two.send(second.key(), other, "/keys/" + HASH, body(other)).status())
                  .isEqualTo(200);
      assertRefused(one.manage(first, "/keys/" + second.hash(), body(first)));
      two.awaitStorePoll(2);
      assertThat(two.send(second.key(), "GET", "/keys", "").status()).isEqualTo(200);
      assertThat(one.send(second.key(), "GET", "/keys", "").status()).isEqualTo(200);
      assertThat(one.get("/keys").status()).isEqualTo(401);
    }
  }

  private static String body(String method) {
    return method.equals("PATCH") ? "{'disabled':true}" : "";
  }
}
