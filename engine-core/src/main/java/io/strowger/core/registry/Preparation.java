package io.strowger.core.registry;

import io.strowger.core.plan.PluginFailure;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the plugins ready for one catalog, and collects what fails. */
final class Preparation {
  private final Catalog catalog;
  private final List<ReadyPlugin> routers = new ArrayList<>();
  private final List<ReadyPlugin> interceptors = new ArrayList<>();
  private final Map<String, PluginEntry> saved = new LinkedHashMap<>();
  private final List<String> inactive = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  Preparation(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Takes what the account has saved for a plugin; the entry was checked. */
  void take(PluginEntry entry) {
    if (saved.putIfAbsent(entry.id(), entry) != null) {
      faults.add("two defaults of " + entry.id());
    }
  }

  /** Makes a plugin ready, unless it has no behaviour. */
  void ready(Roster.Registered registered, @Nullable PluginEntry always) {
    Descriptor descriptor = registered.descriptor();
    if (descriptor.status() == Descriptor.Status.INACTIVE) {
      if (Standing.of(descriptor, always, saved, List.of()).runsUnasked()) {
        inactive.add(descriptor.id());
      }
      return;
    }
    try {
      PluginProvider.Prepared prepared = registered.provider().prepare(catalog);
      if (prepared == null) {
        fault(registered, "gave nothing", null);
        return;
      }
      Standing standing =
          Standing.of(descriptor, always, saved, registered.provider().defaultsOf());
      if (faults.isEmpty()) {
        shaped(registered, new ReadyPlugin(registered, prepared, standing, always != null));
      }
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      fault(registered, "failed", e);
    }
  }

  /** Only what a provider makes of its defaults tells what it makes. */
  private void shaped(Roster.Registered registered, ReadyPlugin ready) {
    Plugin plugin;
    try {
      plugin = ready.create(ready.standing().config());
    } catch (PluginFailure e) {
      fault(registered, "made no plugin of its defaults", e.getCause());
      return;
    }
    boolean slugs = !ready.descriptor().slugs().isEmpty();
    switch (plugin) {
      case RouterPlugin router -> routers.add(ready);
      case Interceptor interceptor when slugs ->
          faults.add(
              "%s is an interceptor and stands for %s, which only a router can"
                  .formatted(ready.descriptor().id(), ready.descriptor().slugs()));
      case Interceptor interceptor -> interceptors.add(ready);
      case Plugin.Inactive inactive -> either(ready, slugs);
    }
  }

  /** Nothing yet tells what it makes, but where it could act. */
  private void either(ReadyPlugin ready, boolean slugs) {
    if (slugs || ready.always()) {
      routers.add(ready);
    }
    if (!slugs) {
      interceptors.add(ready);
    }
  }

  PreparedPlugins done() {
    return new PreparedPlugins(routers, interceptors, inactive);
  }

  void fault(String what) {
    faults.add(what);
  }

  private void fault(Roster.Registered registered, String what, @Nullable Throwable cause) {
    faults.add(
        "%s, %s, %s for catalog %s%s"
            .formatted(
                registered.descriptor().id(),
                Roster.origin(registered.provider()),
                what,
                catalog.version(),
                cause == null ? "" : ": " + cause));
  }

  List<String> faults() {
    return faults;
  }
}
