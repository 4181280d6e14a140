package io.strowger.core.health;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The health of the endpoints of one catalog, with what the tests need. They name the endpoint
 * {@code m1@alpha} by its tag {@code alpha}, and so on: the model m1 is served by alpha, beta,
 * gamma, delta and epsilon, and m2 by alpha/turbo.
 */
final class HealthFixture implements AutoCloseable {
  static final String START = "2026-11-21T12:00:00Z";
  static final long START_MILLIS = 1_795_262_400_000L;

  final TestAmbient ambient = TestAmbient.at(START);
  final Catalog catalog = catalog("v1");
  final Health health;
  CatalogHealth catalogHealth;

  HealthFixture() {
    this(HealthPolicy.STANDARD);
  }

  HealthFixture(HealthPolicy policy) {
    health = new Health(ambient, policy);
    catalogHealth = health.healthOf(catalog);
    ambient.awaitSleepers(1);
  }

  static Catalog catalog(String version) {
    var first = new ArrayList<Endpoint>();
    for (String slug : List.of("alpha", "beta", "gamma", "delta", "epsilon")) {
      first.add(Endpoint.builder("m1", provider(slug)).build());
    }
    var turbo = Endpoint.builder("m2", provider("alpha")).tag("alpha/turbo").build();
    return Catalog.builder(version)
        .add(ModelInfo.builder("m1").build(), first)
        .add(ModelInfo.builder("m2").build(), List.of(turbo))
        .build();
  }

  private static ProviderInfo provider(String slug) {
    return new ProviderInfo(slug, slug, false, false, null, false);
  }

  Endpoint endpoint(String tag) {
    return catalogHealth.catalog().endpoints().stream()
        .filter(one -> one.tag().equals(tag))
        .findFirst()
        .orElseThrow();
  }

  @Nullable TrackedAttempt begin(String tag) {
    return catalogHealth.begin(PlannedAttempt.of(endpoint(tag)));
  }

  @Nullable TrackedAttempt beginWith(String key, String tag) {
    return catalogHealth.begin(new PlannedAttempt(endpoint(tag), 0, key, false));
  }

  /** Begins an attempt, which must be permitted. */
  TrackedAttempt beginPermitted(String tag) {
    return Objects.requireNonNull(begin(tag), () -> tag + " does not permit the attempt");
  }

  TrackedAttempt beginPermittedWith(String key, String tag) {
    return Objects.requireNonNull(
        beginWith(key, tag), () -> "the attempt with " + key + " is not permitted");
  }

  void succeed(String tag, int times) {
    for (int i = 0; i < times; i++) {
      beginPermitted(tag).complete(0, 0, false, false);
    }
  }

  void fail(String tag, int times) {
    fail(tag, times, FailureKind.UNAVAILABLE);
  }

  void fail(String tag, int times, FailureKind kind) {
    for (int i = 0; i < times; i++) {
      beginPermitted(tag).fail(Failure.of(kind, "failed"));
    }
  }

  /** Advances the time, at least to the next publication, and waits until changes are published. */
  void advance(Duration time) {
    ambient.advance(time);
    ambient.awaitSleepers(1);
  }

  /** Advances the time to the next publication. */
  void publish() {
    advance(HealthPolicy.STANDARD.publishInterval());
  }

  EndpointStatistics statistics(String tag) {
    return catalogHealth.published().of(endpoint(tag));
  }

  @Override
  public void close() {
    health.close();
    ambient.assertNoThreadsLeft();
  }
}
