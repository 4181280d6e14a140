package io.strowger.core.dialect;

import io.strowger.core.inference.DeliveryState;
import io.strowger.core.plan.Naming;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The word for how a model came to serve: a router chose it, else a fallback the caller listed did,
 * else it was named as the latest of its family, by an alias, or directly. Plugins fact sheet,
 * section 1; open question 45.
 */
public final class Strategy {
  private Strategy() {}

  static String of(DeliveryState deliveryState, List<TraceEntry> trace) {
    return of(deliveryState.models(), deliveryState.catalog(), deliveryState.by(), trace);
  }

  /**
   * @param models the request's
   * @param by who answers; null when nobody does
   */
  public static String of(
      List<ModelRef> models, Catalog catalog, @Nullable PlannedAttempt by, List<TraceEntry> trace) {
    int place = by == null ? 0 : by.model();
    if (place >= models.size()) {
      return "direct";
    }
    ModelRef named = models.get(place);
    String router = router(named, trace);
    if (router != null) {
      return router;
    }
    return place > 0
        ? "fallback"
        : Naming.of(named.toString(), catalog).name().toLowerCase(Locale.ROOT);
  }

  /** Null when the name is that of a model. A router of somebody else's is an auto router. */
  private static @Nullable String router(ModelRef named, List<TraceEntry> trace) {
    return switch (named.slug().toLowerCase(Locale.ROOT)) {
      case "router/auto", "router/auto-beta" -> "auto";
      case "router/free" -> "free";
      case "router/pareto-code" -> "pareto";
      case "router/fusion", "router/fusion-flash" -> "fusion";
      case "router/bodybuilder" -> "bodybuilder";
      default -> stoodFor(named, trace) ? "auto" : null;
    };
  }

  private static boolean stoodFor(ModelRef named, List<TraceEntry> trace) {
    String name = named.toString();
    return trace.stream()
        .anyMatch(entry -> entry instanceof TraceEntry.Routed r && r.model().equals(name));
  }
}
