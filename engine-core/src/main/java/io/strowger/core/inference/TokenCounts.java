package io.strowger.core.inference;

import io.strowger.core.authentication.Caller;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Cancellation;
import org.jspecify.annotations.Nullable;

/** Says how many tokens prompts have, without having them answered. Safe on any thread. */
@FunctionalInterface
public interface TokenCounts {
  /**
   * Counts, or estimates. Nothing is held and nothing is paid.
   *
   * @param decoding with which plugins it was read; null: it is taken as it is
   * @param cancellation of the request
   * @throws io.strowger.spi.error.GatewayException when the same request for an answer would name
   *     no model or one there is none of, when the plugins in force find something wrong with it,
   *     when a filter of its caller refuses it, or when the gateway is closed
   */
  Count of(
      Caller caller,
      InferenceRequest request,
      @Nullable RequestDecoding decoding,
      Cancellation cancellation);

  /**
   * @param tokens of the whole prompt
   * @param exact whether the provider that would answer counted them; else the gateway estimated
   */
  record Count(long tokens, boolean exact) {}
}
