package io.strowger.spi.plugin;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.store.Hold;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call that a plugin or a server tool makes while it works on a caller's request. It has its own
 * model, tools and limits; it is routed, attempted and recorded like a request of the caller, and
 * billed to the caller. {@link Interceptor.Chain#callAll} makes it.
 *
 * <p>The engine changes the request in these ways. It removes plugins, gateway tools that make
 * inner calls themselves, and gateway tools that do not exist. It replaces the provider preferences
 * with those of the caller's request that protect data: {@code zdr}, {@code data_collection},
 * {@code only}, {@code ignore} and {@code enforce_distillable_text}. The answer is requested as a
 * stream, so that a partial answer is kept when time runs out.
 *
 * @param name the purpose of the call, such as {@code panel 1}. Notes, logs and traces show it, so
 *     it must not contain text of a prompt or an answer
 * @param request the request, with at least one model; its {@code max_tool_calls} and {@code
 *     stop_server_tools_when} members limit its own tool loop
 * @param reservation the hold that {@link Interceptor.Chain#reserve} made for it; null for none.
 *     The first turn of the call uses this hold when it is large enough; otherwise the turn makes a
 *     hold of its own and releases this one. This hold is released at the latest when the calls end
 */
public record InnerCall(String name, InferenceRequest request, @Nullable Hold reservation) {
  public InnerCall {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(request, "request");
    if (request.models().isEmpty()) {
      throw new IllegalArgumentException("the inner call " + name + " names no model");
    }
  }

  /** Creates a call without reserved money. */
  public InnerCall(String name, InferenceRequest request) {
    this(name, request, null);
  }

  /** Returns the same call with this reserved hold; null for none. */
  public InnerCall withReservation(@Nullable Hold hold) {
    return new InnerCall(name, request, hold);
  }

  /**
   * The outcome of an inner call.
   *
   * @param answer the answer and the citations of its tools, possibly incomplete when there is a
   *     failure; null when there is no answer
   * @param failure how the call failed; null when the answer is complete. Its code is {@link
   *     io.strowger.spi.error.ErrorCode#TIMEOUT} when the time for the calls ended, {@link
   *     io.strowger.spi.error.ErrorCode#PAYMENT_REQUIRED} when there was not enough money for it
   * @param model id of the model that answered last; null when none did
   * @param cost the cost of all turns of the call, including what its tools paid for
   * @param upstreamStatus the HTTP status of the last upstream that refused the call; 0 when none
   *     did
   */
  public record Result(
      @Nullable Answer answer,
      Event.@Nullable Failed failure,
      @Nullable String model,
      Usd cost,
      int upstreamStatus) {
    // not the compact form, for which javac omits null annotations of nested types in class files
    public Result(
        @Nullable Answer answer,
        Event.@Nullable Failed failure,
        @Nullable String model,
        Usd cost,
        int upstreamStatus) {
      this.answer = answer;
      this.failure = failure;
      this.model = model;
      this.cost = Objects.requireNonNull(cost, "cost");
      this.upstreamStatus = upstreamStatus;
    }
  }
}
