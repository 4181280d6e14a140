package io.strowger.core.attempt;

import io.strowger.spi.error.FailureKind;

/**
 * The one table that says what follows a failed attempt. Contract: "Errors"; routing fact sheet,
 * section 11.
 */
final class Failures {
  /** What follows. */
  enum Next {
    /** The endpoint is at fault: another may do better. */
    NEXT_CANDIDATE,
    /** The request is at fault: only another model the caller listed can do better. */
    NEXT_MODEL,
    /** Nobody waits any more. */
    STOP
  }

  private Failures() {}

  static Next after(FailureKind kind) {
    return switch (kind) {
      case RATE_LIMITED, OVERLOADED, UNAVAILABLE, TIMEOUT, CREDENTIAL, QUOTA, NOT_FOUND, PROTOCOL ->
          Next.NEXT_CANDIDATE;
      case INVALID_REQUEST, CONTEXT_LENGTH, CONTENT_POLICY -> Next.NEXT_MODEL;
      case CANCELLED -> Next.STOP;
    };
  }
}
