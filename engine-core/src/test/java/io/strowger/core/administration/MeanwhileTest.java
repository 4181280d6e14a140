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

@DisplayName("What another node does between a look and a write")
class MeanwhileTest {
  private static final KeyId APP = Authenticator.id(new Credential("sk-app-0123456789"));

  private static final AuditActor BY = AuditActor.host("ann");

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final MemoryDocuments documents = new MemoryDocuments();
  private final Interrupted interrupted = new Interrupted(documents);
  private final List<StoreWatch> watches = new ArrayList<>();

  /** A store in which something happens just before a document of a kind is made. */
  private static final class Interrupted extends ForwardingDocuments {
    private String kind = "";
    private @Nullable Runnable meanwhile;

    Interrupted(DocumentStore documents) {
      super(documents);
    }

    void before(String made, Runnable happens) {
      kind = made;
      meanwhile = happens;
    }

    @Override
    public boolean write(List<Write> writes) {
      Runnable happens = meanwhile;
      if (happens != null && writes.stream().anyMatch(this::makes)) {
        meanwhile = null;
        happens.run();
      }
      return super.write(writes);
    }

    private boolean makes(Write write) {
      return write instanceof Write.Insert(Document made) && made.kind().equals(kind);
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
  @DisplayName("a key of the file that it makes and somebody deletes is not made again")
  void seeding() {
    interrupted.before("key", () -> assertThat(open(documents).keys().delete(APP, BY)).isTrue());
    AccountState slow = open(interrupted);
    assertThat(slow.keys().find(APP)).isNull();
    assertThat(slow.keys().delete(APP, BY)).isFalse();
    assertThat(open(documents).keys().find(APP)).isNull();
  }

  private String guardrail(AccountState state, String workspace) {
    return state.guardrails().create(Json.object().put("name", "G").build(), workspace, BY).id();
  }

  @Test
  @DisplayName("a workspace that it deletes leaves nobody bound to a guardrail of it")
  void binding() {
    AccountState other = open(documents);
    AccountState state = open(interrupted);
    Json.Obj named = Json.object().put("name", "W").put("slug", "w").build();
    var problems = new Problems();
    String workspace =
        state
            .workspaces()
            .create(problems.requireValid(WorkspaceTable.TYPE.create(named, problems)), BY)
            .id();
    String guardrail = guardrail(state, workspace);
    interrupted.before(
        GuardrailAssignments.MEMBER_KIND,
        () -> assertThat(other.workspaces().delete(workspace, BY)).isTrue());
    assertThatThrownBy(() -> state.memberAssignments().assign(guardrail, Set.of("ann"), BY))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("Resource not found");
    assertThat(state.memberAssignments().list(null, 0, 10).total()).isZero();
  }

  @Test
  @DisplayName("a key that it deletes stays bound to nothing")
  void bindingKeys() {
    AccountState other = open(documents);
    AccountState state = open(interrupted);
    String guardrail = guardrail(state, DefaultWorkspace.ID);
    interrupted.before(
        GuardrailAssignments.KEY_KIND, () -> assertThat(other.keys().delete(APP, BY)).isTrue());
    assertThatThrownBy(() -> state.keyAssignments().assign(guardrail, Set.of(APP.hex()), BY))
        .isInstanceOf(GatewayException.class);
    assertThat(state.keyAssignments().list(null, 0, 10).total()).isZero();
  }

  @Test
  @DisplayName("a guardrail that it changes binds all the same, as it was changed")
  void changed() {
    AccountState other = open(documents);
    AccountState state = open(interrupted);
    String guardrail = guardrail(state, DefaultWorkspace.ID);
    interrupted.before(
        GuardrailAssignments.KEY_KIND,
        () -> other.guardrails().update(guardrail, body -> body.with("name", Json.of("H")), BY));
    assertThat(state.keyAssignments().assign(guardrail, Set.of(APP.hex()), BY)).isOne();
    Document after = Objects.requireNonNull(documents.find(Guardrails.KIND, guardrail));
    assertThat(after.body().text("name")).isEqualTo("H");
  }
}
