package io.strowger.core.upstream;

import io.strowger.core.ambient.BoundedCloser;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EmbeddingsProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.UpstreamFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * All adapters of one provider, asked by the kind of the endpoint that is called. Safe on any
 * thread. Decision 54.
 */
public final class AdapterByKind implements ChatProvider {
  private final ChatProvider chat;
  private final @Nullable ChatProvider embeddings;
  private final @Nullable ChatProvider speech;

  private AdapterByKind(
      ChatProvider chat, @Nullable ChatProvider embeddings, @Nullable ChatProvider speech) {
    this.chat = chat;
    this.embeddings = embeddings;
    this.speech = speech;
  }

  /**
   * Makes the adapters of one provider. An endpoint of a kind that the factory makes no adapter for
   * is passed over.
   *
   * @param closer closes what the factory made when it fails to make the rest
   */
  public static ChatProvider of(
      ProviderFactory factory, ProviderSettings settings, BoundedCloser closer) {
    var made = new ArrayList<BoundedCloser.Resource>(2);
    String what = "the adapter of the provider " + settings.slug();
    boolean complete = false;
    try {
      ChatProvider chat = Objects.requireNonNull(factory.create(settings), "create gave null");
      made.add(new BoundedCloser.Resource(what, chat));
      EmbeddingsProvider embeddings = factory.createEmbeddings(settings);
      if (embeddings != null) {
        made.add(new BoundedCloser.Resource(what + " for embeddings", embeddings));
      }
      SpeechProvider speech = factory.createSpeech(settings);
      complete = true;
      return new AdapterByKind(
          chat,
          embeddings == null ? null : new EmbeddingsAdapter(embeddings),
          speech == null ? null : new SpeechAdapter(speech));
    } finally {
      if (!complete) {
        closer.close(made);
      }
    }
  }

  /** Returns the adapters of all kinds that a provider has, each to be closed by itself. */
  public static List<ChatProvider> all(ChatProvider provider) {
    if (!(provider instanceof AdapterByKind all)) {
      return List.of(provider);
    }
    var each = new ArrayList<ChatProvider>(3);
    each.add(all.chat);
    if (all.embeddings != null) {
      each.add(all.embeddings);
    }
    if (all.speech != null) {
      each.add(all.speech);
    }
    return each;
  }

  /**
   * Returns the adapter for endpoints of a kind.
   *
   * @param provider what {@link #of(ProviderFactory, ProviderSettings)} made, or an adapter for
   *     chat
   * @return null when the provider's protocol has nothing of that kind
   */
  public static @Nullable ChatProvider of(ChatProvider provider, Endpoint.Kind kind) {
    return switch (kind) {
      case CHAT -> provider instanceof AdapterByKind all ? all.chat : provider;
      case EMBEDDINGS -> provider instanceof AdapterByKind all ? all.embeddings : null;
      case SPEECH -> provider instanceof AdapterByKind all ? all.speech : null;
    };
  }

  /** Not to be called: only money opens a provider, and it opens the one of a kind. */
  @Override
  public EventStream open(Call call) {
    throw new IllegalStateException("the adapter of the endpoint's kind was not asked for");
  }

  @Override
  public Json body(Call call) {
    return chat.body(call);
  }

  @Override
  public OptionalLong countTokens(Call call) throws UpstreamFailure {
    return chat.countTokens(call);
  }

  /** Not to be called: the adapters are closed each by itself, as {@link #all} says. */
  @Override
  public void close() {
    throw new IllegalStateException("the adapters of all kinds are closed each by itself");
  }
}
