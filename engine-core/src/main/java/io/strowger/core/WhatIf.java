package io.strowger.core;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.config.Plugins;
import io.strowger.core.decisionlog.ReplayRouters;
import io.strowger.core.loading.ClassPath;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides the requests of a decision log again under other preferences, another configuration or
 * both, and reports which decisions change and what that means for money and latency. Nothing is
 * sent or spent.
 *
 * <pre>{@code
 * WhatIfReport report =
 *     WhatIf.over(Path.of("decisions.log"))
 *         .preferences(Json.object().put("sort", "latency").build())
 *         .run();
 * }</pre>
 *
 * <p>Figures come from the log alone: prices from its catalogs (or the new configuration), latency
 * from its statistics, usage from the answers that were given. What cannot be known is assumed as
 * follows:
 *
 * <ul>
 *   <li>another endpoint uses the same tokens, even where another model would have answered at
 *       another length, or where the prompt was in the cache of the logged endpoint;
 *   <li>an endpoint that failed or was skipped for a request fails it again, and every other
 *       endpoint answers it;
 *   <li>statistics, budgets and sticky endpoints are those of the log, even where other decisions
 *       would have changed them;
 *   <li>with another configuration, models, endpoints, prices and settings of plugins are the new
 *       ones; the rules of the account and the key, and the request's facts, are those of the log.
 * </ul>
 *
 * <p>Reads the log once, from beginning to end, and keeps none of it: memory is bounded by the
 * catalogs, not by the length of the log. For one use on one thread.
 */
public final class WhatIf {
  private static final int DEFAULT_MAX_CHANGES = 20;

  private final Path log;
  private Ambient ambient = new SystemAmbient();
  private PreferenceChange preferences = PreferenceChange.NONE;
  private @Nullable Catalog catalog;
  private PluginSettings settings = PluginSettings.NONE;
  private @Nullable Plugins plugins;
  private int maxChanges = DEFAULT_MAX_CHANGES;
  private Progress progress = (decisions, bytes) -> {};

  private WhatIf(Path log) {
    this.log = log;
  }

  /** Receives the progress of a run, on the thread of the run. */
  @FunctionalInterface
  public interface Progress {
    /**
     * Called after every decision.
     *
     * @param decisions the number of decisions read so far, at least 1
     * @param bytes the number of bytes of the log read so far
     */
    void onProgress(long decisions, long bytes);
  }

  /**
   * Returns a new analysis of a log that {@code serve --decisions} or a {@code DecisionLogWriter}
   * wrote. The file is opened by {@link #run}.
   */
  public static WhatIf over(Path log) {
    return new WhatIf(Objects.requireNonNull(log, "log"));
  }

  /**
   * Merges provider preferences into every request: a member replaces the request's own, and null
   * removes it. A request's {@code order} still takes precedence over {@code sort}; merge {@code
   * "order": null} too to prevent that.
   *
   * @param provider the {@code provider} object of a request
   * @throws io.strowger.spi.error.GatewayException with every problem when the object is invalid
   */
  public WhatIf preferences(Json.Obj provider) {
    preferences = PreferenceChange.of(provider);
    return this;
  }

  /** Decides over the models, endpoints, prices and plugin settings of a configuration. */
  public WhatIf configuration(GatewayConfig config) {
    catalog = config.catalog();
    settings = config.plugins();
    return this;
  }

  /**
   * Decides with these settings of plugins. The catalogs stay those of the log, unless {@link
   * #configuration} sets another one.
   */
  public WhatIf settings(PluginSettings value) {
    settings = Objects.requireNonNull(value, "value");
    return this;
  }

  /** Sets the plugins whose routers take part; those on the class path by default. */
  public WhatIf plugins(Plugins value) {
    plugins = Objects.requireNonNull(value, "value");
    return this;
  }

  /** Sets how many changed decisions the report shows, at least 0; 20 by default. */
  public WhatIf maxChanges(int max) {
    if (max < 0) {
      throw new IllegalArgumentException("the number of changes must be at least 0, was " + max);
    }
    maxChanges = max;
    return this;
  }

  /** Sets the listener that receives the progress of a run; none by default. */
  public WhatIf progress(Progress value) {
    progress = Objects.requireNonNull(value, "value");
    return this;
  }

  /** Sets the source of the threads that close routers; the JDK's by default. */
  public WhatIf ambient(Ambient value) {
    ambient = Objects.requireNonNull(value, "value");
    return this;
  }

  /**
   * Reads the log, decides each request again and returns the report.
   *
   * @throws IOException when the log cannot be read
   * @throws IllegalStateException when plugins conflict; the message names them
   */
  public WhatIfReport run() throws IOException {
    Plugins routerPlugins = plugins == null ? ClassPath.plugins(null) : plugins;
    try (ReplayRouters routers = ReplayRouters.of(routerPlugins, settings, ambient);
        InputStream in = new BufferedInputStream(Files.newInputStream(log))) {
      return new WhatIfRun(routers, catalog, preferences, maxChanges).run(in, progress);
    }
  }
}
