package io.strowger.core.registry;

import io.strowger.core.decode.Problems;
import io.strowger.core.plan.RouterFailure;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One plugin made ready for one catalog; gives its router for a configuration. */
final class ReadyRouter {
  private final PluginProvider provider;
  private final Descriptor descriptor;
  private final PluginProvider.Prepared prepared;
  private final Standing standing;
  private final boolean always;
  private final Made made = new Made();

  ReadyRouter(
      Roster.Registered registered,
      PluginProvider.Prepared prepared,
      Standing standing,
      boolean always) {
    provider = registered.provider();
    descriptor = registered.descriptor();
    this.prepared = prepared;
    this.standing = standing;
    this.always = always;
  }

  Descriptor descriptor() {
    return descriptor;
  }

  Standing standing() {
    return standing;
  }

  /** The host has it run on every request. */
  boolean always() {
    return always;
  }

  /**
   * The router with this configuration; null when the plugin has nothing to decide with it.
   *
   * @throws IllegalArgumentException when the schema does not hold for the configuration, which
   *     happens to one that another version recorded
   * @throws RouterFailure when the plugin fails
   */
  @Nullable RouterPlugin with(Json.Obj config) {
    RouterPlugin before = made.find(config);
    if (before != null) {
      return before;
    }
    var problems = new Problems();
    PluginConfig read = EntryReader.read(descriptor, config, JsonPointer.ROOT, problems);
    if (!problems.list().isEmpty()) {
      throw new IllegalArgumentException(
          "the configuration of " + descriptor.id() + ": " + problems.list());
    }
    if (create(read) instanceof RouterPlugin router) {
      made.keep(config, router);
      return router;
    }
    return null;
  }

  /** What the plugin is with this configuration, whatever its shape. */
  Plugin create(PluginConfig config) {
    try {
      return Objects.requireNonNull(provider.create(config, prepared), "create gave null");
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      throw new RouterFailure(descriptor.id(), e);
    }
  }

  /** What the router reads from a request. */
  Json facts(RouterPlugin router, InferenceRequest request) {
    try {
      return Objects.requireNonNull(router.facts(request), "facts gave null");
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      throw new RouterFailure(descriptor.id(), e);
    }
  }
}
