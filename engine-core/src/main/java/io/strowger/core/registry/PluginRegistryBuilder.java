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
  private static final Comparator<RegisteredProvider> BY_ORDER_AND_ID =
      Comparator.<RegisteredProvider>comparingInt(r -> r.descriptor().order())
          .thenComparing(r -> r.descriptor().id());

  private final Map<String, RegisteredProvider> byId = new LinkedHashMap<>();
  private final List<PluginEntry> alwaysEntries = new ArrayList<>();
  private final List<ServerTool> tools = new ArrayList<>(); // those that belong to no plugin
  private final List<String> faults = new ArrayList<>();
  private @Nullable SchemaValidator schemaValidator;

  /** A provider and its descriptor. */
  record RegisteredProvider(PluginProvider provider, Descriptor descriptor) {}

  void apply(Plugins.Step step) {
    switch (step) {
      case Plugins.Step.Add(var provider, var isDiscovered) -> add(provider, isDiscovered);
      case Plugins.Step.Replace(var id, var provider) -> replace(id, provider);
      case Plugins.Step.Always(var entry) -> alwaysEntries.add(entry);
      case Plugins.Step.Tool(var tool) -> tools.add(tool);
      case Plugins.Step.Schemas(var validator) -> {
        if (schemaValidator != null) {
          faults.add(
              "two validators of JSON Schemas: %s and %s"
                  .formatted(CodeLocation.of(schemaValidator), CodeLocation.of(validator)));
        }
        schemaValidator = validator;
      }
      case Plugins.Step.Unloadable(var name, var reason) ->
          faults.add(name + " cannot be loaded: " + reason);
    }
  }

  private void add(PluginProvider provider, boolean isDiscovered) {
    RegisteredProvider registered = describe(provider);
    if (registered == null) {
      return;
    }
    RegisteredProvider existing = byId.putIfAbsent(registered.descriptor().id(), registered);
    if (existing != null) {
      faults.add(
          "two plugins with the id %s: %s and %s%s"
              .formatted(
                  registered.descriptor().id(),
                  CodeLocation.of(existing.provider()),
                  CodeLocation.of(provider),
                  isDiscovered ? "" : "; replace the first with the second if that is meant"));
    }
  }

  private void replace(String id, PluginProvider provider) {
    RegisteredProvider replacement = describe(provider);
    if (replacement == null) {
      return;
    }
    if (!replacement.descriptor().id().equals(id)) {
      faults.add(
          "%s cannot replace %s: its own id is %s"
              .formatted(CodeLocation.of(provider), id, replacement.descriptor().id()));
    } else if (byId.replace(id, replacement) == null) {
      faults.add(
          "no plugin with the id %s, which %s would replace; the plugins are %s"
              .formatted(id, CodeLocation.of(provider), byId.keySet()));
    }
  }

  private @Nullable RegisteredProvider describe(PluginProvider provider) {
    try {
      Descriptor descriptor = provider.descriptor();
      return new RegisteredProvider(provider, Objects.requireNonNull(descriptor, "it is null"));
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      faults.add("%s does not describe itself: %s".formatted(CodeLocation.of(provider), e));
      return null;
    }
  }

  /** Returns the providers in the order plugins act. */
  List<RegisteredProvider> inOrder() {
    return byId.values().stream().sorted(BY_ORDER_AND_ID).toList();
  }

  List<PluginEntry> alwaysEntries() {
    return alwaysEntries;
  }

  /** Returns the descriptors by slug in lower case. */
  Map<String, Descriptor> bySlug() {
    var slugs = new HashMap<String, Descriptor>();
    for (RegisteredProvider registered : inOrder()) {
      for (String slug : registered.descriptor().slugs()) {
        Descriptor existing =
            slugs.putIfAbsent(slug.toLowerCase(Locale.ROOT), registered.descriptor());
        if (existing != null) {
          faults.add(
              "the plugins %s and %s both stand for the model %s"
                  .formatted(existing.id(), registered.descriptor().id(), slug));
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
  @Nullable SchemaValidator schemaValidator() {
    return schemaValidator;
  }

  void addFault(String message) {
    faults.add(message);
  }

  List<String> faults() {
    return faults;
  }
}
