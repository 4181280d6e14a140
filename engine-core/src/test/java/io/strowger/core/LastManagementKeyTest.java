package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.House.Answer;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.memory.MemoryDocuments;
import io.strowger.core.memory.MemoryStores;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Stores;
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
  private static final String HASH = Authenticator.id(new Credential(House.ADMIN)).hex();
  private static final String LAST = "This is the last management key that works";

  /** A second management key: its plaintext and its hash. */
  private record Manager(String key, String hash) {
    static Manager of(House house, String more) {
      Answer made =
          house.manage("POST", "/keys", "{'name':'second','management':true" + more + "}");
      assertThat(made.status()).isEqualTo(200);
      return new Manager(Objects.requireNonNull(made.body().text("key")), made.text("hash"));
    }
  }

  private static void refused(Answer answer) {
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.message()).startsWith(LAST).contains("POST /keys with \"management\": true");
  }

  @Test
  @DisplayName("is neither deleted nor disabled, by itself or as long as no other one works")
  void itself() {
    try (var house = new House("")) {
      refused(house.manage("DELETE", "/keys/" + HASH, ""));
      refused(house.manage("PATCH", "/keys/" + HASH, "{'disabled':true}"));
      Answer renamed = house.manage("PATCH", "/keys/" + HASH, "{'name':'root'}");
      assertThat(renamed.text("name")).as("anything else may be changed").isEqualTo("root");
      assertThat(house.get("/keys").status()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("may go once another one was made over HTTP, which then is the last")
  void another() {
    try (var house = new House("")) {
      Manager second = Manager.of(house, "");
      assertThat(house.send(second.key(), "GET", "/key", "").data().get("is_management_key"))
          .isEqualTo(Json.TRUE);
      assertThat(house.ask(second.key(), "acme/small").status())
          .as("management keys ask for no answers")
          .isEqualTo(403);
      assertThat(house.manage("DELETE", "/keys/" + HASH, "").status()).isEqualTo(200);
      refused(house.send(second.key(), "DELETE", "/keys/" + second.hash(), ""));
    }
  }

  @Test
  @DisplayName("is the one that works: others that are disabled or expired do not count")
  void others() {
    try (var house = new House("")) {
      Manager disabled = Manager.of(house, "");
      Manager expired = Manager.of(house, ",'expires_at':'2026-11-21T13:00:00Z'");
      String path = "/keys/" + disabled.hash();
      assertThat(house.manage("PATCH", path, "{'disabled':true}").status()).isEqualTo(200);
      house.ambient.advance(Duration.ofHours(2));
      refused(house.manage("DELETE", "/keys/" + HASH, ""));
      assertThat(house.manage("DELETE", path, "").status()).as("it does not work").isEqualTo(200);
      assertThat(house.manage("DELETE", "/keys/" + expired.hash(), "").status()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("is not made by a change: management is no member of PATCH /keys")
  void notByChange() {
    try (var house = new House("")) {
      String app = Authenticator.id(new Credential(House.APP)).hex();
      Answer only = house.manage("PATCH", "/keys/" + app, "{'management':true}");
      assertThat(only.message()).isEqualTo("No update fields provided");
      house.manage("PATCH", "/keys/" + app, "{'management':true,'name':'a'}");
      assertThat(house.send(House.APP, "GET", "/keys", "").status()).isEqualTo(403);
      assertThat(house.manage("POST", "/keys", "{'name':'n','management':1}").message())
          .contains("/management: must be true or false");
      String plain =
          Objects.requireNonNull(house.manage("POST", "/keys", "{'name':'n'}").body().text("key"));
      assertThat(house.send(plain, "GET", "/keys", "").status()).isEqualTo(403);
    }
  }

  /** Stores in which something happens just before a key is taken away for the first time. */
  private static final class Interrupted implements Stores, DocumentStore {
    private final MemoryStores of;
    private @Nullable Runnable meanwhile;

    Interrupted(MemoryStores of) {
      this.of = of;
    }

    @Override
    public boolean write(List<Write> writes) {
      Runnable happens = meanwhile;
      if (happens != null) {
        meanwhile = null;
        happens.run();
      }
      return of.documents().write(writes);
    }

    @Override
    public @Nullable Document find(String kind, String id) {
      return of.documents().find(kind, id);
    }

    @Override
    public Page list(Filter filter) {
      return of.documents().list(filter);
    }

    @Override
    public Changes changes(long after) {
      return of.documents().changes(after);
    }

    @Override
    public DocumentStore documents() {
      return this;
    }

    @Override
    public LedgerStore ledger() {
      return of.ledger();
    }

    @Override
    public GenerationStore generations() {
      return of.generations();
    }

    @Override
    public BatchStore batches() {
      return of.batches();
    }

    @Override
    public AuditStore audit() {
      return ((MemoryDocuments) of.documents()).audit();
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @CsvSource({"DELETE,DELETE", "DELETE,PATCH", "PATCH,DELETE", "PATCH,PATCH"})
  @DisplayName("is left when two take each other's away at once, each on a node of its own")
  void race(String first, String other) {
    var stores = new MemoryStores();
    var slow = new Interrupted(stores);
    var ambient = TestAmbient.at(House.NOW);
    try (var one = new House("", slow, ambient, SecretKeySource.NONE);
        var two = new House("", stores, ambient, SecretKeySource.NONE)) {
      Manager second = Manager.of(one, "");
      two.look(2);
      slow.meanwhile =
          () ->
              assertThat(two.send(second.key(), other, "/keys/" + HASH, body(other)).status())
                  .isEqualTo(200);
      refused(one.manage(first, "/keys/" + second.hash(), body(first)));
      two.look(2);
      assertThat(two.send(second.key(), "GET", "/keys", "").status()).isEqualTo(200);
      assertThat(one.send(second.key(), "GET", "/keys", "").status()).isEqualTo(200);
      assertThat(one.get("/keys").status()).isEqualTo(401);
    }
  }

  private static String body(String method) {
    return method.equals("PATCH") ? "{'disabled':true}" : "";
  }
}
