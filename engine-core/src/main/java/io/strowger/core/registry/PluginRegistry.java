package io.strowger.core.registry;

import io.strowger.core.ambient.BoundedCloser;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.config.Plugins;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.guardrail.ModerationProvider;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.core.registry.PluginRegistryBuilder.RegisteredProvider;
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
import java.util.LinkedHashSet;
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

  private final Map<String, RegisteredProvider> byId; // in the order plugins act
  private final Map<String, Descriptor> bySlug;
  private final Map<String, Set<String>> toolTypesByPlugin;
  private final Map<String, ServerTool> tools; // by type
  private final @Nullable SchemaValidator schemaValidator;
  private final Map<String, PluginEntry> alwaysEntries;
  private final String unknownIdMessage; // the message for an unknown id

  private PluginRegistry(PluginRegistryBuilder builder) {
    var ids = new LinkedHashMap<String, RegisteredProvider>();
    builder.inOrder().forEach(registered -> ids.put(registered.descriptor().id(), registered));
    byId = Collections.unmodifiableMap(ids);
    unknownIdMessage = "must be one of " + String.join(", ", ids.keySet());
    bySlug = Map.copyOf(builder.bySlug());
    builder.collectTools();
    toolTypesByPlugin = builder.toolTypesByPlugin();
    tools = Collections.unmodifiableMap(builder.toolsByType());
    schemaValidator = builder.schemaValidator();
    alwaysEntries = new LinkedHashMap<>();
    for (PluginEntry entry : builder.alwaysEntries()) {
      if (alwaysEntries.putIfAbsent(entry.id(), entry) != null) {
        builder.addFault("two configurations for running " + entry.id() + " on every request");
      }
      var problems = new Problems();
      checkSaved(entry, JsonPointer.ROOT, problems);
      for (Problem problem : problems.list()) {
        builder.addFault(
            "the configuration for running " + entry.id() + " on every request: " + problem);
      }
    }
  }

  /**
   * Builds the registry of the engine's own plugin, {@code moderation}, and those of the host. To
   * replace {@code moderation}, a host calls {@link Plugins#replace} and does not add another.
   *
   * @throws IllegalStateException naming everything that is wrong: ids given twice with the classes
   *     and jars they came from, providers and tools that cannot be loaded or do not describe
   *     themselves, replacements of plugins that do not exist, invalid configurations
   */
  public static PluginRegistry of(Plugins plugins) {
    var builder = new PluginRegistryBuilder();
    builder.apply(new Plugins.Step.Add(new ModerationProvider(), false));
    plugins.steps().forEach(builder::apply);
    var registry = new PluginRegistry(builder);
    if (!builder.faults().isEmpty()) {
      throw new IllegalStateException("plugins: " + String.join("; ", builder.faults()));
    }
    return registry;
  }

  /** Returns the descriptors of all plugins, in the order the plugins act. */
  public List<Descriptor> descriptors() {
    return byId.values().stream().map(RegisteredProvider::descriptor).toList();
  }

  public @Nullable Descriptor descriptor(String id) {
    RegisteredProvider registered = byId.get(id);
    return registered == null ? null : registered.descriptor();
  }

  /** Returns the plugin for a model slug without variants, ignoring case; null if none. */
  public @Nullable Descriptor pluginOfSlug(String modelSlug) {
    return bySlug.get(modelSlug.toLowerCase(Locale.ROOT));
  }

  @Override
  public boolean isPluginSlug(String model) {
    return pluginOfSlug(model) != null;
  }

  /** Returns the tools of the plugins in their order, then the tools that belong to no plugin. */
  public Collection<ServerTool> tools() {
    return tools.values();
  }

  @Override
  public Set<String> toolTypes() {
    return tools.keySet();
  }

  /**
   * Returns the tool of this type as the host gave it; null when there is none. For the tool with a
   * configuration's settings see {@link PreparedPlugins#tool}.
   */
  public @Nullable ServerTool tool(String type) {
    return tools.get(type);
  }

  /** Returns the validator of tool arguments; null when the host gave none. */
  public @Nullable SchemaValidator schemaValidator() {
    return schemaValidator;
  }

  /**
   * @throws PluginFailureException when the plugin fails to read the entry's members
   */
  @Override
  public void check(PluginEntry entry, JsonPointer at, Problems problems) {
    Descriptor descriptor = descriptor(entry.id());
    if (descriptor == null) {
      problems.add(at.child("id"), unknownIdMessage, Json.of(entry.id()));
      return;
    }
    try {
      EntryReader.read(descriptor, entry.config(), at, problems);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      throw new PluginFailureException(descriptor.id(), e);
    }
  }

  /**
   * Checks an entry of the host or of the configuration. Unlike an entry of a request, it must not
   * have unknown members, because a misspelt one would silently leave a plugin without its limits.
   */
  private void checkSaved(PluginEntry entry, JsonPointer at, Problems problems) {
    try {
      check(entry, at, problems);
      rejectUnknownMembers(entry, at, problems);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failure) {
      Throwable cause = Objects.requireNonNullElse(failure.getCause(), failure);
      // the class only: the message may repeat a secret
      problems.add(at, "makes " + entry.id() + " fail: " + cause.getClass().getName(), "");
    }
  }

  private void rejectUnknownMembers(PluginEntry entry, JsonPointer at, Problems problems) {
    Descriptor descriptor = descriptor(entry.id());
    if (descriptor == null) {
      return; // reported as an unknown plugin
    }
    var known = new LinkedHashSet<>(List.of("id", "enabled", "prevent_overrides"));
    descriptor.schema().fields().forEach(field -> known.add(field.name()));
    for (RegisteredProvider registered : byId.values()) {
      if (registered.provider().inheritsDefaultsFrom().contains(entry.id())) {
        registered.descriptor().schema().fields().forEach(field -> known.add(field.name()));
      }
    }
    for (int i = 0; i < entry.config().size(); i++) {
      String member = entry.config().name(i);
      if (!known.contains(member)) {
        problems.add(
            at.child(member),
            "is not a member of " + entry.id() + "; allowed: " + String.join(", ", known),
            "");
      }
    }
  }

  /**
   * Prepares the plugins for a catalog. This may take long, so do not call it while a request
   * waits.
   *
   * @throws IllegalStateException naming every plugin that failed
   */
  public PreparedPlugins prepare(Catalog catalog) {
    return prepare(catalog, List.of());
  }

  /**
   * Prepares the plugins for a catalog and an account.
   *
   * @param defaults what the account has saved, in the form of a request's entries; with {@code
   *     prevent_overrides} a request's own entry changes nothing
   * @throws IllegalStateException naming every plugin that failed and every invalid default
   */
  public PreparedPlugins prepare(Catalog catalog, List<PluginEntry> defaults) {
    var nothingToClose = new BoundedCloser(new SystemAmbient()); // no provider is created again
    return prepare(catalog, new PluginSettings(defaults, Map.of()), nothingToClose);
  }

  /**
   * Prepares the plugins for a catalog with the defaults and settings of a configuration.
   *
   * @param closer closes the providers created with settings if this method throws; this method
   *     waits for it
   * @throws IllegalStateException naming every plugin that failed and every invalid default and
   *     setting
   */
  public PreparedPlugins prepare(Catalog catalog, PluginSettings settings, BoundedCloser closer) {
    var problems = new Problems();
    var configured = new ConfiguredProviders(byId, problems);
    boolean succeeded = false;
    try {
      configure(configured, settings, problems);
      var preparation = new Preparation(catalog);
      problems.list().forEach(problem -> preparation.addSavedEntryFault(problem.toString()));
      settings.defaults().forEach(preparation::addSavedEntry);
      for (RegisteredProvider registered : configured.providers()) {
        preparation.prepare(registered, alwaysEntries.get(registered.descriptor().id()));
      }
      Map<String, ServerTool> preparedTools = tools(configured, preparation);
      if (!preparation.faults().isEmpty()) {
        throw new IllegalStateException("plugins: " + String.join("; ", preparation.faults()));
      }
      succeeded = true;
      return preparation.finish(preparedTools, configured.closeable(), settings);
    } finally {
      if (!succeeded) {
        closer.close(configured.closeable());
      }
    }
  }

  /** Returns all tools; those of providers with settings replace the host's. */
  private Map<String, ServerTool> tools(ConfiguredProviders configured, Preparation preparation) {
    var allTools = new LinkedHashMap<>(tools);
    for (RegisteredProvider registered : configured.providers()) {
      RegisteredProvider hostProvider = byId.get(registered.descriptor().id());
      if (hostProvider == null || hostProvider.provider() != registered.provider()) {
        String id = registered.descriptor().id();
        Set<String> types = toolTypesByPlugin.getOrDefault(id, Set.of());
        preparation.tools(registered, types).forEach(allTools::replace);
      }
    }
    return allTools;
  }

  /**
   * Returns the problems of a configuration's plugin section, each with its place in the file.
   * Creates providers with their settings to find out, and closes them again.
   *
   * @param closer closes the providers; this method waits for it
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
      for (RegisteredProvider registered : configured.providers()) {
        checkUsable(registered, settings.defaults(), problems);
      }
    }
  }

  /** Reports defaults that are switched on but cannot work with the current settings. */
  private static void checkUsable(
      RegisteredProvider registered, List<PluginEntry> defaults, Problems problems) {
    Descriptor descriptor = registered.descriptor();
    for (int i = 0; i < defaults.size(); i++) {
      PluginEntry entry = defaults.get(i);
      if (entry.enabled() && entry.id().equals(descriptor.id())) {
        JsonPointer at = SECTION.child("defaults").child(i);
        String reason =
            registered
                .provider()
                .unusableReason(EntryReader.read(descriptor, entry.config(), at, problems));
        if (reason != null) {
          problems.add(at, reason, "");
        }
      }
    }
  }
}
