package io.strowger.core;

import io.strowger.core.ambient.BoundedCloser;
import io.strowger.core.ambient.BoundedCloser.Resource;
import io.strowger.core.attempt.UpstreamResolver;
import io.strowger.core.config.ByokKey;
import io.strowger.core.config.ByokKeys;
import io.strowger.core.config.ProviderConfig;
import io.strowger.core.registry.CodeLocation;
import io.strowger.core.upstream.AdapterByKind;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The adapters of one configuration, by provider. Immutable. A new configuration takes over the
 * adapters whose settings did not change, connections included.
 */
final class Adapters implements UpstreamResolver {
  /** The factory and settings of an adapter; while they stay the same, the adapter is reused. */
  private record AdapterSource(
      ProviderFactory factory, URI baseUri, Map<String, String> headers, Duration connect) {
    /** Compares factories by identity. */
    boolean isSameAs(AdapterSource other) {
      return factory == other.factory
          && baseUri.equals(other.baseUri)
          && headers.equals(other.headers)
          && connect.equals(other.connect);
    }
  }

  private record Adapter(AdapterSource source, ChatProvider chat, Credential credential) {}

  private final Map<String, Adapter> bySlug;
  private final Map<String, ByokKey> byokKeys;
  private final ByokKeys storedByokKeys;

  private Adapters(
      Map<String, Adapter> bySlug, Map<String, ByokKey> byokKeys, ByokKeys storedByokKeys) {
    this.bySlug = bySlug;
    this.byokKeys = byokKeys;
    this.storedByokKeys = storedByokKeys;
  }

  static Adapters empty() {
    return new Adapters(Map.of(), Map.of(), ByokKeys.NONE);
  }

  /**
   * Returns these adapters together with the customers' own credentials.
   *
   * @param configuredKeys the customers' keys in the configuration
   * @param storedKeys the customers' keys in the store, which may change at any time
   */
  Adapters with(List<ByokKey> configuredKeys, ByokKeys storedKeys) {
    var byId = new HashMap<String, ByokKey>();
    configuredKeys.forEach(key -> byId.put(key.id(), key));
    return new Adapters(bySlug, byId, storedKeys);
  }

  /** Returns adapters for these providers; a provider whose protocol has no factory gets none. */
  static Adapters of(
      List<ProviderConfig> providers,
      Map<String, ProviderFactory> factories,
      Duration connect,
      JsonCodec codec,
      BoundedCloser closer,
      Adapters previous) {
    var adapters = new LinkedHashMap<String, Adapter>();
    boolean complete = false;
    try {
      for (ProviderConfig provider : providers) {
        ProviderFactory factory = factories.get(provider.protocol());
        if (factory != null) {
          var settings =
              new ProviderSettings(
                  provider.slug(),
                  provider.baseUri(),
                  provider.headers(),
                  connect,
                  codec,
                  closer.ambient());
          Adapter old = previous.bySlug.get(provider.slug());
          adapters.put(provider.slug(), adapter(provider, factory, settings, old, closer));
        }
      }
      complete = true;
      return new Adapters(new HashMap<>(adapters), Map.of(), ByokKeys.NONE);
    } finally {
      if (!complete) {
        var partial = new Adapters(adapters, Map.of(), ByokKeys.NONE);
        closer.close(partial.notUsedBy(List.of(previous))); // nothing else closes them
      }
    }
  }

  /** Returns the old adapter when nothing it was made from has changed, else a new one. */
  private static Adapter adapter(
      ProviderConfig provider,
      ProviderFactory factory,
      ProviderSettings settings,
      @Nullable Adapter old,
      BoundedCloser closer) {
    var source =
        new AdapterSource(
            factory, provider.baseUri(), provider.headers(), settings.connectTimeout());
    if (old != null && old.source().isSameAs(source)) {
      return new Adapter(source, old.chat(), provider.credential());
    }
    try {
      return new Adapter(
          source, AdapterByKind.of(factory, settings, closer), provider.credential());
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      // only the class name: the message may contain a secret header
      String why = e.getClass().getName();
      throw new IllegalStateException(
          "the factory for the protocol %s, %s, failed to make an adapter for the provider %s: %s"
              .formatted(provider.protocol(), CodeLocation.of(factory), provider.slug(), why),
          e);
    }
  }

  @Override
  public @Nullable Upstream resolve(String provider, @Nullable String byokKey) {
    Adapter adapter = bySlug.get(provider);
    if (adapter == null || byokKey == null) {
      return adapter == null ? null : new Upstream(adapter.chat(), adapter.credential());
    }
    ByokKey key =
        byokKeys.containsKey(byokKey) ? byokKeys.get(byokKey) : storedByokKeys.find(byokKey);
    return key == null || !key.provider().equals(provider)
        ? null
        : new Upstream(adapter.chat(), key.credential());
  }

  /** Returns the slugs of the providers that have an adapter. */
  Set<String> slugs() {
    return bySlug.keySet();
  }

  /**
   * Returns the parts of these adapters that none of the other adapters uses; the caller must close
   * them.
   */
  List<Resource> notUsedBy(List<Adapters> others) {
    var parts = new ArrayList<Resource>();
    bySlug.forEach(
        (slug, adapter) -> {
          if (others.stream().noneMatch(other -> other.uses(adapter.chat()))) {
            String description = "the adapter of the provider " + slug;
            AdapterByKind.adaptersOf(adapter.chat())
                .forEach(it -> parts.add(new Resource(description, it)));
          }
        });
    return parts;
  }

  private boolean uses(ChatProvider chat) {
    return bySlug.values().stream().anyMatch(adapter -> adapter.chat() == chat);
  }
}
