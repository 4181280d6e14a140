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

  private final Map<String, Given> byType = new LinkedHashMap<>();
  private final PluginRegistryBuilder pluginRegistryBuilder;

  /**
   * @param plugin the id of the plugin that brings it; null when it belongs to none
   * @param origin where it comes from, for messages
   */
  private record Given(ServerTool tool, @Nullable String plugin, String origin) {}

  /**
   * @param pluginRegistryBuilder provides plugins and tools; receives the problems of the tools
   */
  ToolRegistryBuilder(PluginRegistryBuilder pluginRegistryBuilder) {
    this.pluginRegistryBuilder = pluginRegistryBuilder;
    pluginRegistryBuilder.inOrder().forEach(this::addAll);
    pluginRegistryBuilder
        .tools()
        .forEach(tool -> add(new Given(tool, null, CodeLocation.of(tool))));
  }

  private void addAll(PluginRegistryBuilder.Registered registered) {
    String origin = CodeLocation.of(registered.provider());
    List<ServerTool> tools;
    try {
      tools = new ArrayList<>(registered.provider().tools());
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      pluginRegistryBuilder.fault("%s does not name its tools: %s".formatted(origin, e));
      return;
    }
    for (ServerTool tool : tools) {
      add(new Given(tool, registered.descriptor().id(), origin));
    }
  }

  private void add(Given given) {
    String type;
    try {
      type = given.tool().spec().type();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      pluginRegistryBuilder.fault(
          "a tool of %s does not describe itself: %s".formatted(given.origin(), e));
      return;
    }
    if (!TYPE.matcher(type).matches()) {
      pluginRegistryBuilder.fault(
          "a tool of %s has the type %s, which has to be like acme:lookup"
              .formatted(given.origin(), type));
      return;
    }
    Given other = byType.putIfAbsent(type, given);
    if (other != null) {
      pluginRegistryBuilder.fault(
          "two tools of the type %s: from %s and from %s"
              .formatted(type, other.origin(), given.origin()));
    }
  }

  /** Returns the types that each plugin brings, by its id; plugins without tools are left out. */
  Map<String, Set<String>> typesByPlugin() {
    var types = new HashMap<String, Set<String>>();
    byType.forEach(
        (type, given) -> {
          if (given.plugin() != null) {
            types.computeIfAbsent(given.plugin(), id -> new LinkedHashSet<>()).add(type);
          }
        });
    return types;
  }

  /** Returns all tools by type. */
  Map<String, ServerTool> byType() {
    var tools = new LinkedHashMap<String, ServerTool>();
    byType.forEach((type, given) -> tools.put(type, given.tool()));
    return tools;
  }
}
