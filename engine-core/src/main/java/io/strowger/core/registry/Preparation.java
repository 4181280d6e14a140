package io.strowger.core.registry;

import io.strowger.core.plan.PluginFailure;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
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

  /** Makes a plugin ready, unless it has no behaviour. */
  void ready(Roster.Registered registered, @Nullable PluginEntry always) {
    Descriptor descriptor = registered.descriptor();
    if (descriptor.status() == Descriptor.Status.INACTIVE) {
      if (Standing.of(descriptor, always, saved, List.of()).runsUnasked()) {
        inactive.add(descriptor.id());
      }
      return;
    }
    boolean slugs = !descriptor.slugs().isEmpty();
    if (descriptor.kind() == Descriptor.Kind.INTERCEPTOR && slugs) {
      faults.add(
          "%s is an interceptor and stands for %s, which only a router can"
              .formatted(descriptor.id(), descriptor.slugs()));
      return;
    }
    try {
      Standing standing =
          Standing.of(descriptor, always, saved, registered.provider().defaultsOf());
      if (sound) {
        var ready = new ReadyPlugin(registered, catalog, standing, always != null);
        ready.plugin(standing.config()); // so that no request waits for what is computed once
        (descriptor.kind() == Descriptor.Kind.ROUTER ? routers : interceptors).add(ready);
      }
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      fault(registered, e);
    }
  }

  PreparedPlugins done() {
    return new PreparedPlugins(routers, interceptors, inactive);
  }

  /** Something is wrong with what is saved, so no plugin is made of it. */
  void fault(String what) {
    faults.add(what);
    sound = false;
  }

  private void fault(Roster.Registered registered, Throwable failure) {
    Throwable cause = failure instanceof PluginFailure ? failure.getCause() : failure;
    faults.add(
        "%s, %s, made no plugin of its defaults for catalog %s: %s"
            .formatted(
                registered.descriptor().id(),
                Roster.origin(registered.provider()),
                catalog.version(),
                cause == null ? failure.getMessage() : cause));
  }

  List<String> faults() {
    return faults;
  }
}
