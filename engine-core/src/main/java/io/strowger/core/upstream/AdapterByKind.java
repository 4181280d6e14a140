package io.strowger.core.upstream;

import io.strowger.core.ambient.BoundedCloser;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.UnaryRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EmbeddingsProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.UnaryProvider;
import io.strowger.spi.provider.UpstreamException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * All adapters of one provider, selected by the kind of the endpoint that is called. Safe on any
 * thread. Decision 54.
 */
public final class AdapterByKind implements ChatProvider {
  private final Map<Endpoint.Kind, ChatProvider> adapters;

  private AdapterByKind(Map<Endpoint.Kind, ChatProvider> adapters) {
    this.adapters = Collections.unmodifiableMap(new EnumMap<>(adapters));
  }

  /**
   * Creates the adapters of one provider. Endpoints of a kind for which the factory creates no
   * adapter are not used.
   *
   * @param closer closes the adapters created so far when the factory fails to create another one
   */
  public static ChatProvider of(
      ProviderFactory factory, ProviderSettings settings, BoundedCloser closer) {
    var adapters = new EnumMap<Endpoint.Kind, ChatProvider>(Endpoint.Kind.class);
    boolean isComplete = false;
    try {
      for (Endpoint.Kind kind : Endpoint.Kind.values()) {
        ChatProvider adapter = adapter(factory, settings, kind);
        if (adapter != null) {
          adapters.put(kind, adapter);
        }
      }
      isComplete = true;
      return new AdapterByKind(adapters);
    } finally {
      if (!isComplete) {
        closer.close(resources(adapters, settings.slug()));
      }
    }
  }

  private static @Nullable ChatProvider adapter(
      ProviderFactory factory, ProviderSettings settings, Endpoint.Kind kind) {
    return switch (kind) {
      case CHAT -> Objects.requireNonNull(factory.create(settings), "create returned null");
      case EMBEDDINGS -> {
        EmbeddingsProvider embeddings = factory.createEmbeddings(settings);
        yield unary(
            embeddings == null ? null : new EmbeddingsCodec.Provider(embeddings),
            new EmbeddingsCodec());
      }
      case SPEECH -> {
        SpeechProvider speech = factory.createSpeech(settings);
        yield speech == null ? null : new SpeechAdapter(speech);
      }
      case RERANK -> unary(factory.createUnary(settings, kind), new RerankCodec());
      case IMAGES -> unary(factory.createUnary(settings, kind), new ImagesCodec());
      case TRANSCRIPTIONS -> unary(factory.createUnary(settings, kind), new TranscriptionCodec());
    };
  }

  private static <R extends UnaryRequest> @Nullable ChatProvider unary(
      @Nullable UnaryProvider provider, UnaryCodec<R> codec) {
    return provider == null ? null : new UnaryAdapter<>(provider, codec);
  }

  private static List<BoundedCloser.Resource> resources(
      Map<Endpoint.Kind, ChatProvider> adapters, String slug) {
    var resources = new ArrayList<BoundedCloser.Resource>(adapters.size());
    adapters.forEach(
        (kind, adapter) ->
            resources.add(
                new BoundedCloser.Resource(
                    "the adapter of the provider "
                        + slug
                        + (kind == Endpoint.Kind.CHAT
                            ? ""
                            : " for " + kind.name().toLowerCase(Locale.ROOT)),
                    adapter)));
    return resources;
  }

  /** Returns the adapters of all kinds that a provider has, each to be closed separately. */
  public static List<ChatProvider> adaptersOf(ChatProvider provider) {
    return provider instanceof AdapterByKind byKind
        ? List.copyOf(byKind.adapters.values())
        : List.of(provider);
  }

  /**
   * Returns the adapter for endpoints of a kind.
   *
   * @param provider what {@link #of(ProviderFactory, ProviderSettings, BoundedCloser)} made, or an
   *     adapter for chat
   * @return null when the provider's protocol has nothing of that kind
   */
  public static @Nullable ChatProvider of(ChatProvider provider, Endpoint.Kind kind) {
    if (provider instanceof AdapterByKind byKind) {
      return byKind.adapters.get(kind);
    }
    return kind == Endpoint.Kind.CHAT ? provider : null;
  }

  private ChatProvider chat() {
    return Objects.requireNonNull(adapters.get(Endpoint.Kind.CHAT));
  }

  /** Always throws: a call is opened at the adapter of its endpoint's kind. */
  @Override
  public EventStream open(Call call) {
    throw new IllegalStateException("a call must be opened at the adapter of its endpoint's kind");
  }

  @Override
  public Json body(Call call) {
    return chat().body(call);
  }

  @Override
  public OptionalLong countTokens(Call call) throws UpstreamException {
    return chat().countTokens(call);
  }

  /** Always throws: each adapter of {@link #adaptersOf} is closed separately. */
  @Override
  public void close() {
    throw new IllegalStateException("the adapters of the kinds must be closed separately");
  }
}
