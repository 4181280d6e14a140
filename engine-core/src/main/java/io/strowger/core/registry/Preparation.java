package io.strowger.core.registry;

import io.strowger.core.ambient.BoundedCloser.Resource;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.ServerTool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the plugins ready for one catalog, and collects what fails. */
final class Preparation {
  private final Catalog catalog;
  private final List<ReadyPlugin> routers = new ArrayList<>();
  private final List<ReadyPlugin> interceptors = new ArrayList<>();
  private final Map<String, PluginEntry> saved = new LinkedHashMap<>();
  private final List<String> faults = new ArrayList<>();
  private boolean sound = true;

  Preparation(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Takes what the account has saved for a plugin; the entry was checked. */
  void take(PluginEntry entry) {
    if (saved.putIfAbsent(entry.id(), entry) != null) {
      fault("two defaults of " + entry.id());
    }
  }

  /** Makes a plugin ready. */
  void ready(PluginRegistryBuilder.Registered registered, @Nullable PluginEntry always) {
    Descriptor descriptor = registered.descriptor();
    try {
      EffectiveConfig standing =
          EffectiveConfig.of(
              descriptor, always, saved, registered.provider().inheritsDefaultsFrom());
      if (sound) {
        var ready = new ReadyPlugin(registered, catalog, standing, always != null);
        ready.plugin(standing.config()); // so that no request waits for what is computed once
        (descriptor.kind() == Descriptor.Kind.ROUTER ? routers : interceptors).add(ready);
      }
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      fault(registered, e);
    }
  }

  /**
   * Returns the tools of a provider that was made with settings, by type; none when it fails.
   *
   * @param types those it has without settings: with them it has the same, so that none is lost and
   *     no other plugin's is replaced
   */
  Map<String, ServerTool> tools(PluginRegistryBuilder.Registered registered, Set<String> types) {
    var tools = new LinkedHashMap<String, ServerTool>();
    try {
      registered.provider().tools().forEach(tool -> tools.put(tool.spec().type(), tool));
      if (!tools.keySet().equals(types)) {
        faults.add(
            "%s, %s, has other tools with its settings, %s instead of %s"
                .formatted(
                    registered.descriptor().id(),
                    CodeLocation.of(registered.provider()),
                    tools.keySet(),
                    types));
        return Map.of();
      }
      return tools;
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      // its kind, not its message, which may repeat a secret among the settings
      faults.add(
          "%s, %s, failed to tell its tools with its settings: %s"
              .formatted(
                  registered.descriptor().id(),
                  CodeLocation.of(registered.provider()),
                  e.getClass().getName()));
      return Map.of();
    }
  }

  /**
   * @param tools by type, with their settings
   * @param closeable providers that were made for this
   * @param settings what all of it was made ready with
   */
  PreparedPlugins done(
      Map<String, ServerTool> tools, List<Resource> closeable, PluginSettings settings) {
    return new PreparedPlugins(routers, interceptors, tools, closeable, settings);
  }

  /** Something is wrong with what is saved, so no plugin is made of it. */
  void fault(String what) {
    faults.add(what);
    sound = false;
  }

  private void fault(PluginRegistryBuilder.Registered registered, Throwable failure) {
    Throwable cause = failure instanceof PluginFailureException ? failure.getCause() : failure;
    faults.add(
        "%s, %s, made no plugin of its defaults for catalog %s: %s"
            .formatted(
                registered.descriptor().id(),
                CodeLocation.of(registered.provider()),
                catalog.version(),
                cause == null ? failure.getMessage() : cause));
  }

  List<String> faults() {
    return faults;
  }
}
