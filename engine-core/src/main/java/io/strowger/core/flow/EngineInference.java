package io.strowger.core.flow;

import io.strowger.core.account.Caller;
import io.strowger.core.cache.Caching;
import io.strowger.core.overload.AdmissionControl;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Cancellation;
import org.jspecify.annotations.Nullable;

/** Serves requests with one engine. */
public final class EngineInference implements Inference {
  private final Engine engine;
  private final @Nullable AdmissionControl admission;

  /** Serves requests that somebody else let in. */
  public EngineInference(Engine engine) {
    this(engine, null);
  }

  /**
   * @param admission lets each request in before anything is done for it; null: somebody else did
   */
  public EngineInference(Engine engine, @Nullable AdmissionControl admission) {
    this.engine = engine;
    this.admission = admission;
  }

  @Override
  public Underway begin(
      Caller caller,
      InferenceRequest request,
      @Nullable Caching caching,
      Cancellation cancellation) {
    return new InferenceCall(engine, admission, caller, request, caching, cancellation);
  }
}
