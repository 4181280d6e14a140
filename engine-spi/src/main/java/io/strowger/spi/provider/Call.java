package io.strowger.spi.provider;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.Loss;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one attempt that the engine passes to an adapter.
 *
 * @param endpoint the target; its {@link Endpoint#upstreamModel()} is the model to name, its
 *     parameters are those to send
 * @param credential the credential to authenticate with
 * @param request the request without the members that only the gateway reads: neither its
 *     {@linkplain InferenceRequest#members() members} nor its {@linkplain
 *     InferenceRequest#generationParameters() parameters} hold such a member, and its tools do not
 *     include any that the gateway runs. Its preferences, plugins and session id are empty, its
 *     origin is unknown, its models are at most the first one requested, and {@code endUser}
 *     replaces the end user that the caller named. Its messages do not name the model that wrote
 *     them and contain no runs of gateway tools. Plugins around an attempt see the same request;
 *     members that they put back are removed again. Write instructions, messages and tools from
 *     their typed form: the members contain them only while they agree with the typed form, not
 *     after a plugin or a content filter changed them. The members {@code model}, {@code stream}
 *     and those that limit the output are as the caller wrote them: use the endpoint, {@link
 *     InferenceRequest#streaming()} and {@code outputCap} instead
 * @param outputCap maximum output tokens to request; 0 when the upstream need not be given a limit.
 *     Replaces the request's own limit
 * @param outputHold maximum output tokens that are paid for; 0 for no limit. Not less than {@code
 *     outputCap}; a dialect that requires a limit sends {@code outputHold} when no other limit is
 *     known
 * @param endUser a salted hash of the caller's end user; null when the caller named none
 * @param readTimeout how long one read of a socket may block: a backstop, longer than every
 *     deadline the engine itself watches
 * @param reasoning the reasoning options that the endpoint's model supports
 * @param losses receives each loss of the translation as it happens, on the adapter's thread
 * @param cancellation cancelled when the answer is no longer wanted; before the adapter blocks, it
 *     registers an action that ends the exchange
 * @param traceparent value of the W3C Trace Context header of this name for the upstream; null when
 *     the call is not traced
 */
public record Call(
    Endpoint endpoint,
    Credential credential,
    InferenceRequest request,
    int outputCap,
    int outputHold,
    @Nullable String endUser,
    Duration readTimeout,
    ModelInfo.Reasoning reasoning,
    Consumer<Loss> losses,
    Cancellation cancellation,
    @Nullable String traceparent) {
  public Call {
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(credential, "credential");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(readTimeout, "readTimeout");
    Objects.requireNonNull(reasoning, "reasoning");
    Objects.requireNonNull(losses, "losses");
    Objects.requireNonNull(cancellation, "cancellation");
  }

  /** Creates a call that is not traced. */
  public Call(
      Endpoint endpoint,
      Credential credential,
      InferenceRequest request,
      int outputCap,
      int outputHold,
      @Nullable String endUser,
      Duration readTimeout,
      ModelInfo.Reasoning reasoning,
      Consumer<Loss> losses,
      Cancellation cancellation) {
    this(
        endpoint,
        credential,
        request,
        outputCap,
        outputHold,
        endUser,
        readTimeout,
        reasoning,
        losses,
        cancellation,
        null);
  }

  /** Creates a call whose {@code outputHold} is its {@code outputCap}. */
  public Call(
      Endpoint endpoint,
      Credential credential,
      InferenceRequest request,
      int outputCap,
      @Nullable String endUser,
      Duration readTimeout,
      ModelInfo.Reasoning reasoning,
      Consumer<Loss> losses,
      Cancellation cancellation) {
    this(
        endpoint,
        credential,
        request,
        outputCap,
        outputCap,
        endUser,
        readTimeout,
        reasoning,
        losses,
        cancellation);
  }

  /** Creates a call without reasoning options, whose losses are discarded. */
  public Call(
      Endpoint endpoint,
      Credential credential,
      InferenceRequest request,
      int outputCap,
      @Nullable String endUser,
      Duration readTimeout,
      Cancellation cancellation) {
    this(
        endpoint,
        credential,
        request,
        outputCap,
        endUser,
        readTimeout,
        ModelInfo.Reasoning.NONE,
        loss -> {},
        cancellation);
  }

  /** Returns the same call with another request. */
  public Call withRequest(InferenceRequest changed) {
    return new Call(
        endpoint,
        credential,
        changed,
        outputCap,
        outputHold,
        endUser,
        readTimeout,
        reasoning,
        losses,
        cancellation,
        traceparent);
  }
}
