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
public final class StrategyName {
  private StrategyName() {}

  static String of(DeliveryState deliveryState, List<TraceEntry> trace) {
    return of(
        deliveryState.models(), deliveryState.catalog(), deliveryState.answeringAttempt(), trace);
  }

  /**
   * Returns the name of the strategy.
   *
   * @param models the models of the request, in order
   * @param attempt the attempt that answers; null when none does
   */
  public static String of(
      List<ModelRef> models,
      Catalog catalog,
      @Nullable PlannedAttempt attempt,
      List<TraceEntry> trace) {
    int index = attempt == null ? 0 : attempt.modelIndex();
    if (index >= models.size()) {
      return "direct";
    }
    ModelRef ref = models.get(index);
    String strategy = routerStrategy(ref, trace);
    if (strategy != null) {
      return strategy;
    }
    return index > 0
        ? "fallback"
        : Naming.of(ref.toString(), catalog).name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the strategy of the router with this name, {@code auto} for a third party's router;
   * null when the name is a model's.
   */
  private static @Nullable String routerStrategy(ModelRef ref, List<TraceEntry> trace) {
    return switch (ref.slug().toLowerCase(Locale.ROOT)) {
      case "router/auto", "router/auto-beta" -> "auto";
      case "router/free" -> "free";
      case "router/pareto-code" -> "pareto";
      case "router/fusion", "router/fusion-flash" -> "fusion";
      case "router/bodybuilder" -> "bodybuilder";
      default -> isRouted(ref, trace) ? "auto" : null;
    };
  }

  private static boolean isRouted(ModelRef ref, List<TraceEntry> trace) {
    String name = ref.toString();
    return trace.stream()
        .anyMatch(entry -> entry instanceof TraceEntry.Routed r && r.model().equals(name));
  }
}
