package io.strowger.core;

import io.strowger.core.attempt.Upstreams;
import io.strowger.core.config.ByokKey;
import io.strowger.core.config.ByokKeys;
import io.strowger.core.config.ProviderConfig;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The adapters of one configuration, by provider. Immutable. A new configuration takes over the
 * adapters whose settings did not change, connections included.
 */
final class Adapters implements Upstreams {
  /** What an adapter was made from: the same again needs no new one. */
  private record Made(
      ProviderFactory factory, URI baseUri, Map<String, String> headers, Duration connect) {
    /** A factory is only ever the same as itself. */
    boolean isSameAs(Made other) {
      return factory == other.factory
          && baseUri.equals(other.baseUri)
          && headers.equals(other.headers)
          && connect.equals(other.connect);
    }
  }

  private record Adapter(Made from, ChatProvider chat, Credential credential) {}

  private static final Logger log = LoggerFactory.getLogger(Adapters.class);

  private final Map<String, Adapter> bySlug;
  private final Map<String, ByokKey> byokKeys;
  private final ByokKeys stored;

  private Adapters(Map<String, Adapter> bySlug, Map<String, ByokKey> byokKeys, ByokKeys stored) {
    this.bySlug = bySlug;
    this.byokKeys = byokKeys;
    this.stored = stored;
  }

  static Adapters none() {
    return new Adapters(Map.of(), Map.of(), ByokKeys.NONE);
  }

  /**
   * The same, also with the customer's own credentials.
   *
   * @param keys those of the configuration
   * @param live those that come and go meanwhile
   */
  Adapters with(List<ByokKey> keys, ByokKeys live) {
    var byId = new HashMap<String, ByokKey>();
    keys.forEach(key -> byId.put(key.id(), key));
    return new Adapters(bySlug, byId, live);
  }

  /** Adapters for these providers; a provider whose protocol no factory speaks gets none. */
  static Adapters of(
      List<ProviderConfig> providers,
      Map<String, ProviderFactory> factories,
      Duration connect,
      JsonCodec codec,
      Ambient ambient,
      Adapters before) {
    var made = new LinkedHashMap<String, Adapter>();
    try {
      for (ProviderConfig provider : providers) {
        ProviderFactory factory = factories.get(provider.protocol());
        if (factory != null) {
          var settings =
              new ProviderSettings(
                  provider.slug(), provider.baseUri(), provider.headers(), connect, codec, ambient);
          Adapter old = before.bySlug.get(provider.slug());
          made.put(provider.slug(), adapter(provider, factory, settings, old));
        }
      }
      return new Adapters(new HashMap<>(made), Map.of(), ByokKeys.NONE);
    } catch (RuntimeException | Error e) {
      new Adapters(made, Map.of(), ByokKeys.NONE).closeAllBut(List.of(before)); // nobody else will
      throw e;
    }
  }

  /** The old one when nothing changed that it was made from. */
  private static Adapter adapter(
      ProviderConfig provider,
      ProviderFactory factory,
      ProviderSettings settings,
      @Nullable Adapter old) {
    var from = new Made(factory, provider.baseUri(), provider.headers(), settings.connectTimeout());
    ChatProvider chat =
        old != null && old.from().isSameAs(from) ? old.chat() : factory.create(settings);
    return new Adapter(from, chat, provider.credential());
  }

  @Override
  public @Nullable Upstream of(String provider, @Nullable String byokKey) {
    Adapter adapter = bySlug.get(provider);
    if (adapter == null || byokKey == null) {
      return adapter == null ? null : new Upstream(adapter.chat(), adapter.credential());
    }
    ByokKey own = byokKeys.containsKey(byokKey) ? byokKeys.get(byokKey) : stored.find(byokKey);
    return own == null || !own.provider().equals(provider)
        ? null
        : new Upstream(adapter.chat(), own.credential());
  }

  /** Providers that can be spoken to. */
  Set<String> slugs() {
    return bySlug.keySet();
  }

  /** Closes every adapter that these others do not use. */
  void closeAllBut(List<Adapters> others) {
    for (Adapter adapter : bySlug.values()) {
      if (others.stream().noneMatch(other -> other.uses(adapter.chat()))) {
        close(adapter.chat());
      }
    }
  }

  private static void close(ChatProvider chat) {
    try {
      chat.close();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      log.error("an adapter failed to close", bug);
    }
  }

  private boolean uses(ChatProvider chat) {
    return bySlug.values().stream().anyMatch(adapter -> adapter.chat() == chat);
  }
}
