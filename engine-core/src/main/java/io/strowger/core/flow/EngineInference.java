package io.strowger.core.flow;

import io.strowger.core.account.Caller;
import io.strowger.core.cache.Caching;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Cancellation;
import org.jspecify.annotations.Nullable;

/** Serves requests with one engine. */
public final class EngineInference implements Inference {
  private final Engine engine;

  public EngineInference(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Underway begin(
      Caller caller,
      InferenceRequest request,
      @Nullable Caching caching,
      Cancellation cancellation) {
    return new InferenceCall(engine, caller, request, caching, cancellation);
  }
}
