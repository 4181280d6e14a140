package io.strowger.core.inference;

import io.strowger.core.authentication.Caller;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Cancellation;
import org.jspecify.annotations.Nullable;

/** Counts the tokens of prompts without generating an answer. Safe on any thread. */
@FunctionalInterface
public interface TokenCounts {
  /**
   * Counts or estimates the tokens of a prompt. Holds no money and charges nothing.
   *
   * @param decoding the plugins the request was decoded with; null to use it as it is
   * @param cancellation ends the count when it is cancelled
   * @throws io.strowger.spi.error.GatewayException when the request names no model or an unknown
   *     one, when the current plugins find a problem in it, when a content filter of its caller
   *     refuses it, or when the gateway is closed
   */
  Count count(
      Caller caller,
      InferenceRequest request,
      @Nullable RequestDecoding decoding,
      Cancellation cancellation);

  /**
   * The number of tokens of a prompt.
   *
   * @param tokens the number of tokens of the whole prompt
   * @param exact whether the provider that would answer counted them; false for an estimate
   */
  record Count(long tokens, boolean exact) {}
}
