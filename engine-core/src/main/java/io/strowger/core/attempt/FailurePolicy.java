package io.strowger.core.attempt;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.provider.Cancellation;
import org.jspecify.annotations.Nullable;

/**
 * Decides what follows a failed attempt, by the kind of the failure. Contract: "Errors"; routing
 * fact sheet, section 11.
 */
final class FailurePolicy {
  /** What to do after a failed attempt. */
  enum NextStep {
    /** The endpoint is at fault: another may do better. */
    NEXT_CANDIDATE,
    /** The request is at fault: only another model the caller listed can do better. */
    NEXT_MODEL,
    /** The request was cancelled: no other candidate is tried. */
    STOP
  }

  /**
   * The failure of a tool call whose arguments are incomplete although the upstream reports it as
   * complete. A caller can make a model write such a call, so health counts it as a bad call
   * (routing fact sheet, section 10, EX-3), not as a failure of the endpoint.
   */
  static final Failure INCOMPLETE_ARGUMENTS =
      Failure.of(FailureKind.PROTOCOL, "the arguments of a tool call end in the middle");

  private FailurePolicy() {}

  static NextStep nextStep(FailureKind kind) {
    return switch (kind) {
      case RATE_LIMITED, OVERLOADED, UNAVAILABLE, TIMEOUT, CREDENTIAL, QUOTA, NOT_FOUND, PROTOCOL ->
          NextStep.NEXT_CANDIDATE;
      case INVALID_REQUEST, CONTEXT_LENGTH, CONTENT_POLICY -> NextStep.NEXT_MODEL;
      case CANCELLED -> NextStep.STOP;
    };
  }

  /**
   * Returns the failure, or a timeout in place of a cancellation that a deadline caused: then the
   * upstream was late, although its adapter saw only the cancellation.
   *
   * @param cause why the attempt was ended from outside; null when it was not
   */
  static Failure timeoutIfDeadlinePassed(Failure failure, Cancellation.@Nullable Cause cause) {
    return failure.kind() == FailureKind.CANCELLED && cause != null && cause.isTimeout()
        ? Failure.of(FailureKind.TIMEOUT, "deadline passed: " + deadline(cause))
        : failure;
  }

  private static String deadline(Cancellation.Cause cause) {
    return switch (cause) {
      case FIRST_CONTENT -> "no content yet";
      case GAP -> "no event for too long";
      case TOTAL -> "the whole request took too long";
      case CALLER_GONE, CLOSED, SHUTDOWN -> cause.name();
    };
  }

  /**
   * Returns the failure of a stream that ended without a terminal event.
   *
   * @param cause why the attempt was ended from outside; null when it was not
   */
  static Failure unfinishedStream(Cancellation.@Nullable Cause cause) {
    return cause == null
        ? Failure.of(FailureKind.PROTOCOL, "the stream ended without a terminal event")
        : timeoutIfDeadlinePassed(
            Failure.of(FailureKind.CANCELLED, "the stream was closed"), cause);
  }
}
