package io.strowger.spi.error;

/**
 * The kind of a failure at an upstream. Adapters classify, one table in the engine decides what
 * follows; a kind says nothing about retrying. The code is what the caller gets when this was the
 * only failure, where {@link Failure#code()} knows nothing better.
 */
public enum FailureKind {
  /** The upstream limits the rate of calls. */
  RATE_LIMITED(ErrorCode.CAPACITY_EXHAUSTED),
  /** The upstream says it has too much to do; one that says so with 529 is passed on as 529. */
  OVERLOADED(ErrorCode.TEMPORARILY_UNAVAILABLE),
  /**
   * The upstream refuses connections, is unreachable, breaks off, or answers with an error of its
   * own.
   */
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

  /**
   * Returns what an upstream's HTTP status means where its words say no more.
   *
   * <table>
   * <caption>Statuses</caption>
   * <tr><th>status</th><th>kind</th></tr>
   * <tr><td>401, 403</td><td>{@link #CREDENTIAL}</td></tr>
   * <tr><td>402</td><td>{@link #QUOTA}</td></tr>
   * <tr><td>404, 410</td><td>{@link #NOT_FOUND}</td></tr>
   * <tr><td>408, 504, 524</td><td>{@link #TIMEOUT}</td></tr>
   * <tr><td>429</td><td>{@link #RATE_LIMITED}</td></tr>
   * <tr><td>503, 529</td><td>{@link #OVERLOADED}</td></tr>
   * <tr><td>any other from 400 to 499</td><td>{@link #INVALID_REQUEST}</td></tr>
   * <tr><td>any other from 500</td><td>{@link #UNAVAILABLE}</td></tr>
   * <tr><td>any below 400</td><td>{@link #PROTOCOL}: no answer, or a redirect, which nobody
   * follows</td></tr>
   * </table>
   *
   * @param status of a response that is no answer
   */
  public static FailureKind ofStatus(int status) {
    return switch (status) {
      case 401, 403 -> CREDENTIAL;
      case 402 -> QUOTA;
      case 404, 410 -> NOT_FOUND;
      case 408, 504, 524 -> TIMEOUT;
      case 429 -> RATE_LIMITED;
      case 503, 529 -> OVERLOADED;
      default -> status < 400 ? PROTOCOL : status < 500 ? INVALID_REQUEST : UNAVAILABLE;
    };
  }
}
