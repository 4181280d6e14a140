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
  private record CatalogPlanner(Catalog catalog, Planner planner) {}

  private final ReplayRouters routers;
  private final Deque<CatalogPlanner> planners = new ArrayDeque<>();

  /**
   * @param routers the routers that take part in the decisions
   */
  public ReplayPlanners(ReplayRouters routers) {
    this.routers = routers;
  }

  /** Returns the planner of a catalog, which is created unless it was kept. */
  public Planner forCatalog(Catalog catalog) {
    for (CatalogPlanner cached : planners) {
      if (cached.catalog() == catalog) {
        return cached.planner();
      }
    }
    var planner = new Planner(catalog, routers.forCatalog(catalog));
    planners.addFirst(new CatalogPlanner(catalog, planner));
    if (planners.size() > CatalogLogStates.MAX_CATALOGS) {
      planners.removeLast();
    }
    return planner;
  }
}
