package io.strowger.spi.provider;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.Loss;
import io.strowger.spi.speech.SpeechRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one speech attempt that the engine passes to an adapter.
 *
 * @param endpoint the target; its {@link Endpoint#upstreamModel()} is the model to name
 * @param credential the credential to authenticate with
 * @param request the request without the members that only the gateway reads; it names neither the
 *     session nor the end user
 * @param format the audio format, one of {@link Endpoint#audioFormats()}: that of the request
 *     unless the caller passes another one to this provider
 * @param options the options that the caller passes to this provider only. An adapter adds them to
 *     the body; none may replace what the adapter itself writes there
 * @param losses receives what the dialect cannot express
 * @param readTimeout how long one read of a socket may block: a backstop, longer than every
 *     deadline the engine itself watches
 * @param cancellation cancelled when the answer is no longer wanted; before the adapter blocks, it
 *     registers an action that ends the exchange
 * @param traceparent value of the W3C Trace Context header of this name for the upstream; null when
 *     the call is not traced
 */
public record SpeechCall(
    Endpoint endpoint,
    Credential credential,
    SpeechRequest request,
    String format,
    Json.Obj options,
    Consumer<Loss> losses,
    Duration readTimeout,
    Cancellation cancellation,
    @Nullable String traceparent) {
  public SpeechCall {
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(credential, "credential");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(format, "format");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(losses, "losses");
    Objects.requireNonNull(readTimeout, "readTimeout");
    Objects.requireNonNull(cancellation, "cancellation");
  }
}
