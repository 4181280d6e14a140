package io.strowger.spi.plugin;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.UnitPrice;
import java.util.Objects;

/**
 * An endpoint the request may use. What does not depend on the request - context length, supported
 * parameters, modalities - is in the {@link Endpoint}.
 *
 * @param endpoint the endpoint as in the catalog
 * @param promptPrice the price of one prompt token, for the prompt size and time of the request
 * @param completionPrice the price of one output token, for the same size and time
 * @param health recent measurements of the endpoint
 */
public record UsableEndpoint(
    Endpoint endpoint, UnitPrice promptPrice, UnitPrice completionPrice, Health health) {
  public UsableEndpoint {
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(promptPrice, "promptPrice");
    Objects.requireNonNull(completionPrice, "completionPrice");
    Objects.requireNonNull(health, "health");
  }

  /**
   * Recent measurements of an endpoint. Part of the decision's input, so a replayed decision sees
   * the same figures.
   *
   * @param latencyMillis median milliseconds to the first token: measured, else as the catalog
   *     assumes; -1 when not known
   * @param throughput median tokens per second: measured, else as the catalog assumes; -1 when not
   *     known
   * @param uptimePercent share of the requests of the last half hour that did not fail, 0 to 100;
   *     -1 when there were too few to tell
   * @param status the engine's judgement, by which endpoints are ordered when no router orders them
   */
  public record Health(
      double latencyMillis, double throughput, double uptimePercent, Status status) {
    /** The health of an endpoint that has not been used yet. */
    public static final Health UNKNOWN = new Health(-1, -1, -1, Status.NORMAL);
  }

  /** The engine's judgement of an endpoint. */
  public enum Status {
    NORMAL,
    /** It fails more often than usual; tried after normal ones. */
    DEGRADED,
    /** It fails so often that it is tried last. */
    DOWN
  }
}
