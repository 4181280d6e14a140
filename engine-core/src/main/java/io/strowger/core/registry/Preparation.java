package io.strowger.core.registry;

import io.strowger.core.plan.RouterFailure;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the plugins ready for one catalog, and collects what fails. */
final class Preparation {
  private final PluginRegistry registry;
  private final Catalog catalog;
  private final Map<String, PluginEntry> saved = new LinkedHashMap<>();
  private final List<String> faults = new ArrayList<>();

  Preparation(PluginRegistry registry, Catalog catalog) {
    this.registry = registry;
    this.catalog = catalog;
  }

  /** Takes what the account has saved for a plugin; the entry was checked. */
  void take(PluginEntry entry) {
    if (saved.putIfAbsent(entry.id(), entry) != null) {
      faults.add("two defaults of " + entry.id());
    }
  }

  /** The plugin made ready; null when it is no router. */
  @Nullable ReadyRouter ready(Roster.Registered registered, @Nullable PluginEntry always) {
    Descriptor descriptor = registered.descriptor();
    if (descriptor.status() == Descriptor.Status.INACTIVE) {
      return null;
    }
    try {
      PluginProvider.Prepared prepared = registered.provider().prepare(catalog);
      if (prepared == null) {
        fault(registered, "gave nothing", null);
        return null;
      }
      Standing standing =
          Standing.of(descriptor, always, saved, registered.provider().defaultsOf());
      var ready = new ReadyRouter(registered, prepared, standing, always != null);
      return faults.isEmpty() ? shaped(registered, ready) : null;
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      fault(registered, "failed", e);
      return null;
    }
  }

  private @Nullable ReadyRouter shaped(Roster.Registered registered, ReadyRouter ready) {
    try {
      Plugin plugin = ready.create(registry.read(ready.descriptor(), ready.standing().config()));
      if (plugin instanceof Interceptor) {
        faults.add(
            ready.descriptor().id() + " is an interceptor, and this version runs none of them yet");
      }
    } catch (RouterFailure e) {
      fault(registered, "made no plugin of its defaults", e.getCause());
    }
    return ready;
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
