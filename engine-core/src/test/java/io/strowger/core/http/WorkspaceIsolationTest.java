package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.http.TwoWorkspaces.Entry;
import io.strowger.core.http.TwoWorkspaces.Reach;
import io.strowger.core.http.TwoWorkspaces.TestResponse;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A key sees nothing of another workspace")
class WorkspaceIsolationTest {
  private final TwoWorkspaces workspaces = new TwoWorkspaces();

  @AfterEach
  void close() {
    workspaces.close();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("by any operation: what exists there is answered like what does not exist at all")
  void indistinguishable(Operation operation) {
    Entry entry = TwoWorkspaces.entry(operation);
    String query = entry.path().indexOf('?') < 0 ? "" : entry.path();
    String path = query.isEmpty() ? entry.path() : query.substring(0, query.indexOf('?'));
    assertThat(new Routes().operation(entry.method(), path)).isEqualTo(operation);
    String resourceName = entry.resourceName();
    String resource =
        resourceName == null ? "$" : Objects.requireNonNull(workspaces.resources.get(resourceName));
    TestResponse response = workspaces.ask(workspaces.outsideKey, entry, resource);
    if (resourceName != null) {
      assertThat(response)
          .isEqualTo(
              workspaces.ask(workspaces.outsideKey, entry, TwoWorkspaces.unknown(resourceName)));
    }
    workspaces.resources.values().stream()
        .filter(value -> value.length() > "secret".length())
        .forEach(value -> assertThat(response.body()).doesNotContain(value));
    switch (entry.reach()) {
      case WORKSPACE -> assertThat(response.status()).isEqualTo(resourceName == null ? 200 : 404);
      case INFERENCE -> assertThat(response.status()).isEqualTo(404);
      case MANAGEMENT -> assertThat(response.status()).isEqualTo(403);
      case CATALOG ->
          assertThat(response).isEqualTo(workspaces.ask(workspaces.insideKey, entry, resource));
      case OWN_KEY -> assertThat(response.status()).isEqualTo(200);
      case NOTHING -> assertThat(response.status()).isIn(200, 404, 405);
    }
    if (entry.reach() == Reach.WORKSPACE) {
      assertThat(response.body()).doesNotContain("secret");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("while that workspace's own keys see it, and management keys see all of the account")
  void visible(Operation operation) {
    Entry entry = TwoWorkspaces.entry(operation);
    String resourceName = entry.resourceName();
    if (resourceName == null) {
      return;
    }
    String resource = Objects.requireNonNull(workspaces.resources.get(resourceName));
    if (entry.reach() == Reach.WORKSPACE || entry.reach() == Reach.INFERENCE) {
      assertThat(workspaces.ask(workspaces.insideKey, entry, resource).status()).isEqualTo(200);
    }
    if (entry.reach() == Reach.MANAGEMENT) {
      boolean inPath = entry.path().contains("/$") && !resourceName.equals("preset");
      if (inPath) {
        assertThat(
                workspaces
                    .ask(TwoWorkspaces.ADMIN, entry, TwoWorkspaces.unknown(resourceName))
                    .status())
            .isEqualTo(404);
      }
      assertThat(workspaces.ask(TwoWorkspaces.ADMIN, entry, resource).status())
          .as("409: a workspace that has keys")
          .isIn(200, 201, 409);
    }
  }

  @Proves("resources.operation.generation")
  @Test
  @DisplayName("except for management keys, which may read the generations of any workspace")
  void management() {
    String id = Objects.requireNonNull(workspaces.resources.get("generation"));
    for (String path : List.of("/generation", "/generation/content")) {
      assertThat(workspaces.send(TwoWorkspaces.ADMIN, "GET", path + "?id=" + id, "").status())
          .isEqualTo(200);
    }
  }
}
