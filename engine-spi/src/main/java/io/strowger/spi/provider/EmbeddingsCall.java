package io.strowger.spi.provider;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.EmbeddingsRequest;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one embeddings attempt that the engine passes to an adapter.
 *
 * @param endpoint where to; its {@link Endpoint#upstreamModel()} is the model to name
 * @param credential what to authenticate with
 * @param request what is asked, without the members that only the gateway reads
 * @param endUser stands for the caller's end user, a salted hash; null when the caller named none
 * @param longestSilence a backstop for sockets, longer than every deadline the engine itself
 *     watches
 * @param cancellation tripped when the answer is no longer wanted; the adapter registers what ends
 *     the exchange before it blocks
 * @param traceparent the header of this name that the upstream is sent, of W3C Trace Context; null
 *     when the call is not traced
 */
public record EmbeddingsCall(
    Endpoint endpoint,
    Credential credential,
    EmbeddingsRequest request,
    @Nullable String endUser,
    Duration longestSilence,
    Cancellation cancellation,
    @Nullable String traceparent) {
  public EmbeddingsCall {
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(credential, "credential");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(longestSilence, "longestSilence");
    Objects.requireNonNull(cancellation, "cancellation");
  }
}
