package io.strowger.core.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.audit.AuditActor;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.decode.Problems;
import io.strowger.core.memory.MemoryDocuments;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.WorkspaceTable;
import io.strowger.core.store.ForwardingDocuments;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.KeyId;
import io.strowger.tck.TestAmbient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A change by another node between a read and a write")
class MeanwhileTest {
  private static final KeyId APP = Authenticator.id(new Credential("sk-app-0123456789"));

  private static final AuditActor BY = AuditActor.host("ann");

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final MemoryDocuments documents = new MemoryDocuments();
  private final InterceptedStore intercepted = new InterceptedStore(documents);
  private final List<StoreWatch> watches = new ArrayList<>();

  /** A store that runs an action just before a document of a kind is created. */
  private static final class InterceptedStore extends ForwardingDocuments {
    private String kind = "";
    private @Nullable Runnable action;

    InterceptedStore(DocumentStore documents) {
      super(documents);
    }

    void beforeCreation(String kind, Runnable action) {
      this.kind = kind;
      this.action = action;
    }

    @Override
    public boolean write(List<Write> writes) {
      Runnable pending = action;
      if (pending != null && writes.stream().anyMatch(this::creates)) {
        action = null;
        pending.run();
      }
      return super.write(writes);
    }

    private boolean creates(Write write) {
      return write instanceof Write.Insert(Document created) && created.kind().equals(kind);
    }
  }

  @AfterEach
  void noThreads() {
    watches.forEach(StoreWatch::close);
    ambient.assertNoThreadsLeft();
  }

  private static GatewayConfig config() {
    return ConfigReader.standard()
        .read(
            """
            { "providers": [ { "slug": "a", "protocol": "simulated", "base_url": "http://a.test" } ],
              "models": [ { "id": "a/m", "endpoints": [ { "provider": "a" } ] } ],
              "keys": [ { "name": "app", "key": "sk-app-0123456789" } ] }
            """
                .getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  private AccountState open(DocumentStore store) {
    var watch = new StoreWatch(store, ambient);
    watches.add(watch);
    var secrets = new AccountState.Secrets(byte[]::new, SecretKeySource.NONE);
    return AccountState.open(watch, ambient, secrets, config());
  }

  @Test
  @DisplayName(
      "that deletes a key of the configuration file is not undone by creating the key again")
  void seeding() {
    intercepted.beforeCreation(
        "key", () -> assertThat(open(documents).keys().delete(APP, BY)).isTrue());
    AccountState state = open(intercepted);
    assertThat(state.keys().find(APP)).isNull();
    assertThat(state.keys().delete(APP, BY)).isFalse();
    assertThat(open(documents).keys().find(APP)).isNull();
  }

  private String guardrail(AccountState state, String workspace) {
    return state.guardrails().create(Json.object().put("name", "G").build(), workspace, BY).id();
  }

  @Test
  @DisplayName("that deletes a workspace leaves no member assigned to one of its guardrails")
  void binding() {
    AccountState other = open(documents);
    AccountState state = open(intercepted);
    Json.Obj body = Json.object().put("name", "W").put("slug", "w").build();
    var problems = new Problems();
    String workspace =
        state
            .workspaces()
            .create(problems.requireValid(WorkspaceTable.TYPE.create(body, problems)), BY)
            .id();
    String guardrail = guardrail(state, workspace);
    intercepted.beforeCreation(
        GuardrailAssignments.MEMBER_KIND,
        () -> assertThat(other.workspaces().delete(workspace, BY)).isTrue());
    assertThatThrownBy(() -> state.memberAssignments().assign(guardrail, Set.of("ann"), BY))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("Resource not found");
    assertThat(state.memberAssignments().list(null, 0, 10).total()).isZero();
  }

  @Test
  @DisplayName("that deletes a key leaves the key without an assignment")
  void bindingKeys() {
    AccountState other = open(documents);
    AccountState state = open(intercepted);
    String guardrail = guardrail(state, DefaultWorkspace.ID);
    intercepted.beforeCreation(
        GuardrailAssignments.KEY_KIND, () -> assertThat(other.keys().delete(APP, BY)).isTrue());
    assertThatThrownBy(() -> state.keyAssignments().assign(guardrail, Set.of(APP.hex()), BY))
        .isInstanceOf(GatewayException.class);
    assertThat(state.keyAssignments().list(null, 0, 10).total()).isZero();
  }

  @Test
  @DisplayName("to a guardrail is kept, and the guardrail is assigned nevertheless")
  void changed() {
    AccountState other = open(documents);
    AccountState state = open(intercepted);
    String guardrail = guardrail(state, DefaultWorkspace.ID);
    intercepted.beforeCreation(
        GuardrailAssignments.KEY_KIND,
        () -> other.guardrails().update(guardrail, body -> body.with("name", Json.of("H")), BY));
    assertThat(state.keyAssignments().assign(guardrail, Set.of(APP.hex()), BY)).isOne();
    Document after = Objects.requireNonNull(documents.find(Guardrails.KIND, guardrail));
    assertThat(after.body().text("name")).isEqualTo("H");
  }
}
