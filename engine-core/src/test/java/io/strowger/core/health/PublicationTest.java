package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.tck.TestAmbient;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Statistics")
class PublicationTest {
  @Test
  @DisplayName("are published for a new catalog at once, then only when something changed")
  void onlyChanges() {
    try (var gate = new Gate()) {
      Statistics first = gate.board.published();
      assertThat(first.sequence()).isEqualTo(1);
      gate.pass(Duration.ofHours(1));
      gate.pass(Duration.ofHours(1));
      assertThat(gate.board.published()).isSameAs(first);
      gate.succeed("alpha", 1);
      assertThat(gate.board.published()).as("not before the tick").isSameAs(first);
      gate.publish();
      assertThat(gate.board.published().sequence()).isEqualTo(2);
      gate.publish();
      assertThat(gate.board.published().sequence()).as("nothing new").isEqualTo(2);
    }
  }

  @Test
  @DisplayName("are told to listeners in order and before anybody can decide by them")
  void listeners() {
    try (var gate = new Gate()) {
      var heard = new ArrayList<String>();
      gate.health.listen(
          (catalog, statistics) -> {
            throw new IllegalStateException("costs nobody else anything");
          });
      Health.Registration registration =
          gate.health.listen(
              (catalog, statistics) ->
                  heard.add(
                      catalog.version()
                          + " "
                          + statistics.sequence()
                          + " after "
                          + gate.board.published().sequence()));
      gate.fail("alpha", 5);
      gate.fail("beta", 5);
      registration.close();
      gate.fail("gamma", 5);
      assertThat(heard).containsExactly("v1 2 after 1", "v1 3 after 2");
      assertThat(gate.board.published().sequence()).isEqualTo(4);
    }
  }

  @Test
  @DisplayName("of an endpoint outlive the catalog, under whatever number it has in the next")
  void newCatalog() {
    try (var gate = new Gate()) {
      gate.fail("beta", 5);
      ProviderInfo beta = gate.endpoint("beta").provider();
      Endpoint only = Endpoint.builder("m1", beta).build();
      Catalog next =
          Catalog.builder("v2").add(ModelInfo.builder("m1").build(), List.of(only)).build();
      CatalogHealth old = gate.board;
      Endpoint oldBeta = gate.endpoint("beta");
      gate.board = gate.health.healthOf(next);
      assertThat(gate.of("beta").isBreakerOpen()).isTrue();
      assertThat(gate.begin("beta")).isNull();
      gate.pass(Duration.ofSeconds(5));
      gate.let("beta").complete(1, 0, false, false);
      assertThat(old.published().of(oldBeta).isBreakerOpen())
          .as("the old catalog, which is still in use")
          .isFalse();
    }
  }

  @Test
  @DisplayName("of an endpoint first used by a request with the old catalog reach the new one")
  void lateRequest() {
    try (var gate = new Gate()) {
      Endpoint alpha = gate.endpoint("alpha");
      CatalogHealth old = gate.board;
      gate.board = gate.health.healthOf(Gate.catalog("v2"));
      for (int i = 0; i < 5; i++) {
        begin(old, alpha).fail(Failure.of(FailureKind.UNAVAILABLE, "down"));
      }
      assertThat(gate.of("alpha").isBreakerOpen()).isTrue();
      assertThat(gate.begin("alpha")).isNull();
    }
  }

  @Test
  @DisplayName("are no more published for a catalog nobody uses any more")
  void forgottenBoard() throws InterruptedException {
    try (var gate = new Gate()) {
      var old = new WeakReference<>(gate.board);
      gate.board = gate.health.healthOf(Gate.catalog("v2"));
      for (int i = 0; i < 100 && old.get() != null; i++) {
        System.gc();
      }
      assertThat(old.get()).isNull();
    }
  }

  @Test
  @DisplayName("of an endpoint no catalog names are dropped once nothing is known any more")
  void dropped() {
    try (var gate = new Gate()) {
      gate.succeed("alpha", 1);
      gate.fail("beta", 5);
      Catalog none = Catalog.builder("v2").build();
      gate.board = gate.health.healthOf(none);
      assertThat(gate.health.endpoints()).hasSize(2);
      gate.pass(Duration.ofHours(26));
      gate.board = gate.health.healthOf(none);
      assertThat(gate.health.endpoints()).as("a breaker is still open").hasSize(1);
    }
  }

  @Test
  @DisplayName("cannot be asked about an endpoint of another catalog")
  void stranger() {
    try (var gate = new Gate()) {
      Endpoint stranger = Endpoint.builder("m", gate.endpoint("alpha").provider()).build();
      assertThatThrownBy(() -> gate.board.begin(PlannedAttempt.of(stranger)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName("end with the gateway, and requests under way may still report")
  void closed() {
    var gate = new Gate();
    TrackedAttempt trackedAttempt = gate.let("alpha");
    gate.close();
    trackedAttempt.complete(1, 0, false, false);
    gate.fail("alpha", 20, FailureKind.CANCELLED);
    assertThat(gate.board.published().sequence()).isEqualTo(1);
  }

  @Tag("full")
  @Test
  @DisplayName("of 2,000 endpoints that are busy for minutes take at most 96 MB, quiet ones 8 MB")
  void memory() {
    var ambient = TestAmbient.at(Gate.START);
    try (var health = new Health(ambient, HealthPolicy.STANDARD)) {
      CatalogHealth board = health.healthOf(large(2_000));
      List<Endpoint> all = board.catalog().endpoints();
      assertThat(health.bytes()).as("never used").isZero();
      all.forEach(endpoint -> begin(board, endpoint).complete(0, 0, false, false));
      assertThat(health.bytes()).as("quiet").isBetween(6_000_000L, 8_000_000L);
      for (int halfMinute = 0; halfMinute < 75; halfMinute++) {
        ambient.awaitSleepers(1);
        ambient.advance(Duration.ofSeconds(30));
        for (Endpoint endpoint : all) {
          TrackedAttempt trackedAttempt = begin(board, endpoint);
          trackedAttempt.recordFirstContent(1_000_000);
          trackedAttempt.complete(100, 1_000_000_000, true, false);
        }
      }
      assertThat(health.bytes()).as("busy").isBetween(85_000_000L, 96_000_000L);
      ambient.awaitSleepers(1);
      ambient.advance(Duration.ofMinutes(36));
      ambient.awaitSleepers(1);
      assertThat(health.bytes()).as("quiet again").isLessThan(8_000_000L);
    }
    ambient.assertNoThreadsLeft();
  }

  private static TrackedAttempt begin(CatalogHealth board, Endpoint endpoint) {
    return Objects.requireNonNull(board.begin(PlannedAttempt.of(endpoint)));
  }

  private static Catalog large(int endpoints) {
    var builder = Catalog.builder("large");
    for (int model = 0; model < endpoints / 10; model++) {
      var own = new ArrayList<Endpoint>();
      for (int i = 0; i < 10; i++) {
        var provider = new ProviderInfo("p" + i, "p" + i, false, false, null, false);
        own.add(Endpoint.builder("m" + model, provider).build());
      }
      builder.add(ModelInfo.builder("m" + model).build(), own);
    }
    return builder.build();
  }
}
