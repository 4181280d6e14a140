package io.strowger.core.registry;

import io.strowger.core.ambient.BoundedCloser.Resource;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.decode.Problems;
import io.strowger.core.registry.PluginRegistryBuilder.RegisteredProvider;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.PluginProvider.Configurable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The providers of a gateway. Those that a configuration has settings for are created again with
 * these settings. Confined to one thread.
 */
final class ConfiguredProviders {
  private final Map<String, RegisteredProvider> byId; // as the host gave them
  private final Map<String, RegisteredProvider> configured;
  private final List<Resource> closeable = new ArrayList<>();
  private final Problems problems;

  /**
   * @param byId the providers as the host gave them
   * @param problems receives what is wrong; if anything is, the providers must not be used
   */
  ConfiguredProviders(Map<String, RegisteredProvider> byId, Problems problems) {
    this.byId = byId;
    this.configured = new LinkedHashMap<>(byId);
    this.problems = problems;
  }

  /**
   * Creates the providers that have settings.
   *
   * @param plugins the plugin settings of the configuration
   */
  void configure(PluginSettings plugins) {
    plugins
        .settings()
        .forEach(
            (id, settingsJson) -> {
              RegisteredProvider registered = byId.get(id);
              if (registered != null && registered.provider() instanceof Configurable provider) {
                configured.put(
                    id,
                    createConfigured(registered, provider, settingsJson, plugins.pointerTo(id)));
              } else {
                problems.add(plugins.pointerTo(id), refusalMessage(), "");
              }
            });
  }

  /** Returns all providers in their order, those without settings as the host gave them. */
  Collection<RegisteredProvider> providers() {
    return configured.values();
  }

  /**
   * Returns the closeable providers made so far, including rejected ones. The caller must close
   * them.
   */
  List<Resource> closeable() {
    return List.copyOf(closeable);
  }

  private String refusalMessage() {
    List<String> ids =
        byId.values().stream()
            .filter(registered -> registered.provider() instanceof Configurable)
            .map(registered -> registered.descriptor().id())
            .toList();
    return ids.isEmpty()
        ? "has no effect: no plugin has settings"
        : "names no plugin with settings; allowed: " + String.join(", ", ids);
  }

  private RegisteredProvider createConfigured(
      RegisteredProvider registered, Configurable provider, Json.Obj settingsJson, JsonPointer at) {
    int problemsBefore = problems.count();
    try {
      PluginConfig settings = read(provider, settingsJson, at);
      if (problems.count() > problemsBefore) {
        return registered;
      }
      PluginProvider newProvider = Objects.requireNonNull(provider.with(settings), "returned null");
      // before the new provider is called, so that it is always closed
      addCloseable(registered, newProvider);
      if (newProvider.descriptor().equals(registered.descriptor())) {
        return new RegisteredProvider(newProvider, registered.descriptor());
      }
      problems.add(at, "makes " + CodeLocation.of(newProvider) + " describe another plugin", "");
    } catch (IllegalArgumentException e) {
      problems.add(at, Objects.requireNonNullElse(e.getMessage(), "do not go together"), "");
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      // the class only: the message may repeat a secret from the settings
      problems.add(
          at, "makes " + CodeLocation.of(provider) + " fail: " + e.getClass().getName(), "");
    }
    return registered;
  }

  private void addCloseable(RegisteredProvider registered, PluginProvider newProvider) {
    if (newProvider instanceof AutoCloseable autoCloseable
        && newProvider != registered.provider()
        && closeable.stream().noneMatch(resource -> resource.closeable() == newProvider)) {
      closeable.add(
          new Resource(
              "the plugin " + registered.descriptor().id() + " with its settings", autoCloseable));
    }
  }

  private PluginConfig read(Configurable provider, Json.Obj settingsJson, JsonPointer at) {
    var schema = provider.settings();
    for (int i = 0; i < settingsJson.size(); i++) {
      if (field(schema.fields(), settingsJson.name(i)) == null) {
        problems.add(
            at.child(settingsJson.name(i)),
            "is not a setting" + knownSettings(schema.fields()),
            "");
      }
    }
    return EntryReader.values(schema, settingsJson, at, problems);
  }

  private static @Nullable Field<?> field(List<Field<?>> fields, String name) {
    for (Field<?> field : fields) {
      if (field.name().equals(name)) {
        return field;
      }
    }
    return null;
  }

  private static String knownSettings(List<Field<?>> fields) {
    return fields.isEmpty()
        ? ""
        : "; allowed: " + String.join(", ", fields.stream().map(Field::name).toList());
  }
}
