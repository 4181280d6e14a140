package io.strowger.core.inference;

import io.strowger.core.authentication.Caller;
import io.strowger.core.cache.CacheStatus;
import io.strowger.core.cache.Caching;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.observe.TraceContext;
import io.strowger.spi.provider.Cancellation;
import org.jspecify.annotations.Nullable;

/**
 * The typed front door for inference. Safe on any thread; each call runs on the caller's own, which
 * should be a virtual one.
 */
public interface Inference {
  /** Names the request and notes when it came; does nothing else yet. */
  default Underway begin(Caller caller, InferenceRequest request, Cancellation cancellation) {
    return begin(caller, new Asked(request, null, null), cancellation);
  }

  /** Where a request belongs in a distributed trace: asked for only when somebody traces. */
  @FunctionalInterface
  interface Origin {
    /** Of a request that belongs in none. */
    Origin NONE = () -> null;

    /** Returns what the caller says of it; null when it says nothing valid. */
    @Nullable TraceContext context();
  }

  /**
   * A request that was read from a body.
   *
   * @param request as a decoder made it: its members are what it is compared by
   * @param caching null: the answer neither comes from the cache nor goes into it
   * @param decoding with which plugins it was read; null: it is served as it is, whichever are in
   *     force
   * @param batch what it is of a batch; null: somebody waits for it
   * @param origin where it belongs in a distributed trace
   */
  record Asked(
      InferenceRequest request,
      @Nullable Caching caching,
      @Nullable RequestDecoding decoding,
      @Nullable BatchItem batch,
      Origin origin) {
    /** A request somebody waits for. */
    public Asked(
        InferenceRequest request, @Nullable Caching caching, @Nullable RequestDecoding decoding) {
      this(request, caching, decoding, null, Origin.NONE);
    }
  }

  /** The same for a request whose answer may have been given before. */
  Underway begin(Caller caller, Asked asked, Cancellation cancellation);

  /**
   * Decides, attempts, and returns when the first content is there or nobody will deliver any.
   * Never throws for what a request or an upstream does.
   */
  default Reply serve(Caller caller, InferenceRequest request, Cancellation cancellation) {
    return begin(caller, request, cancellation).reply();
  }

  /** A request that has its name. */
  interface Underway {
    /** Generation id, {@code gen-...}. */
    String id();

    /** Does the work, as {@link #serve}; call it once. */
    Reply reply();

    /** What the cache had; null when it was not asked, or not yet. May be asked at any time. */
    default @Nullable CacheStatus cache() {
      return null;
    }
  }
}
