package io.strowger.core.registry;

import io.strowger.core.ambient.BoundedCloser.Resource;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.core.registry.PluginRegistryBuilder.RegisteredProvider;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Prepares the plugins for one catalog, and collects failures. */
final class Preparation {
  private final Catalog catalog;
  private final List<PreparedPlugin> routers = new ArrayList<>();
  private final List<PreparedPlugin> interceptors = new ArrayList<>();
  private final Map<String, PluginEntry> savedEntries = new LinkedHashMap<>();
  private final List<String> faults = new ArrayList<>();
  private boolean areSavedEntriesValid = true;

  Preparation(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Adds the entry that the account has saved for a plugin; the entry has been checked. */
  void addSavedEntry(PluginEntry entry) {
    if (savedEntries.putIfAbsent(entry.id(), entry) != null) {
      addSavedEntryFault("two saved entries for " + entry.id());
    }
  }

  /**
   * Prepares a plugin.
   *
   * @param hostEntry the host's entry, which runs the plugin on every request; null when there is
   *     none
   */
  void prepare(RegisteredProvider registered, @Nullable PluginEntry hostEntry) {
    Descriptor descriptor = registered.descriptor();
    try {
      EffectiveConfig effectiveConfig =
          EffectiveConfig.of(
              descriptor, hostEntry, savedEntries, registered.provider().inheritsDefaultsFrom());
      if (areSavedEntriesValid) {
        var preparedPlugin =
            new PreparedPlugin(registered, catalog, effectiveConfig, hostEntry != null);
        // creates and caches the plugin now, so that no request has to wait for it
        preparedPlugin.pluginFor(effectiveConfig.config());
        (descriptor.kind() == Descriptor.Kind.ROUTER ? routers : interceptors).add(preparedPlugin);
      }
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      addPluginFault(registered, e);
    }
  }

  /**
   * Returns the tools of a provider that was made with settings, by type; none when it fails.
   *
   * @param types the types of the provider's tools without settings. With settings they must be the
   *     same, so that no tool is lost and no other plugin's tool is replaced
   */
  Map<String, ServerTool> tools(RegisteredProvider registered, Set<String> types) {
    var tools = new LinkedHashMap<String, ServerTool>();
    try {
      registered.provider().tools().forEach(tool -> tools.put(tool.spec().type(), tool));
      if (!tools.keySet().equals(types)) {
        faults.add(
            "%s (%s) has the tools %s with its settings, but %s without them; they must be the same"
                .formatted(
                    registered.descriptor().id(),
                    CodeLocation.of(registered.provider()),
                    tools.keySet(),
                    types));
        return Map.of();
      }
      return tools;
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      // the class only: the message may repeat a secret from the settings
      faults.add(
          "%s, %s, failed to list its tools with its settings: %s"
              .formatted(
                  registered.descriptor().id(),
                  CodeLocation.of(registered.provider()),
                  e.getClass().getName()));
      return Map.of();
    }
  }

  /**
   * Returns the prepared plugins.
   *
   * @param tools by type, with their settings
   * @param closeable the providers that were made with settings
   * @param settings the settings they were made with
   */
  PreparedPlugins finish(
      Map<String, ServerTool> tools, List<Resource> closeable, PluginSettings settings) {
    return new PreparedPlugins(routers, interceptors, tools, closeable, settings);
  }

  /** Records a problem of the saved entries; no further plugin is made from them. */
  void addSavedEntryFault(String message) {
    faults.add(message);
    areSavedEntriesValid = false;
  }

  private void addPluginFault(RegisteredProvider registered, Throwable failure) {
    Throwable cause = failure instanceof PluginFailureException ? failure.getCause() : failure;
    String reason = cause == null ? String.valueOf(failure.getMessage()) : cause.toString();
    if (cause != null && registered.provider() instanceof PluginProvider.Configurable) {
      reason = cause.getClass().getName(); // the message may repeat a secret from the settings
    }
    faults.add(
        "%s, %s, could not create a plugin from its defaults for catalog %s: %s"
            .formatted(
                registered.descriptor().id(),
                CodeLocation.of(registered.provider()),
                catalog.version(),
                reason));
  }

  List<String> faults() {
    return faults;
  }
}
