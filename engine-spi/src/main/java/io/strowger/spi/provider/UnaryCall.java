package io.strowger.spi.provider;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.UnaryRequest;
import io.strowger.spi.routing.Loss;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one attempt at a unary request that the engine passes to an adapter.
 *
 * @param endpoint where to; its {@link Endpoint#upstreamModel()} is the model to name
 * @param credential what to authenticate with
 * @param request what is asked, without the members that only the gateway reads
 * @param options what the caller passes to this provider and to no other. An adapter adds them to
 *     the body; none may replace what the request itself says
 * @param losses is told what the dialect has no words for
 * @param endUser stands for the caller's end user, a salted hash; null when the caller named none
 * @param longestSilence a backstop for sockets, longer than every deadline the engine itself
 *     watches
 * @param cancellation tripped when the answer is no longer wanted; the adapter registers what ends
 *     the exchange before it blocks
 * @param traceparent the header of this name that the upstream is sent, of W3C Trace Context; null
 *     when the call is not traced
 */
public record UnaryCall(
    Endpoint endpoint,
    Credential credential,
    UnaryRequest request,
    Json.Obj options,
    Consumer<Loss> losses,
    @Nullable String endUser,
    Duration longestSilence,
    Cancellation cancellation,
    @Nullable String traceparent) {
  public UnaryCall {
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(credential, "credential");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(losses, "losses");
    Objects.requireNonNull(longestSilence, "longestSilence");
    Objects.requireNonNull(cancellation, "cancellation");
  }
}
