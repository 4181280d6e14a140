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
 * How a request was served so far: what {@code router_metadata} and records are made of. A view for
 * the request's own thread.
 *
 * @param models what was asked for, as the caller named it; empty when nothing was
 * @param catalog the snapshot decided over
 * @param plan the decision; null when the request failed before one was made
 * @param attempts one entry per attempt and note, in order
 * @param by who answers; null when nobody does
 * @param attempt which attempt that was, from 1; of a refusal how many were made, 0 when no
 *     provider was reached
 * @param generationNanos from dispatching the answering upstream request until its body ended; -1
 *     while that is not known
 * @param inactive plugins that were asked for, accepted, and do nothing, each with the reason
 */
public record DeliveryState(
    List<ModelRef> models,
    Catalog catalog,
    @Nullable RoutePlan plan,
    List<TraceEntry> attempts,
    @Nullable PlannedAttempt by,
    int attempt,
    long generationNanos,
    List<TraceEntry.Note> inactive) {
  /** Of a request that failed before anything was decided. */
  public static final DeliveryState NONE =
      new DeliveryState(List.of(), Catalog.builder("none").build(), null, List.of(), null, 0, -1);

  public DeliveryState {
    models = List.copyOf(models);
    attempts = List.copyOf(attempts);
    inactive = List.copyOf(inactive);
  }

  /** Of a request whose plugins all do something, or that has none. */
  public DeliveryState(
      List<ModelRef> models,
      Catalog catalog,
      @Nullable RoutePlan plan,
      List<TraceEntry> attempts,
      @Nullable PlannedAttempt by,
      int attempt,
      long generationNanos) {
    this(models, catalog, plan, attempts, by, attempt, generationNanos, List.of());
  }

  /** The model as the caller named it, the first when several; empty when none. */
  public String requested() {
    return models.isEmpty() ? "" : models.get(0).toString();
  }

  /** Who answers; null when nobody does. */
  public @Nullable Endpoint endpoint() {
    return by == null ? null : by.endpoint();
  }

  /** The same, but nobody answers after all. */
  public DeliveryState withoutEndpoint() {
    return new DeliveryState(
        models, catalog, plan, attempts, null, attempt, generationNanos, inactive);
  }
}
