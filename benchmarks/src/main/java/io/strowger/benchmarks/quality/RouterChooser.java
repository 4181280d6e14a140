package io.strowger.benchmarks.quality;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.routing.RoutePlan;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.Dialect;

/**
 * Lets a gateway choose a model for each question: that of the first endpoint it would try. Nothing
 * is sent. Confined to one thread.
 */
final class RouterChooser implements AutoCloseable {
  private final LearnedCatalog catalog;
  private final long seed;
  private final RunningGateway gateway;

  /** The decision of a gateway. */
  sealed interface Choice {
    /**
     * A model was chosen.
     *
     * @param name the name of the model in the file
     */
    record Model(String name) implements Choice {}

    /**
     * The request was refused.
     *
     * @param message the reason
     */
    record Refusal(String message) implements Choice {}
  }

  /**
   * @param seed the seed of the random choices; every question has random choices of its own, which
   *     follow from the seed and its id
   */
  RouterChooser(LearnedCatalog catalog, long seed) {
    this.catalog = catalog;
    this.seed = seed;
    this.gateway =
        RunningGateway.open(
            catalog.config(), new SystemAmbient(), RunningGateway.HostResources.NONE);
  }

  Choice choose(RouterSetting setting, Question question) {
    RoutePlan plan;
    try {
      plan =
          gateway
              .gateway()
              .routing()
              .explain(Dialect.CHAT, setting.body(question.prompt()), seed ^ question.idHash())
              .plan();
    } catch (GatewayException e) { // such as a prompt that no request may have
      return new Choice.Refusal(e.error().message());
    }
    return switch (plan) {
      case RoutePlan.Attempts attempts ->
          new Choice.Model(catalog.name(attempts.candidates().getFirst().endpoint().model()));
      case RoutePlan.NoRoute none -> new Choice.Refusal(none.error().message());
    };
  }

  @Override
  public void close() {
    gateway.close();
  }
}
