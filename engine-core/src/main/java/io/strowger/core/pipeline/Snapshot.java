package io.strowger.core.pipeline;

import io.strowger.core.attempt.Deadlines;
import io.strowger.core.attempt.UpstreamResolver;
import io.strowger.core.health.CatalogHealth;
import io.strowger.core.plan.Planner;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.registry.PreparedPlugins;
import io.strowger.spi.catalog.Catalog;
import java.util.Objects;

/**
 * Everything a request needs of the configuration, as one immutable whole. A request takes it once
 * and keeps it; a change swaps the whole.
 *
 * @param catalog what there is to route to
 * @param registered the plugins and tools there are
 * @param plugins made ready for that catalog
 * @param planner decides over that catalog with those plugins
 * @param board how the endpoints of that catalog fare
 * @param upstreams who speaks to its providers
 * @param deadlines how long things may take
 * @param terms of the account
 */
public record Snapshot(
    Catalog catalog,
    PluginRegistry registered,
    PreparedPlugins plugins,
    Planner planner,
    CatalogHealth board,
    UpstreamResolver upstreams,
    Deadlines deadlines,
    AccountPolicy terms) {
  public Snapshot {
    Objects.requireNonNull(catalog, "catalog");
    Objects.requireNonNull(registered, "registered");
    Objects.requireNonNull(plugins, "plugins");
    Objects.requireNonNull(planner, "planner");
    Objects.requireNonNull(board, "board");
    Objects.requireNonNull(upstreams, "upstreams");
    Objects.requireNonNull(deadlines, "deadlines");
    Objects.requireNonNull(terms, "terms");
  }
}
