package io.strowger.core.config;

import io.strowger.core.registry.PluginRegistry;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.ServerTool;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.function.Function;

/**
 * The plugins and server tools of a gateway, in addition to the engine's own plugin, {@code
 * moderation}. Immutable: every method returns a new value.
 *
 * <pre>{@code
 * var plugins = Plugins.none()
 *     .discover(ServiceLoader.load(PluginProvider.class))
 *     .discoverTools(ServiceLoader.load(ServerTool.class))
 *     .add(new HouseRouterProvider(policy))
 *     .replace("web", new OurSearchProvider(client));
 * }</pre>
 *
 * <p>Conflicts are errors, never resolved silently: {@link PluginRegistry#of} reports two providers
 * with one id, two tools of one type and classes that cannot be loaded, with the classes and their
 * jars. The order of plugins is that of their descriptors, never that of the calls here.
 */
public final class Plugins {
  private static final Plugins NONE = new Plugins(List.of());
  private static final int MAX_FAULTS = 100; // per loader: a broken one might fail without end

  private final List<Step> steps;

  /** One change that the host made; checked when the gateway is built. */
  public sealed interface Step {
    record Add(PluginProvider provider, boolean isDiscovered) implements Step {}

    record Replace(String id, PluginProvider provider) implements Step {}

    record Always(PluginEntry entry) implements Step {}

    record Tool(ServerTool tool) implements Step {}

    record Schemas(SchemaValidator validator) implements Step {}

    record Unloadable(String kind, String reason) implements Step {}
  }

  private Plugins(List<Step> steps) {
    this.steps = List.copyOf(steps);
  }

  /** Returns an empty value: only the engine's own plugin. */
  public static Plugins none() {
    return NONE;
  }

  /**
   * Adds the providers a loader finds. Reads the loader at once; load failures are reported when
   * the gateway is built.
   *
   * @param loader usually a {@link java.util.ServiceLoader}. The host chooses it: the engine never
   *     scans the class path itself
   */
  public Plugins discover(Iterable<PluginProvider> loader) {
    return with(loader, "a plugin", provider -> new Step.Add(provider, true));
  }

  /**
   * Adds the server tools a loader finds, which belong to no plugin. Works like {@link #discover}.
   */
  public Plugins discoverTools(Iterable<ServerTool> loader) {
    return with(loader, "a server tool", Step.Tool::new);
  }

  private <T> Plugins with(Iterable<T> loader, String kind, Function<T, Step> step) {
    var newSteps = new ArrayList<>(steps);
    Iterator<T> iterator = loader.iterator();
    int faults = 0;
    while (faults < MAX_FAULTS) {
      try {
        if (!iterator.hasNext()) {
          break;
        }
        newSteps.add(step.apply(iterator.next()));
      } catch (ServiceConfigurationError e) {
        Throwable cause = e.getCause();
        newSteps.add(
            new Step.Unloadable(kind, e.getMessage() + (cause == null ? "" : ": " + cause)));
        faults++;
      } catch (LinkageError | AssertionError | StackOverflowError e) { // ServiceLoader rethrows it
        newSteps.add(new Step.Unloadable(kind, e.toString()));
        faults++;
      }
    }
    return new Plugins(newSteps);
  }

  /** Adds a server tool that the host made and that belongs to no plugin. */
  public Plugins tool(ServerTool tool) {
    return with(new Step.Tool(Objects.requireNonNull(tool, "tool")));
  }

  /**
   * Checks the arguments that models write for server tools against the tools' schemas. Without a
   * validator, tools get unchecked arguments. May be called once.
   */
  public Plugins schemas(SchemaValidator validator) {
    return with(new Step.Schemas(Objects.requireNonNull(validator, "validator")));
  }

  /** Adds a provider that the host made. */
  public Plugins add(PluginProvider provider) {
    return with(new Step.Add(Objects.requireNonNull(provider, "provider"), false));
  }

  /**
   * Replaces the provider with this id, which must already be present. This is the only way to
   * override an id.
   */
  public Plugins replace(String id, PluginProvider provider) {
    return with(
        new Step.Replace(
            Objects.requireNonNull(id, "id"), Objects.requireNonNull(provider, "provider")));
  }

  /**
   * Runs a plugin on every request, as if each had this entry; a request's own entry for the id
   * wins member by member.
   *
   * @param config the members of the entry besides {@code id}; checked when the registry is built
   */
  public Plugins always(String id, Json.Obj config) {
    return with(new Step.Always(new PluginEntry(id, true, config)));
  }

  private Plugins with(Step step) {
    var newSteps = new ArrayList<>(steps);
    newSteps.add(step);
    return new Plugins(newSteps);
  }

  /** Returns the changes in the order in which they were made. */
  public List<Step> steps() {
    return steps;
  }
}
