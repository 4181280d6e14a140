package io.strowger.core.inference;

import io.strowger.core.cache.CacheStatus;
import io.strowger.core.meter.Bill;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.provider.EventStream;
import org.jspecify.annotations.Nullable;

/** What a request came to: an answer that has begun, or a refusal before any of it. */
public sealed interface Reply {
  /** Generation id, {@code gen-...}; the {@code X-Generation-Id} header. */
  String id();

  /** How the request was served so far. */
  DeliveryState delivery();

  /**
   * The events of an answer that has begun: its first content is at hand, so there is no fallback
   * any more. Close it when it was delivered or nobody wants the rest: only then are sinks and the
   * decision log told of the request.
   *
   * <p>They are metered: when a {@link io.strowger.spi.model.Event.UsageReport}, {@code Whole} or
   * {@code Finished} is handed out, {@link #bill()} is settled.
   */
  interface Begun extends EventStream {
    /** What it costs; null before the usage is known. */
    @Nullable Bill bill();

    /** Whether the gateway found pages that stand, or will stand, beside the text. */
    default boolean cites() {
      return false;
    }
  }

  /**
   * @param id generation id
   * @param createdSeconds Unix time of the request
   * @param answer the answer
   * @param cache what the response cache had; null when it was not asked
   */
  record Answered(
      String id, long createdSeconds, Begun answer, DeliveryView view, @Nullable CacheStatus cache)
      implements Reply {
    /** One the cache has nothing to do with. */
    public Answered(String id, long createdSeconds, Begun answer, DeliveryView view) {
      this(id, createdSeconds, answer, view, null);
    }

    /** The same with the answer as its caller may see it. */
    public Answered showing(Begun shown) {
      return shown == answer ? this : new Answered(id, createdSeconds, shown, view, cache);
    }

    /** It was given before, and nobody was asked. */
    public boolean cached() {
      return cache != null && cache.hit();
    }

    @Override
    public DeliveryState delivery() {
      return view.now();
    }
  }

  /**
   * Nothing was delivered; everything held was given back or settled.
   *
   * @param id generation id
   * @param createdSeconds Unix time of the request
   */
  record Refused(String id, long createdSeconds, GatewayError error, DeliveryState delivery)
      implements Reply {}

  /** Gives the delivery as of now. */
  @FunctionalInterface
  interface DeliveryView {
    DeliveryState now();
  }
}
