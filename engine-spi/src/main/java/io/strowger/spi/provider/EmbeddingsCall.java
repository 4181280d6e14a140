package io.strowger.spi.provider;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.EmbeddingsRequest;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one embeddings attempt that the engine passes to an adapter.
 *
 * @param endpoint the target; its {@link Endpoint#upstreamModel()} is the model to name
 * @param credential the credential to authenticate with
 * @param request the request without the members that only the gateway reads
 * @param endUser a salted hash of the caller's end user; null when the caller named none
 * @param readTimeout how long one read of a socket may block: a backstop, longer than every
 *     deadline the engine itself watches
 * @param cancellation cancelled when the answer is no longer wanted; before the adapter blocks, it
 *     registers an action that ends the exchange
 * @param traceparent value of the W3C Trace Context header of this name for the upstream; null when
 *     the call is not traced
 */
public record EmbeddingsCall(
    Endpoint endpoint,
    Credential credential,
    EmbeddingsRequest request,
    @Nullable String endUser,
    Duration readTimeout,
    Cancellation cancellation,
    @Nullable String traceparent) {
  public EmbeddingsCall {
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(credential, "credential");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(readTimeout, "readTimeout");
    Objects.requireNonNull(cancellation, "cancellation");
  }
}
