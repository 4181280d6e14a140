package io.strowger.core.flow;

import io.strowger.core.account.Caller;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Cancellation;

/**
 * The typed front door for inference. Safe on any thread; each call runs on the caller's own, which
 * should be a virtual one.
 */
public interface Inference {
  /**
   * Decides, attempts, and returns when the first content is there or nobody will deliver any.
   * Never throws for what a request or an upstream does.
   */
  Reply serve(Caller caller, InferenceRequest request, Cancellation cancellation);
}
