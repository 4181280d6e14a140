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
 * @param endpoint where to; its {@link Endpoint#upstreamModel()} is the model to name, its
 *     parameters are those to send
 * @param credential what to authenticate with
 * @param request what is asked, without the members that only the gateway reads: neither its
 *     {@linkplain InferenceRequest#members() members} nor its {@linkplain
 *     InferenceRequest#generationParameters() parameters} hold one, nor its tools one that the
 *     gateway runs. Its preferences, plugins and session id are empty, its origin is unknown, its
 *     models are at most the first of those asked for, and wherever the caller named an end user
 *     stands {@code endUser}. Its messages name no model that wrote them and hold no run of a tool
 *     of the gateway. Plugins around an attempt see it so too; what they put back is taken out
 *     again. Write instructions, messages and tools from their typed form: they are among the
 *     members only as long as they are what the typed form says, and not once a plugin or a content
 *     filter changed them. The members {@code model}, {@code stream} and those that limit the
 *     output are as the caller wrote them: what holds is the endpoint, {@link
 *     InferenceRequest#streaming()} and {@code outputCap}
 * @param outputCap most output tokens to ask for; 0 when the upstream need not be told any.
 *     Replaces the request's own limit
 * @param outputHold most output tokens that are paid for; 0 when nobody counts them. Not less than
 *     the cap; what a dialect that demands a limit asks for where there is no cap
 * @param endUser stands for the caller's end user, a salted hash; null when the caller named none
 * @param longestSilence a backstop for sockets, longer than every deadline the engine itself
 *     watches
 * @param reasoning which options of reasoning the endpoint's model takes
 * @param losses receives each loss of the translation as it happens, on the adapter's thread
 * @param cancellation tripped when the answer is no longer wanted; the adapter registers what ends
 *     the exchange before it blocks
 * @param traceparent the header of this name that the upstream is sent, of W3C Trace Context; null
 *     when the call is not traced
 */
public record Call(
    Endpoint endpoint,
    Credential credential,
    InferenceRequest request,
    int outputCap,
    int outputHold,
    @Nullable String endUser,
    Duration longestSilence,
    ModelInfo.Reasoning reasoning,
    Consumer<Loss> losses,
    Cancellation cancellation,
    @Nullable String traceparent) {
  public Call {
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(credential, "credential");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(longestSilence, "longestSilence");
    Objects.requireNonNull(reasoning, "reasoning");
    Objects.requireNonNull(losses, "losses");
    Objects.requireNonNull(cancellation, "cancellation");
  }

  /** Makes a call that is not traced. */
  public Call(
      Endpoint endpoint,
      Credential credential,
      InferenceRequest request,
      int outputCap,
      int outputHold,
      @Nullable String endUser,
      Duration longestSilence,
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
        longestSilence,
        reasoning,
        losses,
        cancellation,
        null);
  }

  /** Makes a call whose {@code outputHold} is its {@code outputCap}. */
  public Call(
      Endpoint endpoint,
      Credential credential,
      InferenceRequest request,
      int outputCap,
      @Nullable String endUser,
      Duration longestSilence,
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
        longestSilence,
        reasoning,
        losses,
        cancellation);
  }

  /** Makes a call without options of reasoning, whose losses are dropped. */
  public Call(
      Endpoint endpoint,
      Credential credential,
      InferenceRequest request,
      int outputCap,
      @Nullable String endUser,
      Duration longestSilence,
      Cancellation cancellation) {
    this(
        endpoint,
        credential,
        request,
        outputCap,
        endUser,
        longestSilence,
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
        longestSilence,
        reasoning,
        losses,
        cancellation,
        traceparent);
  }
}
