package io.strowger.spi.error;

/**
 * What went wrong at an upstream. Adapters classify, one table in the engine decides what follows;
 * a kind says nothing about retrying. The code is what the caller gets when this was the only
 * failure, where {@link Failure#code()} knows nothing better.
 */
public enum FailureKind {
  /** The upstream limits the rate of calls. */
  RATE_LIMITED(ErrorCode.CAPACITY_EXHAUSTED),
  /** The upstream says it has too much to do; one that says so with 529 is passed on as 529. */
  OVERLOADED(ErrorCode.TEMPORARILY_UNAVAILABLE),
  /** Refused, cut, unreachable, or answering with a fault of its own. */
  UNAVAILABLE(ErrorCode.PROVIDER_ERROR),
  /** A deadline passed: connecting, first content, the gap between two events, or the whole. */
  TIMEOUT(ErrorCode.TIMEOUT),
  /** The credential for the upstream is missing, wrong or not permitted. */
  CREDENTIAL(ErrorCode.PROVIDER_ERROR),
  /** The account at the upstream has no money or quota left. */
  QUOTA(ErrorCode.PROVIDER_ERROR),
  /** The upstream does not know the model. */
  NOT_FOUND(ErrorCode.MODEL_UNAVAILABLE_UPSTREAM),
  /**
   * The upstream says the request is at fault; another endpoint of the model would say the same.
   */
  INVALID_REQUEST(ErrorCode.INVALID_REQUEST),
  CONTEXT_LENGTH(ErrorCode.CONTEXT_LENGTH_EXCEEDED),
  CONTENT_POLICY(ErrorCode.CONTENT_POLICY_VIOLATION),
  /** What came is not what the dialect says: bad framing, bad JSON, an end before the end. */
  PROTOCOL(ErrorCode.PROVIDER_ERROR),
  /** Nobody waits for the answer any more. */
  CANCELLED(ErrorCode.PROVIDER_ERROR);

  private final ErrorCode code;

  FailureKind(ErrorCode code) {
    this.code = code;
  }

  public ErrorCode code() {
    return code;
  }
}
