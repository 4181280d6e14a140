package io.strowger.core.registry;

import io.strowger.spi.plugin.ServerTool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects the tools of plugins and those of no plugin by their types. */
final class ToolRegistryBuilder {
  /** A type with a colon, so that it never equals the type of a caller's or an upstream's tool. */
  private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9_-]+:[A-Za-z0-9_.-]+");

  private final Map<String, RegisteredTool> byType = new LinkedHashMap<>();
  private final PluginRegistryBuilder pluginRegistryBuilder;

  /**
   * @param plugin the id of the plugin that provides it; null when it belongs to none
   * @param origin where it comes from, for messages
   */
  private record RegisteredTool(ServerTool tool, @Nullable String plugin, String origin) {}

  /**
   * @param pluginRegistryBuilder provides plugins and tools; receives the problems of the tools
   */
  ToolRegistryBuilder(PluginRegistryBuilder pluginRegistryBuilder) {
    this.pluginRegistryBuilder = pluginRegistryBuilder;
    pluginRegistryBuilder.inOrder().forEach(this::addAll);
    pluginRegistryBuilder
        .tools()
        .forEach(tool -> add(new RegisteredTool(tool, null, CodeLocation.of(tool))));
  }

  private void addAll(PluginRegistryBuilder.RegisteredProvider registered) {
    String origin = CodeLocation.of(registered.provider());
    List<ServerTool> tools;
    try {
      tools = new ArrayList<>(registered.provider().tools());
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      pluginRegistryBuilder.addFault("%s failed to list its tools: %s".formatted(origin, e));
      return;
    }
    for (ServerTool tool : tools) {
      add(new RegisteredTool(tool, registered.descriptor().id(), origin));
    }
  }

  private void add(RegisteredTool registeredTool) {
    String type;
    try {
      type = registeredTool.tool().spec().type();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      pluginRegistryBuilder.addFault(
          "a tool of %s does not describe itself: %s".formatted(registeredTool.origin(), e));
      return;
    }
    if (!TYPE.matcher(type).matches()) {
      pluginRegistryBuilder.addFault(
          "a tool of %s has the type %s, which must have a form like acme:lookup"
              .formatted(registeredTool.origin(), type));
      return;
    }
    RegisteredTool existing = byType.putIfAbsent(type, registeredTool);
    if (existing != null) {
      pluginRegistryBuilder.addFault(
          "two tools of the type %s: from %s and from %s"
              .formatted(type, existing.origin(), registeredTool.origin()));
    }
  }

  /** Returns the types of each plugin's tools, by its id; plugins without tools are left out. */
  Map<String, Set<String>> typesByPlugin() {
    var types = new HashMap<String, Set<String>>();
    byType.forEach(
        (type, registeredTool) -> {
          if (registeredTool.plugin() != null) {
            types.computeIfAbsent(registeredTool.plugin(), id -> new LinkedHashSet<>()).add(type);
          }
        });
    return types;
  }

  /** Returns all tools by type. */
  Map<String, ServerTool> byType() {
    var tools = new LinkedHashMap<String, ServerTool>();
    byType.forEach((type, registeredTool) -> tools.put(type, registeredTool.tool()));
    return tools;
  }
}
