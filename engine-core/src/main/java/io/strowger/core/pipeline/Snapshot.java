package io.strowger.core.pipeline;

import io.strowger.core.attempt.Deadlines;
import io.strowger.core.attempt.UpstreamResolver;
import io.strowger.core.health.CatalogHealth;
import io.strowger.core.plan.Planner;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.registry.PreparedPlugins;
import io.strowger.spi.catalog.Catalog;

/**
 * The part of the configuration that requests need, as one immutable value. A request takes it once
 * and keeps it; a change of the configuration replaces it.
 *
 * @param catalog the models and endpoints to route to
 * @param pluginRegistry the registered plugins and tools
 * @param plugins the plugins prepared for that catalog
 * @param planner the planner for that catalog and those plugins
 * @param health the health of that catalog's endpoints
 * @param upstreams finds the adapters and credentials of its providers
 * @param deadlines the time limits of requests
 * @param accountPolicy the policy of the account
 */
public record Snapshot(
    Catalog catalog,
    PluginRegistry pluginRegistry,
    PreparedPlugins plugins,
    Planner planner,
    CatalogHealth health,
    UpstreamResolver upstreams,
    Deadlines deadlines,
    AccountPolicy accountPolicy) {}
