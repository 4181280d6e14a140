package io.strowger.spi.provider;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.InferenceRequest;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One attempt, as an adapter gets it.
 *
 * @param endpoint where to; its {@link Endpoint#upstreamModel()} is the model to name, its
 *     parameters are those to send
 * @param credential what to authenticate with
 * @param request what is asked
 * @param outputCap most output tokens to ask for; 0 when nothing limits them. Replaces the
 *     request's own limit
 * @param endUser stands for the caller's end user, a salted hash; null when the caller named none
 * @param longestSilence a backstop for sockets, longer than every deadline the engine itself
 *     watches
 * @param cancellation tripped when the answer is no longer wanted; the adapter registers what ends
 *     the exchange before it blocks
 */
public record Call(
    Endpoint endpoint,
    Credential credential,
    InferenceRequest request,
    int outputCap,
    @Nullable String endUser,
    Duration longestSilence,
    Cancellation cancellation) {
  public Call {
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(credential, "credential");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(longestSilence, "longestSilence");
    Objects.requireNonNull(cancellation, "cancellation");
  }
}
