package io.strowger.core.inference;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a request was served so far; {@code router_metadata} and records are made from it. Confined
 * to the request's own thread.
 *
 * @param models the requested models as the caller named them; may be empty
 * @param catalog the catalog the decision was made over
 * @param plan the decision; null when the request failed before one was made
 * @param attempts one entry per attempt and note, in order
 * @param answeringAttempt the attempt whose endpoint answers; null when none does
 * @param attemptNumber the number of that attempt, from 1; for a refusal the number of attempts
 *     made, 0 when no provider was reached
 * @param generationNanos nanoseconds from sending the answering upstream request until its body
 *     ended; -1 while not known
 * @param inactivePlugins a note for each requested plugin that has no effect, with the reason
 */
public record DeliveryState(
    List<ModelRef> models,
    Catalog catalog,
    @Nullable RoutePlan plan,
    List<TraceEntry> attempts,
    @Nullable PlannedAttempt answeringAttempt,
    int attemptNumber,
    long generationNanos,
    List<TraceEntry.Note> inactivePlugins) {
  /** The state of a request that failed before a decision was made. */
  public static final DeliveryState NONE =
      new DeliveryState(List.of(), Catalog.builder("none").build(), null, List.of(), null, 0, -1);

  public DeliveryState {
    models = List.copyOf(models);
    attempts = List.copyOf(attempts);
    inactivePlugins = List.copyOf(inactivePlugins);
  }

  /** Creates the state of a request without inactive plugins. */
  public DeliveryState(
      List<ModelRef> models,
      Catalog catalog,
      @Nullable RoutePlan plan,
      List<TraceEntry> attempts,
      @Nullable PlannedAttempt answeringAttempt,
      int attemptNumber,
      long generationNanos) {
    this(
        models,
        catalog,
        plan,
        attempts,
        answeringAttempt,
        attemptNumber,
        generationNanos,
        List.of());
  }

  /** Returns the first requested model as the caller named it; empty when there is none. */
  public String requestedModel() {
    return models.isEmpty() ? "" : models.get(0).toString();
  }

  /** Returns the endpoint that answers; null when none does. */
  public @Nullable Endpoint endpoint() {
    return answeringAttempt == null ? null : answeringAttempt.endpoint();
  }

  /** Returns the same state without an endpoint that answers. */
  public DeliveryState withoutEndpoint() {
    return new DeliveryState(
        models, catalog, plan, attempts, null, attemptNumber, generationNanos, inactivePlugins);
  }
}
