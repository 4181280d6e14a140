package io.strowger.core.attempt;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Usage;
import io.strowger.spi.routing.ModelRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which endpoint served a conversation, so that its next turn finds the prompt cached
 * there. A preference, not a constraint: planning may ignore it, and a failure changes nothing
 * here. Safe on any thread; lost when the gateway is closed. Routing fact sheet, section 12.
 *
 * <p>Holds hashes and ids, no text: some 200 bytes for each of at most {@value #MAX_ENTRIES}
 * entries.
 */
public final class Stickiness {
  /** How long after its last success a conversation is remembered. */
  public static final Duration IDLE_TIMEOUT = Duration.ofMinutes(10);

  private static final int MAX_ENTRIES = 100_000;

  /** The key of an entry: the owner, the requested model and the conversation. */
  private record Key(String owner, String model, ConversationId conversation) {}

  private final Cache<Key, String> endpoints;

  public Stickiness(Ambient ambient) {
    endpoints =
        Caffeine.newBuilder()
            .maximumSize(MAX_ENTRIES)
            .expireAfterWrite(IDLE_TIMEOUT)
            .ticker(ambient::nanoTime)
            .executor(Runnable::run) // no thread of its own
            .build();
  }

  /**
   * Returns the conversation a request belongs to.
   *
   * @param owner the owner of the conversation; owners never share entries
   */
  public Conversation conversation(String owner, InferenceRequest request) {
    return new Conversation(this, owner, request);
  }

  private static Key key(String owner, ModelRef model, ConversationId conversation) {
    return new Key(owner, model.toString().toLowerCase(Locale.ROOT), conversation);
  }

  /** One conversation, for the time of one request. Safe on any thread. */
  public static final class Conversation {
    private final Stickiness stickiness;
    private final String owner;
    private final InferenceRequest request;
    private @Nullable ConversationId id; // benign race: every thread computes an equal value

    private Conversation(Stickiness stickiness, String owner, InferenceRequest request) {
      this.stickiness = stickiness;
      this.owner = owner;
      this.request = request;
    }

    /**
     * Returns the ids of the endpoints that served the conversation before; empty when the request
     * itself states an order of providers.
     *
     * @param models the models as the request names them; each has an entry of its own
     */
    public List<String> endpoints(List<ModelRef> models) {
      if (!request.preferences().order().isEmpty() || stickiness.endpoints.estimatedSize() == 0) {
        return List.of();
      }
      ConversationId conversation = id();
      if (conversation == null) {
        return List.of();
      }
      var ids = new ArrayList<String>(models.size());
      for (ModelRef model : models) {
        String endpoint = stickiness.endpoints.getIfPresent(key(owner, model, conversation));
        if (endpoint != null && !ids.contains(endpoint)) {
          ids.add(endpoint);
        }
      }
      return ids;
    }

    /**
     * Records a success, which renews the entry. A conversation with a {@code session_id} is
     * remembered at once, any other conversation only when the answer used the prompt cache.
     *
     * @param model the requested model it was a success for, as the request names it
     * @param endpoint the endpoint that served it
     */
    public void recordSuccess(ModelRef model, Endpoint endpoint, Usage usage) {
      ConversationId conversation = cachesCheaply(endpoint) ? id() : null;
      if (conversation == null) {
        return;
      }
      Key key = key(owner, model, conversation);
      if (conversation.isExplicit()
          || usedCache(usage)
          || endpoint.id().equals(stickiness.endpoints.getIfPresent(key))) {
        stickiness.endpoints.put(key, endpoint.id());
      }
    }

    private @Nullable ConversationId id() {
      ConversationId value = id;
      if (value == null) {
        value = ConversationId.of(request);
        id = value;
      }
      return value;
    }

    private static boolean usedCache(Usage usage) {
      return usage.cacheRead() > 0 || usage.cacheWrite5m() > 0 || usage.cacheWrite1h() > 0;
    }

    /**
     * Returns whether cached tokens are cheaper; otherwise returning to the endpoint saves nothing.
     */
    private static boolean cachesCheaply(Endpoint endpoint) {
      Pricing pricing = endpoint.pricing();
      return endpoint.kind() == Endpoint.Kind.CHAT
          && pricing.picos(Price.INPUT_CACHE_READ) < pricing.picos(Price.PROMPT);
    }
  }
}
