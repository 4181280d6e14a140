package io.strowger.spi.plugin;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.store.Hold;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call that a plugin or a server tool makes itself, beside the one it stands around: a request
 * with its own model, tools and limits, which is decided, paid, attempted and recorded like one of
 * the caller's, on the caller's bill. Made by {@link Interceptor.Chain#callAll}.
 *
 * <p>The engine changes the request in these ways. Tools of the gateway that would make inner calls
 * themselves, and those it does not have, are removed. Plugins of the request are removed. Of the
 * provider preferences exactly what protects data holds, and it is the caller's: {@code zdr},
 * {@code data_collection}, {@code only}, {@code ignore} and {@code enforce_distillable_text}. The
 * answer is asked for as a stream, so that what was said is kept when time runs out.
 *
 * @param name what the call is for, such as {@code panel 1}. Shown in notes, logs and traces, so it
 *     must not repeat anything of a prompt or an answer
 * @param request names at least one model; {@code max_tool_calls} and {@code
 *     stop_server_tools_when} among its members bind its own loop over tools
 * @param reserved what {@link Interceptor.Chain#reserve} set aside for it. Its first turn takes
 *     that over when it is enough; otherwise the turn holds its own money and releases this. It
 *     ends with the calls. Null when nothing is set aside
 */
public record InnerCall(String name, InferenceRequest request, @Nullable Hold reserved) {
  public InnerCall {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(request, "request");
    if (request.models().isEmpty()) {
      throw new IllegalArgumentException("the inner call " + name + " names no model");
    }
  }

  /** Makes a call for which nothing is set aside yet. */
  public InnerCall(String name, InferenceRequest request) {
    this(name, request, null);
  }

  /** Returns the same call, for which this was set aside. */
  public InnerCall on(@Nullable Hold hold) {
    return new InnerCall(name, request, hold);
  }

  /**
   * The outcome of an inner call.
   *
   * @param answer what was said and what its tools cite, which may be a part of an answer when
   *     there is a failure; null when nothing was said
   * @param failure how it failed; null when the answer is complete. Its code is {@link
   *     io.strowger.spi.error.ErrorCode#TIMEOUT} when the time for the calls ended, {@link
   *     io.strowger.spi.error.ErrorCode#PAYMENT_REQUIRED} when there was no money for it
   * @param model id of the model that answered last; null when none did
   * @param cost of all its turns, and of what its tools paid for
   * @param upstreamStatus HTTP status of the last upstream that refused it; 0 when none did
   */
  public record Result(
      @Nullable Answer answer,
      Event.@Nullable Failed failure,
      @Nullable String model,
      Usd cost,
      int upstreamStatus) {
    // not the compact form: in class files javac drops the null annotations of its nested types
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
