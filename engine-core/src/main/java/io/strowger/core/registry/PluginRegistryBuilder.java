package io.strowger.core.registry;

import io.strowger.core.config.Plugins;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.ServerTool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies the registration steps of a host, and collects their problems. */
final class PluginRegistryBuilder {
  private static final Comparator<Registered> IN_ORDER =
      Comparator.<Registered>comparingInt(r -> r.descriptor().order())
          .thenComparing(r -> r.descriptor().id());

  private final Map<String, Registered> byId = new LinkedHashMap<>();
  private final List<PluginEntry> always = new ArrayList<>();
  private final List<ServerTool> tools = new ArrayList<>(); // of no plugin
  private final List<String> faults = new ArrayList<>();
  private @Nullable SchemaValidator schemas;

  /** A provider and its descriptor. */
  record Registered(PluginProvider provider, Descriptor descriptor) {}

  void take(Plugins.Step step) {
    switch (step) {
      case Plugins.Step.Add(var provider, var found) -> add(provider, found);
      case Plugins.Step.Replace(var id, var provider) -> replace(id, provider);
      case Plugins.Step.Always(var entry) -> always.add(entry);
      case Plugins.Step.Tool(var tool) -> tools.add(tool);
      case Plugins.Step.Schemas(var validator) -> {
        if (schemas != null) {
          faults.add(
              "two validators of JSON Schemas: %s and %s"
                  .formatted(CodeLocation.of(schemas), CodeLocation.of(validator)));
        }
        schemas = validator;
      }
      case Plugins.Step.Unloadable(var what, var why) ->
          faults.add(what + " cannot be loaded: " + why);
    }
  }

  private void add(PluginProvider provider, boolean found) {
    Registered added = describe(provider);
    if (added == null) {
      return;
    }
    Registered other = byId.putIfAbsent(added.descriptor().id(), added);
    if (other != null) {
      faults.add(
          "two plugins with the id %s: %s and %s%s"
              .formatted(
                  added.descriptor().id(),
                  CodeLocation.of(other.provider()),
                  CodeLocation.of(provider),
                  found ? "" : "; replace the first if that is meant"));
    }
  }

  private void replace(String id, PluginProvider provider) {
    Registered by = describe(provider);
    if (by == null) {
      return;
    }
    if (!by.descriptor().id().equals(id)) {
      faults.add(
          "%s cannot replace %s: its own id is %s"
              .formatted(CodeLocation.of(provider), id, by.descriptor().id()));
    } else if (byId.replace(id, by) == null) {
      faults.add(
          "no plugin with the id %s for %s to replace; there are %s"
              .formatted(id, CodeLocation.of(provider), byId.keySet()));
    }
  }

  private @Nullable Registered describe(PluginProvider provider) {
    try {
      Descriptor descriptor = provider.descriptor();
      return new Registered(provider, Objects.requireNonNull(descriptor, "it is null"));
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      faults.add("%s does not describe itself: %s".formatted(CodeLocation.of(provider), e));
      return null;
    }
  }

  /** Returns the providers in the order plugins act. */
  List<Registered> inOrder() {
    return byId.values().stream().sorted(IN_ORDER).toList();
  }

  List<PluginEntry> always() {
    return always;
  }

  /** Returns the descriptors by slug in lower case. */
  Map<String, Descriptor> bySlug() {
    var slugs = new HashMap<String, Descriptor>();
    for (Registered registered : inOrder()) {
      for (String slug : registered.descriptor().slugs()) {
        Descriptor other =
            slugs.putIfAbsent(slug.toLowerCase(Locale.ROOT), registered.descriptor());
        if (other != null) {
          faults.add(
              "the plugins %s and %s both stand for the model %s"
                  .formatted(other.id(), registered.descriptor().id(), slug));
        }
      }
    }
    return slugs;
  }

  /** Returns the tools that belong to no plugin, in the order they were given. */
  List<ServerTool> tools() {
    return tools;
  }

  /** Returns the validator of JSON Schemas; null when the host gave none. */
  @Nullable SchemaValidator schemas() {
    return schemas;
  }

  void fault(String what) {
    faults.add(what);
  }

  List<String> faults() {
    return faults;
  }
}
