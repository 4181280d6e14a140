package io.strowger.core.inference;

import io.strowger.core.authentication.Caller;
import io.strowger.core.cache.CacheOptions;
import io.strowger.core.cache.CacheStatus;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.observe.TraceContext;
import io.strowger.spi.provider.Cancellation;
import org.jspecify.annotations.Nullable;

/**
 * The typed entry point for inference. Safe on any thread; a call runs on the calling thread, which
 * should be a virtual one.
 */
public interface Inference {
  /** Begins a call: gives the request its id and notes its arrival time, without serving it yet. */
  default PendingCall begin(Caller caller, InferenceRequest request, Cancellation cancellation) {
    return begin(caller, new DecodedRequest(request, null, null), cancellation);
  }

  /** The place of a request in a distributed trace. Used only when calls are traced. */
  @FunctionalInterface
  interface Origin {
    /** The origin of a request that is in no trace. */
    Origin NONE = () -> null;

    /** Returns the trace context that the caller sent; null without a valid one. */
    @Nullable TraceContext context();
  }

  /**
   * A request that was read from a body.
   *
   * @param request the request as decoded; the response cache tells requests apart by their members
   * @param cacheOptions how the response cache is used; null to bypass it
   * @param decoding the plugins it was decoded with; null to serve it as it is, whichever plugins
   *     are in force
   * @param batchItem the batch item it belongs to; null for a request that a caller waits for
   * @param origin its place in a distributed trace
   */
  record DecodedRequest(
      InferenceRequest request,
      @Nullable CacheOptions cacheOptions,
      @Nullable RequestDecoding decoding,
      @Nullable BatchItem batchItem,
      Origin origin) {
    /** Creates a request that a caller waits for. */
    public DecodedRequest(
        InferenceRequest request,
        @Nullable CacheOptions cacheOptions,
        @Nullable RequestDecoding decoding) {
      this(request, cacheOptions, decoding, null, Origin.NONE);
    }
  }

  /**
   * Begins a call like {@link #begin(Caller, InferenceRequest, Cancellation)}, for a request that
   * was read from a body and may be answered from the cache.
   */
  PendingCall begin(Caller caller, DecodedRequest decodedRequest, Cancellation cancellation);

  /**
   * Routes the request, makes the attempts, and returns at the first content or with a refusal.
   * Errors of the request or an upstream are in the reply, never thrown.
   */
  default Reply serve(Caller caller, InferenceRequest request, Cancellation cancellation) {
    return begin(caller, request, cancellation).reply();
  }

  /** A call that has its id and is ready to be served. */
  interface PendingCall {
    /** Returns the generation id, {@code gen-...}. */
    String id();

    /** Serves the request, as {@link #serve} does; call it once. */
    Reply reply();

    /**
     * Returns the cache status; null when the cache was not used, or not yet. May be called at any
     * time.
     */
    default @Nullable CacheStatus cache() {
      return null;
    }
  }
}
