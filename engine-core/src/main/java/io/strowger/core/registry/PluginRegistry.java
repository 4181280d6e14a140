package io.strowger.core.registry;

import io.strowger.core.config.PluginSettings;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.ServerTool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plugins of one gateway, checked as a whole. Immutable, safe on any thread.
 *
 * <p>Contract: "Plugins".
 */
public final class PluginRegistry implements PluginChecks {
  private static final JsonPointer SECTION = JsonPointer.ROOT.child("plugins"); // of the file

  private final Map<String, Roster.Registered> byId; // in the order plugins act
  private final Map<String, Descriptor> bySlug;
  private final Set<String> toolTypes;
  private final Map<String, ServerTool> tools; // that have a behaviour
  private final Map<String, PluginEntry> always;
  private final String known; // what is said of an id nobody has

  private PluginRegistry(Roster roster) {
    var ids = new LinkedHashMap<String, Roster.Registered>();
    roster.inOrder().forEach(registered -> ids.put(registered.descriptor().id(), registered));
    byId = Collections.unmodifiableMap(ids);
    known =
        ids.isEmpty()
            ? "names no plugin, there are none"
            : "must be one of " + String.join(", ", ids.keySet());
    bySlug = Map.copyOf(roster.bySlug());
    var toolRoster = new ToolRoster(roster);
    toolTypes = Collections.unmodifiableSet(toolRoster.types());
    tools = Collections.unmodifiableMap(toolRoster.active());
    always = new LinkedHashMap<>();
    for (PluginEntry entry : roster.always()) {
      if (always.putIfAbsent(entry.id(), entry) != null) {
        roster.fault("two configurations to run " + entry.id() + " with on every request");
      }
      var problems = new Problems();
      check(entry, JsonPointer.ROOT, problems);
      for (Problem problem : problems.list()) {
        roster.fault("always " + entry.id() + ": " + problem);
      }
    }
  }

  /**
   * Builds the whole.
   *
   * @throws IllegalStateException naming everything that is wrong: ids given twice with the classes
   *     and jars they came from, providers and tools that cannot be loaded or do not describe
   *     themselves, a replacement for nothing, configurations that do not hold
   */
  public static PluginRegistry of(Plugins plugins) {
    var roster = new Roster();
    plugins.steps().forEach(roster::take);
    var registry = new PluginRegistry(roster);
    if (!roster.faults().isEmpty()) {
      throw new IllegalStateException("plugins: " + String.join("; ", roster.faults()));
    }
    return registry;
  }

  /** What every plugin says of itself, in the order they act. */
  public List<Descriptor> descriptors() {
    return byId.values().stream().map(Roster.Registered::descriptor).toList();
  }

  public @Nullable Descriptor descriptor(String id) {
    Roster.Registered registered = byId.get(id);
    return registered == null ? null : registered.descriptor();
  }

  /** The plugin that stands for this model, in any case and without variants; null when none. */
  public @Nullable Descriptor routerOf(String modelSlug) {
    return bySlug.get(modelSlug.toLowerCase(Locale.ROOT));
  }

  @Override
  public boolean isRouter(String model) {
    return routerOf(model) != null;
  }

  @Override
  public boolean canRoute(String model) {
    Descriptor descriptor = routerOf(model);
    return descriptor != null && isActive(descriptor);
  }

  /** The tools that have a behaviour: those of the plugins in their order, then the others. */
  public Collection<ServerTool> tools() {
    return tools.values();
  }

  @Override
  public Set<String> toolTypes() {
    return toolTypes;
  }

  @Override
  public boolean canRun(String toolType) {
    return tools.containsKey(toolType);
  }

  /** The tool of this type; null when there is none that has a behaviour. */
  public @Nullable ServerTool tool(String type) {
    return tools.get(type);
  }

  @Override
  public void check(PluginEntry entry, JsonPointer at, Problems problems) {
    Descriptor descriptor = descriptor(entry.id());
    if (descriptor == null) {
      problems.add(at.child("id"), known, Json.of(entry.id()));
    } else {
      EntryReader.read(descriptor, entry.config(), at, problems);
    }
  }

  /**
   * Makes the plugins ready for a catalog. Takes as long as the slowest of them needs; not for a
   * request's path.
   *
   * @throws IllegalStateException naming every plugin that failed
   */
  public PreparedPlugins prepare(Catalog catalog) {
    return prepare(catalog, List.of());
  }

  /**
   * Makes the plugins ready for a catalog and an account.
   *
   * @param defaults what the account has saved, in the form of a request's entries; with {@code
   *     prevent_overrides} a request's own entry changes nothing
   * @throws IllegalStateException naming every plugin that failed and every default that does not
   *     hold
   */
  public PreparedPlugins prepare(Catalog catalog, List<PluginEntry> defaults) {
    return prepare(catalog, new PluginSettings(defaults, Map.of()));
  }

  /**
   * Makes the plugins ready for a catalog and what a configuration says of them.
   *
   * @throws IllegalStateException naming every plugin that failed and every default and setting
   *     that does not hold
   */
  public PreparedPlugins prepare(Catalog catalog, PluginSettings settings) {
    var problems = new Problems();
    Map<String, Roster.Registered> settled = settled(settings, problems);
    var preparation = new Preparation(catalog);
    problems.list().forEach(problem -> preparation.fault(problem.toString()));
    settings.defaults().forEach(preparation::take);
    for (Roster.Registered registered : settled.values()) {
      preparation.ready(registered, always.get(registered.descriptor().id()));
    }
    if (!preparation.faults().isEmpty()) {
      throw new IllegalStateException("plugins: " + String.join("; ", preparation.faults()));
    }
    return preparation.done();
  }

  /**
   * What does not hold of what a configuration says of plugins, each with its place in the file.
   * Makes providers with their settings to find out, and forgets them.
   */
  public List<Problem> problems(PluginSettings settings) {
    var problems = new Problems();
    settled(settings, problems);
    return problems.list();
  }

  private Map<String, Roster.Registered> settled(PluginSettings settings, Problems problems) {
    for (int i = 0; i < settings.defaults().size(); i++) {
      check(settings.defaults().get(i), SECTION.child("defaults").child(i), problems);
    }
    return new Settled(byId, problems).with(settings.settings(), SECTION.child("settings"));
  }

  /**
   * The plugins a request names that have no behaviour in this version, in the order it names them:
   * accepted, and noted in its trace.
   */
  public List<Descriptor> inactive(List<PluginEntry> entries) {
    var found = new ArrayList<Descriptor>();
    for (PluginEntry entry : entries) {
      Descriptor descriptor = descriptor(entry.id());
      if (entry.enabled() && descriptor != null && !isActive(descriptor)) {
        found.add(descriptor);
      }
    }
    return List.copyOf(found);
  }

  private static boolean isActive(Descriptor descriptor) {
    return descriptor.status() == Descriptor.Status.ACTIVE;
  }
}
