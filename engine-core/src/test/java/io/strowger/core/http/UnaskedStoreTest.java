package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.memory.MemoryStores;
import io.strowger.core.store.ForwardingDocuments;
import io.strowger.core.store.ForwardingStores;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.spi.store.Stores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A store that fails for some texts, as databases do,")
class UnaskedStoreTest {
  private final TestHttpApi api = new TestHttpApi(new FailingStores(new MemoryStores()));

  /** Fails for texts that a database server cannot represent, and for long ones. */
  private static final class FailingStores extends ForwardingStores {
    FailingStores(Stores stores) {
      super(stores);
    }

    private static void failIfImpossible(String text) {
      if (text.length() > 200
          || text.chars().anyMatch(c -> c == 0 || Character.isSurrogate((char) c))) {
        throw new StoreUnavailableException("cannot ask for such a text", null);
      }
    }

    @Override
    public DocumentStore documents() {
      return new ForwardingDocuments(super.documents()) {
        @Override
        public @Nullable Document find(String kind, String id) {
          failIfImpossible(id);
          return super.find(kind, id);
        }
      };
    }

    @Override
    public GenerationStore generations() {
      GenerationStore all = super.generations();
      return new GenerationStore() {
        @Override
        public void save(Generation generation) {
          all.save(generation);
        }

        @Override
        public @Nullable Generation find(String id) {
          failIfImpossible(id);
          return all.find(id);
        }
      };
    }
  }

  private WireResponse get(String path, String query) {
    return api.call("GET", path).query(query).key("sk-admin").send();
  }

  @ParameterizedTest
  @ValueSource(strings = {"%00", "gen-%00", "%F0%9F%98%80", "a%20b", "%0A"})
  @DisplayName("is not asked for an impossible id of a generation: 404")
  void generations(String id) {
    assertThat(get("/generation", "id=" + id).status()).isEqualTo(404);
    assertThat(get("/generation/content", "id=" + id).status()).isEqualTo(404);
  }

  @Test
  @DisplayName("is not asked for the id of a generation with more than 200 characters: 404")
  void longNames() {
    assertThat(get("/generation", "id=" + "g".repeat(201)).status()).isEqualTo(404);
    assertThat(get("/generation", "id=" + "g".repeat(200)).status()).isEqualTo(404);
  }

  @Test
  @DisplayName("is not asked for an impossible id in feedback, either: 404")
  void feedback() {
    WireResponse answer =
        api.call("POST", "/generation/feedback")
            .key("sk-admin")
            .body("{\"generation_id\":\"g\\u0000\",\"category\":\"other\"}")
            .send();
    assertThat(answer.status()).isEqualTo(404);
  }

  @Test
  @DisplayName("is not asked for an impossible id of a workspace: 400 with the problem")
  void workspaces() {
    String prefix = "a".repeat(35);
    WireResponse answer = get("/keys", "workspace_id=" + prefix + "%00");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(message(answer)).contains("must be the id of a workspace");
    WireResponse created =
        api.call("POST", "/keys")
            .key("sk-admin")
            .body("{\"name\":\"n\",\"workspace_id\":\"" + prefix + "\\u0000\"}")
            .send();
    assertThat(created.status()).isEqualTo(400);
    assertThat(message(created)).contains("must be the id of a workspace");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/byok/x\0", "/keys/x\0"})
  @DisplayName("is not asked for an impossible id of a key: 404")
  void keys(String path) {
    assertThat(get(path, "").status()).isEqualTo(404);
  }
}
