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
 * Names how the answering model was selected: by a router, else as a fallback the caller listed,
 * else as the latest of its family, by an alias, or directly by its name. Plugins fact sheet,
 * section 1; open question 45.
 */
public final class Strategy {
  private Strategy() {}

  static String of(DeliveryState deliveryState, List<TraceEntry> trace) {
    return of(deliveryState.models(), deliveryState.catalog(), deliveryState.answeredBy(), trace);
  }

  /**
   * Returns the name of the strategy.
   *
   * @param models the models of the request, in order
   * @param by the attempt that answers; null when none does
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

  /**
   * Returns the strategy of the router with this name, {@code auto} for a third party's router;
   * null when the name is a model's.
   */
  private static @Nullable String router(ModelRef named, List<TraceEntry> trace) {
    return switch (named.slug().toLowerCase(Locale.ROOT)) {
      case "router/auto", "router/auto-beta" -> "auto";
      case "router/free" -> "free";
      case "router/pareto-code" -> "pareto";
      case "router/fusion", "router/fusion-flash" -> "fusion";
      case "router/bodybuilder" -> "bodybuilder";
      default -> isRouted(named, trace) ? "auto" : null;
    };
  }

  private static boolean isRouted(ModelRef named, List<TraceEntry> trace) {
    String name = named.toString();
    return trace.stream()
        .anyMatch(entry -> entry instanceof TraceEntry.Routed r && r.model().equals(name));
  }
}
