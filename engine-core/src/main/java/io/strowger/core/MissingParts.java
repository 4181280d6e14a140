package io.strowger.core;

import io.strowger.core.config.DestinationConfig;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.config.ProviderConfig;
import io.strowger.core.destination.Exporters;
import io.strowger.core.dialect.UnsupportedFeatures;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.registry.PreparedPlugins;
import io.strowger.core.resource.DestinationCreate;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the plugins, tools and other parts that a configuration names but the gateway does not
 * have.
 */
public final class MissingParts {
  private static final String WEB = "web";

  private final GatewayConfig config;
  private final List<Problem> problems = new ArrayList<>();

  private MissingParts(GatewayConfig config) {
    this.config = config;
  }

  /**
   * Returns the plugins and routers that a configuration names but that are not registered, with
   * their places in the file: in {@code plugins}, as default model, and as the name of a model.
   */
  @SuppressWarnings("exports") // for the host of this project
  public static List<Problem> plugins(GatewayConfig config, PluginRegistry registered) {
    var missing = new MissingParts(config);
    missing.plugins(registered);
    return missing.problems;
  }

  /**
   * Returns the destinations of the file that cannot be served, each with its place in the file.
   *
   * @param exporters the exporters that destinations can be served with
   */
  @SuppressWarnings("exports") // for the host of this project
  public static List<Problem> destinations(GatewayConfig config, Exporters exporters) {
    var missing = new MissingParts(config);
    missing.destinations(exporters);
    return missing.problems;
  }

  /**
   * Returns everything that is missing, each with its place in the file.
   *
   * @param extensions the plugins and factories the gateway has
   * @param exporters the exporters that destinations can be served with
   * @param hasStores whether the gateway was given a store
   */
  static List<Problem> findAll(
      GatewayConfig config, Extensions extensions, Exporters exporters, boolean hasStores) {
    var missing = new MissingParts(config);
    missing.checkStore(hasStores);
    missing.checkPluginsDir(extensions.directory().isRead());
    missing.checkProviders(extensions.factories().keySet());
    missing.plugins(extensions.registry());
    missing.destinations(exporters);
    return missing.problems;
  }

  private void checkStore(boolean hasStores) {
    if (!hasStores && config.store().isUrlSet() && !config.store().isInMemory()) {
      add(
          JsonPointer.ROOT.child("store").child("url"),
          "names a store, but the gateway was given none: open it and pass it to"
              + " Gateway.Builder.stores");
    }
  }

  private void checkPluginsDir(boolean isRead) {
    if (!isRead && config.pluginsDir() != null) {
      add(
          JsonPointer.ROOT.child("plugins_dir"),
          "names a directory of plugins, but the gateway was given none: open it with"
              + " PluginDirectory.open and pass it to Gateway.Builder.pluginDirectory");
    }
  }

  private void checkProviders(Set<String> protocols) {
    String knownProtocols =
        protocols.isEmpty()
            ? "no factory was given"
            : "factories were given for " + String.join(", ", new TreeSet<>(protocols));
    for (int i = 0; i < config.providers().size(); i++) {
      ProviderConfig provider = config.providers().get(i);
      if (!protocols.contains(provider.protocol())) {
        add(
            JsonPointer.ROOT.child("providers").child(i).child("protocol"),
            "%s speaks %s, which no factory speaks: %s"
                .formatted(provider.slug(), provider.protocol(), knownProtocols));
      }
    }
  }

  private void plugins(PluginRegistry registered) {
    PluginSettings settings = config.plugins();
    JsonPointer section = JsonPointer.ROOT.child("plugins");
    for (int i = 0; i < settings.defaults().size(); i++) {
      checkPlugin(
          section.child("defaults").child(i).child("id"),
          settings.defaults().get(i).id(),
          registered);
    }
    settings.settings().keySet().forEach(id -> checkPlugin(settings.pointerTo(id), id, registered));
    checkDefaultModel(registered);
    checkModelNames(registered);
  }

  private void checkPlugin(JsonPointer at, String id, PluginRegistry registered) {
    if (registered.descriptor(id) == null) {
      add(at, "the plugin " + id + " is not registered");
    }
  }

  private void checkDefaultModel(PluginRegistry registered) {
    String name = config.account().defaultModel();
    if (name == null) {
      return;
    }
    JsonPointer at = JsonPointer.ROOT.child("account").child("default_model");
    checkRouterName(at, name, registered);
    if (PreparedPlugins.isOnline(List.of(ModelRef.parse(name)))) {
      checkPlugin(at, WEB, registered);
    }
  }

  /** Reports models with the name of a router: such a name always asks for the router. */
  private void checkModelNames(PluginRegistry registered) {
    List<ModelInfo> models = config.catalog().models();
    for (int i = 0; i < models.size(); i++) {
      JsonPointer at = JsonPointer.ROOT.child("models").child(i);
      checkRouterName(at.child("id"), models.get(i).id(), registered);
      List<String> aliases = models.get(i).aliases();
      for (int j = 0; j < aliases.size(); j++) {
        checkRouterName(at.child("aliases").child(j), aliases.get(j), registered);
      }
    }
  }

  private void checkRouterName(JsonPointer at, String name, PluginRegistry registered) {
    String problem = UnsupportedFeatures.missingRouter(name, registered);
    if (problem != null) {
      add(at, name + " " + problem);
    }
  }

  private void destinations(Exporters exporters) {
    List<DestinationConfig> destinations = config.observabilityDestinations();
    for (int i = 0; i < destinations.size(); i++) {
      DestinationCreate destination = destinations.get(i).destination();
      String problem = exporters.problem(destination.type(), destination.config());
      if (problem != null) {
        add(JsonPointer.ROOT.child("observability_destinations").child(i), problem);
      }
    }
  }

  private void add(JsonPointer at, String message) {
    problems.add(new Problem(at, message, ""));
  }
}
