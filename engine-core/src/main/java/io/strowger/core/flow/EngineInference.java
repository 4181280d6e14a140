package io.strowger.core.flow;

import io.strowger.core.account.Caller;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Cancellation;

/** Serves requests with one engine. */
public final class EngineInference implements Inference {
  private final Engine engine;

  public EngineInference(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Underway begin(Caller caller, InferenceRequest request, Cancellation cancellation) {
    return new InferenceCall(engine, caller, request, cancellation);
  }
}
