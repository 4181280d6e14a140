package io.strowger.core.http;

import static io.strowger.core.http.Calls.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.memory.MemoryStores;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.spi.store.Stores;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A store that cannot be asked for every text, as databases cannot,")
class UnaskedStoreTest {
  private final Calls calls = new Calls(new Particular(new MemoryStores()));

  /** Breaks over texts a server has no form for, and over long ones. */
  private record Particular(Stores stores) implements Stores {
    private static void swallow(String text) {
      if (text.length() > 200
          || text.chars().anyMatch(c -> c == 0 || Character.isSurrogate((char) c))) {
        throw new StoreUnavailableException("cannot ask for such a text", null);
      }
    }

    @Override
    public DocumentStore documents() {
      DocumentStore all = stores.documents();
      return new DocumentStore() {
        @Override
        public boolean write(List<Write> writes) {
          return all.write(writes);
        }

        @Override
        public @Nullable Document find(String kind, String id) {
          swallow(id);
          return all.find(kind, id);
        }

        @Override
        public Page list(Filter filter) {
          return all.list(filter);
        }

        @Override
        public Changes changes(long after) {
          return all.changes(after);
        }
      };
    }

    @Override
    public io.strowger.spi.store.BatchStore batches() {
      return stores.batches();
    }

    @Override
    public io.strowger.spi.store.AuditStore audit() {
      return stores.audit();
    }

    @Override
    public GenerationStore generations() {
      GenerationStore all = stores.generations();
      return new GenerationStore() {
        @Override
        public void save(Generation generation) {
          all.save(generation);
        }

        @Override
        public @Nullable Generation find(String id) {
          swallow(id);
          return all.find(id);
        }
      };
    }

    @Override
    public LedgerStore ledger() {
      return stores.ledger();
    }

    @Override
    public void close() {
      stores.close();
    }
  }

  private WireResponse get(String path, String query) {
    return calls.call("GET", path).query(query).key("sk-admin").send();
  }

  @ParameterizedTest
  @ValueSource(strings = {"%00", "gen-%00", "%F0%9F%98%80", "a%20b", "%0A"})
  @DisplayName("is not asked for a generation that cannot be: 404")
  void generations(String id) {
    assertThat(get("/generation", "id=" + id).status()).isEqualTo(404);
    assertThat(get("/generation/content", "id=" + id).status()).isEqualTo(404);
  }

  @Test
  @DisplayName("is not asked for a generation with an endless name: 404")
  void longNames() {
    assertThat(get("/generation", "id=" + "g".repeat(201)).status()).isEqualTo(404);
    assertThat(get("/generation", "id=" + "g".repeat(200)).status()).isEqualTo(404);
  }

  @Test
  @DisplayName("is not asked for what feedback says it is about, either: 404")
  void feedback() {
    WireResponse answer =
        calls
            .call("POST", "/generation/feedback")
            .key("sk-admin")
            .body("{\"generation_id\":\"g\\u0000\",\"category\":\"other\"}")
            .send();
    assertThat(answer.status()).isEqualTo(404);
  }

  @Test
  @DisplayName("is not asked for a workspace that cannot be: 400 that says so")
  void workspaces() {
    String odd = "a".repeat(35);
    WireResponse answer = get("/keys", "workspace_id=" + odd + "%00");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(message(answer)).contains("must be the id of a workspace");
    WireResponse made =
        calls
            .call("POST", "/keys")
            .key("sk-admin")
            .body("{\"name\":\"n\",\"workspace_id\":\"" + odd + "\\u0000\"}")
            .send();
    assertThat(made.status()).isEqualTo(400);
    assertThat(message(made)).contains("must be the id of a workspace");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/byok/x\0", "/keys/x\0"})
  @DisplayName("is not asked for a key that cannot be: 404")
  void keys(String path) {
    assertThat(get(path, "").status()).isEqualTo(404);
  }
}
