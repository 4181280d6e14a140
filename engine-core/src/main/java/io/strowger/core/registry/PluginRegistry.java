package io.strowger.core.registry;

import io.strowger.core.ambient.BoundedCloser;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.config.Plugins;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.guardrail.ModerationProvider;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.ServerTool;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plugins of one gateway, checked as a whole. Immutable, safe on any thread.
 *
 * <p>Contract: "Plugins".
 */
public final class PluginRegistry implements PluginChecks {
  private static final JsonPointer SECTION = JsonPointer.ROOT.child("plugins"); // of the file

  private final Map<String, PluginRegistryBuilder.Registered> byId; // in the order plugins act
  private final Map<String, Descriptor> bySlug;
  private final Map<String, Set<String>> toolTypesByPlugin;
  private final Map<String, ServerTool> tools; // by type
  private final @Nullable SchemaValidator schemas;
  private final Map<String, PluginEntry> always;
  private final String known; // what is said of an id nobody has

  private PluginRegistry(PluginRegistryBuilder pluginRegistryBuilder) {
    var ids = new LinkedHashMap<String, PluginRegistryBuilder.Registered>();
    pluginRegistryBuilder
        .inOrder()
        .forEach(registered -> ids.put(registered.descriptor().id(), registered));
    byId = Collections.unmodifiableMap(ids);
    known = "must be one of " + String.join(", ", ids.keySet());
    bySlug = Map.copyOf(pluginRegistryBuilder.bySlug());
    var toolRegistryBuilder = new ToolRegistryBuilder(pluginRegistryBuilder);
    toolTypesByPlugin = toolRegistryBuilder.typesByPlugin();
    tools = Collections.unmodifiableMap(toolRegistryBuilder.byType());
    schemas = pluginRegistryBuilder.schemas();
    always = new LinkedHashMap<>();
    for (PluginEntry entry : pluginRegistryBuilder.always()) {
      if (always.putIfAbsent(entry.id(), entry) != null) {
        pluginRegistryBuilder.fault(
            "two configurations to run " + entry.id() + " with on every request");
      }
      var problems = new Problems();
      checkSaved(entry, JsonPointer.ROOT, problems);
      for (Problem problem : problems.list()) {
        pluginRegistryBuilder.fault("always " + entry.id() + ": " + problem);
      }
    }
  }

  /**
   * Builds the whole: the engine's own plugin, {@code moderation}, and what the host gave. The host
   * puts another in its place with {@link Plugins#replace}, and does not add it.
   *
   * @throws IllegalStateException naming everything that is wrong: ids given twice with the classes
   *     and jars they came from, providers and tools that cannot be loaded or do not describe
   *     themselves, a replacement for nothing, configurations that do not hold
   */
  public static PluginRegistry of(Plugins plugins) {
    var pluginRegistryBuilder = new PluginRegistryBuilder();
    pluginRegistryBuilder.take(new Plugins.Step.Add(new ModerationProvider(), false));
    plugins.steps().forEach(pluginRegistryBuilder::take);
    var registry = new PluginRegistry(pluginRegistryBuilder);
    if (!pluginRegistryBuilder.faults().isEmpty()) {
      throw new IllegalStateException(
          "plugins: " + String.join("; ", pluginRegistryBuilder.faults()));
    }
    return registry;
  }

  /** What every plugin says of itself, in the order they act. */
  public List<Descriptor> descriptors() {
    return byId.values().stream().map(PluginRegistryBuilder.Registered::descriptor).toList();
  }

  public @Nullable Descriptor descriptor(String id) {
    PluginRegistryBuilder.Registered registered = byId.get(id);
    return registered == null ? null : registered.descriptor();
  }

  /** The plugin that stands for this model, in any case and without variants; null when none. */
  public @Nullable Descriptor routerOf(String modelSlug) {
    return bySlug.get(modelSlug.toLowerCase(Locale.ROOT));
  }

  @Override
  public boolean isRouter(String model) {
    return routerOf(model) != null;
  }

  /** The tools of the plugins in their order, then the others. */
  public Collection<ServerTool> tools() {
    return tools.values();
  }

  @Override
  public Set<String> toolTypes() {
    return tools.keySet();
  }

  /**
   * The tool of this type as the host gave it; null when there is none. With the settings of a
   * configuration it is {@link PreparedPlugins#tool}.
   */
  public @Nullable ServerTool tool(String type) {
    return tools.get(type);
  }

  /** What checks arguments against the schemas of tools; null when the host gave nothing. */
  public @Nullable SchemaValidator schemas() {
    return schemas;
  }

  /**
   * @throws PluginFailureException when the plugin fails to read its members
   */
  @Override
  public void check(PluginEntry entry, JsonPointer at, Problems problems) {
    Descriptor descriptor = descriptor(entry.id());
    if (descriptor == null) {
      problems.add(at.child("id"), known, Json.of(entry.id()));
      return;
    }
    try {
      EntryReader.read(descriptor, entry.config(), at, problems);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      throw new PluginFailureException(descriptor.id(), e);
    }
  }

  /** The same, but a plugin that fails is one of the problems. */
  private void checkSaved(PluginEntry entry, JsonPointer at, Problems problems) {
    try {
      check(entry, at, problems);
    } catch (PluginFailureException failure) {
      Throwable cause = Objects.requireNonNullElse(failure.getCause(), failure);
      // its kind, not its message, which may repeat a secret
      problems.add(at, "makes " + entry.id() + " fail: " + cause.getClass().getName(), "");
    }
  }

  /**
   * Makes the plugins ready for a catalog. Takes as long as the slowest of them needs; not for a
   * request's path.
   *
   * @throws IllegalStateException naming every plugin that failed
   */
  public PreparedPlugins prepare(Catalog catalog) {
    return prepare(catalog, List.of());
  }

  /**
   * Makes the plugins ready for a catalog and an account.
   *
   * @param defaults what the account has saved, in the form of a request's entries; with {@code
   *     prevent_overrides} a request's own entry changes nothing
   * @throws IllegalStateException naming every plugin that failed and every default that does not
   *     hold
   */
  public PreparedPlugins prepare(Catalog catalog, List<PluginEntry> defaults) {
    var nothingToClose = new BoundedCloser(new SystemAmbient()); // no provider is made anew
    return prepare(catalog, new PluginSettings(defaults, Map.of()), nothingToClose);
  }

  /**
   * Makes the plugins ready for a catalog and what a configuration says of them.
   *
   * @param closer closes the providers that were made with settings when this throws, and is waited
   *     for
   * @throws IllegalStateException naming every plugin that failed and every default and setting
   *     that does not hold
   */
  public PreparedPlugins prepare(Catalog catalog, PluginSettings settings, BoundedCloser closer) {
    var problems = new Problems();
    var configured = new ConfiguredProviders(byId, problems);
    boolean done = false;
    try {
      configure(configured, settings, problems);
      var preparation = new Preparation(catalog);
      problems.list().forEach(problem -> preparation.fault(problem.toString()));
      settings.defaults().forEach(preparation::take);
      for (PluginRegistryBuilder.Registered registered : configured.all()) {
        preparation.ready(registered, always.get(registered.descriptor().id()));
      }
      Map<String, ServerTool> prepared = tools(configured, preparation);
      if (!preparation.faults().isEmpty()) {
        throw new IllegalStateException("plugins: " + String.join("; ", preparation.faults()));
      }
      done = true;
      return preparation.done(prepared, configured.closeable(), settings);
    } finally {
      if (!done) {
        closer.close(configured.closeable());
      }
    }
  }

  /** The tools, those of providers with settings made anew. */
  private Map<String, ServerTool> tools(ConfiguredProviders configured, Preparation preparation) {
    var all = new LinkedHashMap<>(tools);
    for (PluginRegistryBuilder.Registered registered : configured.all()) {
      PluginRegistryBuilder.Registered given = byId.get(registered.descriptor().id());
      if (given == null || given.provider() != registered.provider()) {
        String id = registered.descriptor().id();
        Set<String> types = toolTypesByPlugin.getOrDefault(id, Set.of());
        preparation.tools(registered, types).forEach(all::replace);
      }
    }
    return all;
  }

  /**
   * What does not hold of what a configuration says of plugins, each with its place in the file.
   * Makes providers with their settings to find out, and closes and forgets them.
   *
   * @param closer closes them, and is waited for
   */
  public List<Problem> problems(PluginSettings settings, BoundedCloser closer) {
    var problems = new Problems();
    var configured = new ConfiguredProviders(byId, problems);
    try {
      configure(configured, settings, problems);
    } finally {
      closer.close(configured.closeable());
    }
    return problems.list();
  }

  private void configure(
      ConfiguredProviders configured, PluginSettings settings, Problems problems) {
    for (int i = 0; i < settings.defaults().size(); i++) {
      checkSaved(settings.defaults().get(i), SECTION.child("defaults").child(i), problems);
    }
    configured.configure(settings);
    if (problems.list().isEmpty()) {
      for (PluginRegistryBuilder.Registered registered : configured.all()) {
        checkUsable(registered, settings.defaults(), problems);
      }
    }
  }

  /** Defaults that are on although they can do nothing with the settings there are. */
  private static void checkUsable(
      PluginRegistryBuilder.Registered registered, List<PluginEntry> defaults, Problems problems) {
    Descriptor descriptor = registered.descriptor();
    for (int i = 0; i < defaults.size(); i++) {
      PluginEntry entry = defaults.get(i);
      if (entry.enabled() && entry.id().equals(descriptor.id())) {
        JsonPointer at = SECTION.child("defaults").child(i);
        String why =
            registered
                .provider()
                .unusableReason(EntryReader.read(descriptor, entry.config(), at, problems));
        if (why != null) {
          problems.add(at, why, "");
        }
      }
    }
  }
}
