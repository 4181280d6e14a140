package io.strowger.core.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.authentication.Caller;
import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.memory.MemoryDocuments;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.tck.TestAmbient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The directory of keys")
class KeyDirectoryTest {
  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final Store store = new Store();
  private final List<StoreWatch> watches = new ArrayList<>();

  /** A store that counts its lookups and is unavailable while {@code isDown} is true. */
  private static final class Store implements DocumentStore {
    final MemoryDocuments documents = new MemoryDocuments();
    int lookups;
    boolean isDown;

    private void checkAvailable() {
      if (isDown) {
        throw new StoreUnavailableException("down", null);
      }
    }

    @Override
    public boolean write(List<Write> writes) {
      checkAvailable();
      return documents.write(writes);
    }

    @Override
    public @Nullable Document find(String kind, String id) {
      checkAvailable();
      lookups++;
      return documents.find(kind, id);
    }

    @Override
    public Page list(Filter filter) {
      checkAvailable();
      return documents.list(filter);
    }

    @Override
    public Changes changes(long after) {
      checkAvailable();
      return documents.changes(after);
    }
  }

  @AfterEach
  void noThreads() {
    watches.forEach(StoreWatch::close);
    ambient.assertNoThreadsLeft();
  }

  private static GatewayConfig config(String name) {
    String file =
        """
        { "providers": [ { "slug": "a", "protocol": "simulated", "base_url": "http://a.test" } ],
          "models": [ { "id": "a/m", "endpoints": [ { "provider": "a" } ] } ],
          "keys": [ { "name": "%s", "key": "sk-app-0123456789", "limit": 3 } ] }
        """
            .formatted(name);
    return ConfigReader.standard().read(file.getBytes(StandardCharsets.UTF_8)).orThrow();
  }

  /** Opens the account state of a new node whose configuration file has a key of this name. */
  private AccountState open(String name) {
    var watch = new StoreWatch(store, ambient);
    watches.add(watch);
    return AccountState.open(
        watch, ambient, new AccountState.Secrets(byte[]::new, SecretKeySource.NONE), config(name));
  }

  private static Caller admit(AccountState state, String key) {
    return state.authenticator().admit("Bearer " + key, KeyRequirement.INFERENCE);
  }

  @Test
  @DisplayName("looks up a key in the store once, also one that does not exist")
  void once() {
    AccountState state = open("app");
    admit(state, "sk-app-0123456789");
    int before = store.lookups;
    assertThat(admit(state, "sk-app-0123456789"))
        .isSameAs(admit(state, "sk-app-0123456789"))
        .extracting(Caller::name)
        .isEqualTo("app");
    assertThat(store.lookups).isEqualTo(before);
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> admit(state, "sk-nobody")).isInstanceOf(GatewayException.class);
    }
    assertThat(store.lookups).isEqualTo(before + 1);
  }

  @Test
  @DisplayName("admits the keys it knows while the store is down, and throws for others")
  void down() {
    AccountState state = open("app");
    Caller app = admit(state, "sk-app-0123456789");
    store.isDown = true;
    assertThat(admit(state, "sk-app-0123456789")).isSameAs(app);
    assertThatThrownBy(() -> admit(state, "sk-other"))
        .isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  @DisplayName("limits the lookups of unknown keys in the store, and refuses more with 503")
  void unknownKeys() {
    AccountState state = open("app");
    Caller app = admit(state, "sk-app-0123456789");
    int before = store.lookups;
    int unavailable = 0;
    for (int i = 0; i < 25_000; i++) {
      ErrorCode code = refused(state, "sk-" + i);
      unavailable += code == ErrorCode.UNAVAILABLE ? 1 : 0;
    }
    assertThat(store.lookups - before).isBetween(19_990, 20_000);
    assertThat(unavailable).isEqualTo(25_000 - (store.lookups - before));
    assertThat(admit(state, "sk-app-0123456789")).as("a known key").isSameAs(app);
    int lookupsBefore = store.lookups;
    ambient.advance(Duration.ofSeconds(1));
    for (int i = 0; i < 5_000; i++) {
      refused(state, "sk-later-" + i);
    }
    assertThat(store.lookups - lookupsBefore).isEqualTo(2_000);
  }

  @Test
  @DisplayName("looks up a key it found before even if the limit on unknown keys is reached")
  void foundBefore() {
    AccountState state = open("app");
    admit(state, "sk-app-0123456789");
    ambient.awaitSleepers(1);
    ambient.advance(StoreWatch.POLL_INTERVAL);
    ambient.awaitSleepers(1); // the first poll has dropped every cached key
    for (int i = 0; i < 21_000; i++) {
      refused(state, "sk-" + i);
    }
    assertThat(refused(state, "sk-one-more")).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(admit(state, "sk-app-0123456789").name()).isEqualTo("app");
  }

  private static ErrorCode refused(AccountState state, String key) {
    try {
      admit(state, key);
      throw new AssertionError(key + " was admitted");
    } catch (GatewayException refused) {
      return refused.error().code();
    }
  }

  @Test
  @DisplayName(
      "has the keys of the configuration file since the first start, and never resets them")
  void seeds() {
    AccountState first = open("app");
    KeyId id = admit(first, "sk-app-0123456789").key();
    Document created = Objects.requireNonNull(store.documents.find("key", id.hex()));
    store.write(
        List.of(
            new DocumentStore.Write.Replace(
                created.next(created.createdAt(), created.body().with("limit", Json.of(7))))));
    AccountState restarted = open("another name");
    assertThat(restarted.keys().find(id))
        .satisfies(
            key -> {
              assertThat(key.setting().name()).isEqualTo("app");
              assertThat(key.setting().limit().amount()).hasToString("$7");
            });
    assertThat(admit(restarted, "sk-app-0123456789").name()).isEqualTo("app");
  }
}
