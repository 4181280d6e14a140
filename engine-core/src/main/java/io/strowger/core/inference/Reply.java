package io.strowger.core.inference;

import io.strowger.core.cache.CacheStatus;
import io.strowger.core.meter.Bill;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.provider.EventStream;
import org.jspecify.annotations.Nullable;

/** The result of a request: an answer that has begun, or a refusal before any content. */
public sealed interface Reply {
  /** Returns the generation id, {@code gen-...}, sent as the {@code X-Generation-Id} header. */
  String id();

  /** Returns how the request was served so far. */
  DeliveryState delivery();

  /**
   * The events of an answer that has begun: its first content has arrived, so there is no fallback
   * any more. Close it once it is delivered or the rest is not needed: only then do sinks and the
   * decision log get the request.
   *
   * <p>The events are metered: when a {@link io.strowger.spi.model.Event.UsageReport}, {@code
   * CompleteAnswer} or {@code Finished} is returned, {@link #bill()} is settled.
   */
  interface MeteredAnswer extends EventStream {
    /** Returns the bill; null before the usage is known. */
    @Nullable Bill bill();

    /** Returns whether the gateway adds citations of web pages to the text. */
    default boolean addsCitations() {
      return false;
    }
  }

  /**
   * An answer that has begun.
   *
   * @param id generation id
   * @param createdSeconds Unix time of the request
   * @param answer the answer
   * @param view returns the state of the delivery
   * @param cache the result of the response cache; null when it was not used
   */
  record Answered(
      String id,
      long createdSeconds,
      MeteredAnswer answer,
      DeliveryView view,
      @Nullable CacheStatus cache)
      implements Reply {
    /** Creates an answer that did not involve the cache. */
    public Answered(String id, long createdSeconds, MeteredAnswer answer, DeliveryView view) {
      this(id, createdSeconds, answer, view, null);
    }

    /** Returns the same reply with the answer in the form its caller may see. */
    public Answered withAnswer(MeteredAnswer visibleAnswer) {
      return visibleAnswer == answer
          ? this
          : new Answered(id, createdSeconds, visibleAnswer, view, cache);
    }

    /** Returns whether the answer came from the cache. */
    public boolean isCached() {
      return cache != null && cache.isHit();
    }

    @Override
    public DeliveryState delivery() {
      return view.current();
    }
  }

  /**
   * A refusal: nothing was delivered, and all holds are released or settled.
   *
   * @param id generation id
   * @param createdSeconds Unix time of the request
   */
  record Refused(String id, long createdSeconds, GatewayError error, DeliveryState delivery)
      implements Reply {}

  /** A view of the state of a delivery, which changes while the answer is read. */
  @FunctionalInterface
  interface DeliveryView {
    /** Returns the current state. */
    DeliveryState current();
  }
}
