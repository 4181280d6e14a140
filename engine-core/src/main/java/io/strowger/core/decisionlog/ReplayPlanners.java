package io.strowger.core.decisionlog;

import io.strowger.core.plan.Planner;
import io.strowger.spi.catalog.Catalog;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Creates the planners of the catalogs in a log, and keeps those that the log may refer to again.
 * For one thread.
 */
public final class ReplayPlanners {
  private record Ready(Catalog catalog, Planner planner) {}

  private final ReplayRouters routers;
  private final Deque<Ready> ready = new ArrayDeque<>();

  /**
   * @param routers the routers that take part in the decisions
   */
  public ReplayPlanners(ReplayRouters routers) {
    this.routers = routers;
  }

  /** Returns the planner of a catalog, which is created unless it was kept. */
  public Planner over(Catalog catalog) {
    for (Ready one : ready) {
      if (one.catalog() == catalog) {
        return one.planner();
      }
    }
    var planner = new Planner(catalog, routers.over(catalog));
    ready.addFirst(new Ready(catalog, planner));
    if (ready.size() > CatalogParts.MOST) {
      ready.removeLast();
    }
    return planner;
  }
}
