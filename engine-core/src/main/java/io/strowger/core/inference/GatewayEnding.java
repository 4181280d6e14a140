package io.strowger.core.inference;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import org.jspecify.annotations.Nullable;

/**
 * The errors of requests that the gateway itself ended. Such an error names no provider and does
 * not affect an endpoint's health. The caller pays for what was delivered before the end. {@code
 * docs/errors.md}, "How an answer ends, and who pays".
 */
public final class GatewayEnding {
  /** The gateway is being closed. */
  public static final GatewayError SHUTDOWN =
      GatewayError.of(ErrorCode.UNAVAILABLE, "The gateway is shutting down. Please try again.");

  /** The answer was not being read when it was ended, so the cause is not known. */
  public static final GatewayError GIVEN_UP =
      GatewayError.of(
          ErrorCode.UNAVAILABLE,
          "The gateway ended the answer: it is shutting down, or the request took too long.");

  /** The answer is collected while streamed, and no memory is left for more of it. */
  public static final GatewayError OUT_OF_MEMORY =
      GatewayError.of(
              ErrorCode.UNAVAILABLE,
              "The gateway ended the answer: there is no memory left to collect more of it.")
          .withMetadata("overload", Json.of("memory"))
          .withRetryAfter(1);

  /**
   * The caller disconnected, or closed only its sending side; the gateway cannot tell which. A
   * caller that still reads learns from this error that no provider ended the answer.
   */
  public static final GatewayError CALLER_GONE = GatewayError.of(ErrorCode.CLIENT_CLOSED_REQUEST);

  private GatewayEnding() {}

  /** Returns the error of a request ended for this cause; null when the gateway did not end it. */
  public static @Nullable GatewayError error(Cancellation.Cause cause) {
    return switch (cause) {
      case SHUTDOWN -> SHUTDOWN;
      case TOTAL -> GatewayError.of(ErrorCode.TIMEOUT);
      case CALLER_GONE, CLOSED, FIRST_CONTENT, GAP -> null;
    };
  }
}
