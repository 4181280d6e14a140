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
    try (var fixture = new HealthFixture()) {
      Statistics first = fixture.catalogHealth.published();
      assertThat(first.sequence()).isEqualTo(1);
      fixture.advance(Duration.ofHours(1));
      fixture.advance(Duration.ofHours(1));
      assertThat(fixture.catalogHealth.published()).isSameAs(first);
      fixture.succeed("alpha", 1);
      assertThat(fixture.catalogHealth.published()).as("not before the tick").isSameAs(first);
      fixture.publish();
      assertThat(fixture.catalogHealth.published().sequence()).isEqualTo(2);
      fixture.publish();
      assertThat(fixture.catalogHealth.published().sequence()).as("nothing changed").isEqualTo(2);
    }
  }

  @Test
  @DisplayName("of an endpoint survive a new catalog, whatever number the endpoint has in it")
  void newCatalog() {
    try (var fixture = new HealthFixture()) {
      fixture.fail("beta", 5);
      ProviderInfo beta = fixture.endpoint("beta").provider();
      Endpoint only = Endpoint.builder("m1", beta).build();
      Catalog next =
          Catalog.builder("v2").add(ModelInfo.builder("m1").build(), List.of(only)).build();
      CatalogHealth old = fixture.catalogHealth;
      Endpoint oldBeta = fixture.endpoint("beta");
      fixture.catalogHealth = fixture.health.healthOf(next);
      assertThat(fixture.statistics("beta").isBreakerOpen()).isTrue();
      assertThat(fixture.begin("beta")).isNull();
      fixture.advance(Duration.ofSeconds(5));
      fixture.beginPermitted("beta").complete(1, 0, false, false);
      assertThat(old.published().of(oldBeta).isBreakerOpen())
          .as("the old catalog, which is still in use")
          .isFalse();
    }
  }

  @Test
  @DisplayName("of an endpoint first used by a request with the old catalog reach the new one")
  void lateRequest() {
    try (var fixture = new HealthFixture()) {
      Endpoint alpha = fixture.endpoint("alpha");
      CatalogHealth old = fixture.catalogHealth;
      fixture.catalogHealth = fixture.health.healthOf(HealthFixture.catalog("v2"));
      for (int i = 0; i < 5; i++) {
        begin(old, alpha).fail(Failure.of(FailureKind.UNAVAILABLE, "down"));
      }
      assertThat(fixture.statistics("alpha").isBreakerOpen()).isTrue();
      assertThat(fixture.begin("alpha")).isNull();
    }
  }

  @Test
  @DisplayName("are no longer published for a catalog that is no longer used")
  void forgottenBoard() throws InterruptedException {
    try (var fixture = new HealthFixture()) {
      var old = new WeakReference<>(fixture.catalogHealth);
      fixture.catalogHealth = fixture.health.healthOf(HealthFixture.catalog("v2"));
      for (int i = 0; i < 100 && old.get() != null; i++) {
        System.gc();
      }
      assertThat(old.get()).isNull();
    }
  }

  @Test
  @DisplayName("of an endpoint that is in no catalog are dropped once nothing is known of it")
  void dropped() {
    try (var fixture = new HealthFixture()) {
      fixture.succeed("alpha", 1);
      fixture.fail("beta", 5);
      Catalog none = Catalog.builder("v2").build();
      fixture.catalogHealth = fixture.health.healthOf(none);
      assertThat(fixture.health.endpoints()).hasSize(2);
      fixture.advance(Duration.ofHours(26));
      fixture.catalogHealth = fixture.health.healthOf(none);
      assertThat(fixture.health.endpoints()).as("a breaker is still open").hasSize(1);
    }
  }

  @Test
  @DisplayName("cannot be asked about an endpoint of another catalog")
  void foreignEndpoint() {
    try (var fixture = new HealthFixture()) {
      Endpoint foreignEndpoint =
          Endpoint.builder("m", fixture.endpoint("alpha").provider()).build();
      assertThatThrownBy(() -> fixture.catalogHealth.begin(PlannedAttempt.of(foreignEndpoint)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName(
      "are no longer published after the gateway was closed, when requests may still report")
  void closed() {
    var fixture = new HealthFixture();
    TrackedAttempt trackedAttempt = fixture.beginPermitted("alpha");
    fixture.close();
    trackedAttempt.complete(1, 0, false, false);
    fixture.fail("alpha", 20, FailureKind.CANCELLED);
    assertThat(fixture.catalogHealth.published().sequence()).isEqualTo(1);
  }

  @Tag("full")
  @Test
  @DisplayName("of 2,000 endpoints that are busy for minutes take at most 96 MB, quiet ones 8 MB")
  void memory() {
    var ambient = TestAmbient.at(HealthFixture.START);
    try (var health = new Health(ambient, HealthPolicy.STANDARD)) {
      CatalogHealth catalogHealth = health.healthOf(large(2_000));
      List<Endpoint> all = catalogHealth.catalog().endpoints();
      assertThat(health.bytes()).as("never used").isZero();
      all.forEach(endpoint -> begin(catalogHealth, endpoint).complete(0, 0, false, false));
      assertThat(health.bytes()).as("quiet").isBetween(6_000_000L, 8_000_000L);
      for (int halfMinute = 0; halfMinute < 75; halfMinute++) {
        ambient.awaitSleepers(1);
        ambient.advance(Duration.ofSeconds(30));
        for (Endpoint endpoint : all) {
          TrackedAttempt trackedAttempt = begin(catalogHealth, endpoint);
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

  private static TrackedAttempt begin(CatalogHealth catalogHealth, Endpoint endpoint) {
    return Objects.requireNonNull(catalogHealth.begin(PlannedAttempt.of(endpoint)));
  }

  private static Catalog large(int endpoints) {
    var builder = Catalog.builder("large");
    for (int model = 0; model < endpoints / 10; model++) {
      var modelEndpoints = new ArrayList<Endpoint>();
      for (int i = 0; i < 10; i++) {
        var provider = new ProviderInfo("p" + i, "p" + i, false, false, null, false);
        modelEndpoints.add(Endpoint.builder("m" + model, provider).build());
      }
      builder.add(ModelInfo.builder("m" + model).build(), modelEndpoints);
    }
    return builder.build();
  }
}
