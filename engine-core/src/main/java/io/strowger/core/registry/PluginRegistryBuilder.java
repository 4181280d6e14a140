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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Applies the registration steps of a host, and collects their problems. */
final class PluginRegistryBuilder {
  private static final Comparator<RegisteredProvider> BY_ORDER_AND_ID =
      Comparator.<RegisteredProvider>comparingInt(r -> r.descriptor().order())
          .thenComparing(r -> r.descriptor().id());

  /** A type with a colon, so that it never equals the type of a caller's or an upstream's tool. */
  private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9_-]+:[A-Za-z0-9_.-]+");

  private final Map<String, RegisteredProvider> byId = new LinkedHashMap<>();
  private final List<PluginEntry> alwaysEntries = new ArrayList<>();
  private final List<ServerTool> tools = new ArrayList<>(); // those that belong to no plugin
  private final Map<String, RegisteredTool> toolsByType = new LinkedHashMap<>();
  private final List<String> faults = new ArrayList<>();
  private @Nullable SchemaValidator schemaValidator;

  /** A provider and its descriptor. */
  record RegisteredProvider(PluginProvider provider, Descriptor descriptor) {}

  /**
   * @param plugin the id of the plugin that provides it; null when it belongs to none
   * @param origin where it comes from, for messages
   */
  private record RegisteredTool(ServerTool tool, @Nullable String plugin, String origin) {}

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

  /** Collects the tools of the plugins, then those of no plugin, by their types. */
  void collectTools() {
    inOrder().forEach(this::addTools);
    tools.forEach(tool -> addTool(new RegisteredTool(tool, null, CodeLocation.of(tool))));
  }

  private void addTools(RegisteredProvider registered) {
    String origin = CodeLocation.of(registered.provider());
    List<ServerTool> provided;
    try {
      provided = new ArrayList<>(registered.provider().tools());
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      faults.add("%s failed to list its tools: %s".formatted(origin, e));
      return;
    }
    for (ServerTool tool : provided) {
      addTool(new RegisteredTool(tool, registered.descriptor().id(), origin));
    }
  }

  private void addTool(RegisteredTool registeredTool) {
    String type;
    try {
      type = registeredTool.tool().spec().type();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      faults.add("a tool of %s does not describe itself: %s".formatted(registeredTool.origin(), e));
      return;
    }
    if (!TYPE.matcher(type).matches()) {
      faults.add(
          "a tool of %s has the type %s, which must have a form like acme:lookup"
              .formatted(registeredTool.origin(), type));
      return;
    }
    RegisteredTool existing = toolsByType.putIfAbsent(type, registeredTool);
    if (existing != null) {
      faults.add(
          "two tools of the type %s: from %s and from %s"
              .formatted(type, existing.origin(), registeredTool.origin()));
    }
  }

  /** Returns the types of each plugin's tools, by its id; plugins without tools are left out. */
  Map<String, Set<String>> toolTypesByPlugin() {
    var types = new HashMap<String, Set<String>>();
    toolsByType.forEach(
        (type, registeredTool) -> {
          if (registeredTool.plugin() != null) {
            types.computeIfAbsent(registeredTool.plugin(), id -> new LinkedHashSet<>()).add(type);
          }
        });
    return types;
  }

  /** Returns all tools by type. */
  Map<String, ServerTool> toolsByType() {
    var byType = new LinkedHashMap<String, ServerTool>();
    toolsByType.forEach((type, registeredTool) -> byType.put(type, registeredTool.tool()));
    return byType;
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
