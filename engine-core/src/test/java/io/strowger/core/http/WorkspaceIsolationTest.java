package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.http.TwoWorkspaces.Entry;
import io.strowger.core.http.TwoWorkspaces.Reach;
import io.strowger.core.http.TwoWorkspaces.Told;
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
  private final TwoWorkspaces two = new TwoWorkspaces();

  @AfterEach
  void close() {
    two.close();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("by any operation: what exists there is answered as what does not exist at all")
  void indistinguishable(Operation operation) {
    Entry entry = TwoWorkspaces.entry(operation);
    String query = entry.path().indexOf('?') < 0 ? "" : entry.path();
    String path = query.isEmpty() ? entry.path() : query.substring(0, query.indexOf('?'));
    assertThat(new Routes().operation(entry.method(), path)).isEqualTo(operation);
    String named = entry.named();
    String thing = named == null ? "$" : Objects.requireNonNull(two.things.get(named));
    Told there = two.ask(two.outside, entry, thing);
    if (named != null) {
      assertThat(there).isEqualTo(two.ask(two.outside, entry, TwoWorkspaces.unknown(named)));
    }
    two.things.values().stream()
        .filter(value -> value.length() > "secret".length())
        .forEach(value -> assertThat(there.body()).doesNotContain(value));
    switch (entry.reach()) {
      case WORKSPACE -> assertThat(there.status()).isEqualTo(named == null ? 200 : 404);
      case INFERENCE -> assertThat(there.status()).isEqualTo(404);
      case MANAGEMENT -> assertThat(there.status()).isEqualTo(403);
      case CATALOG -> assertThat(there).isEqualTo(two.ask(two.inside, entry, thing));
      case OWN_KEY -> assertThat(there.status()).isEqualTo(200);
      case NOTHING -> assertThat(there.status()).isIn(200, 404, 405);
    }
    if (entry.reach() == Reach.WORKSPACE) {
      assertThat(there.body()).doesNotContain("secret");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("though its BYOK keys see it, and management keys see all of the account")
  void visible(Operation operation) {
    Entry entry = TwoWorkspaces.entry(operation);
    String named = entry.named();
    if (named == null || named.equals("uuid")) {
      return;
    }
    String thing = Objects.requireNonNull(two.things.get(named));
    if (entry.reach() == Reach.WORKSPACE || entry.reach() == Reach.INFERENCE) {
      assertThat(two.ask(two.inside, entry, thing).status()).isEqualTo(200);
    }
    if (entry.reach() == Reach.MANAGEMENT) {
      boolean inPath = entry.path().contains("/$") && !named.equals("preset");
      if (inPath) {
        assertThat(two.ask(TwoWorkspaces.ADMIN, entry, TwoWorkspaces.unknown(named)).status())
            .isEqualTo(404);
      }
      assertThat(two.ask(TwoWorkspaces.ADMIN, entry, thing).status())
          .as("409: a workspace that has keys")
          .isIn(200, 201, 409);
    }
  }

  @Proves("resources.operation.generation")
  @Test
  @DisplayName("of generations, which a management key may read of any workspace")
  void management() {
    String id = Objects.requireNonNull(two.things.get("generation"));
    for (String path : List.of("/generation", "/generation/content")) {
      assertThat(two.send(TwoWorkspaces.ADMIN, "GET", path + "?id=" + id, "").status())
          .isEqualTo(200);
    }
  }
}
