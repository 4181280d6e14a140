package io.strowger.spi.error;

/**
 * The kind of a failure at an upstream. Adapters classify failures; one table in the engine decides
 * what follows, so a kind says nothing about retrying. The caller gets the code of the kind when it
 * was the only failure, unless {@link Failure#code()} gives a more specific one.
 */
public enum FailureKind {
  /** The upstream limits the rate of calls. */
  RATE_LIMITED(ErrorCode.CAPACITY_EXHAUSTED),
  /** The upstream reports that it is overloaded; its status 529 is passed on as 529. */
  OVERLOADED(ErrorCode.TEMPORARILY_UNAVAILABLE),
  /**
   * The upstream refuses connections, is unreachable, breaks off, or answers with an error of its
   * own.
   */
  UNAVAILABLE(ErrorCode.PROVIDER_ERROR),
  /** A deadline passed: for connecting, first content, the gap between two events, or in total. */
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
  /** The answer violates its dialect: bad framing, bad JSON or a premature end. */
  PROTOCOL(ErrorCode.PROVIDER_ERROR),
  /** The attempt was cancelled because its answer is no longer wanted. */
  CANCELLED(ErrorCode.PROVIDER_ERROR);

  private final ErrorCode code;

  FailureKind(ErrorCode code) {
    this.code = code;
  }

  public ErrorCode code() {
    return code;
  }

  /**
   * Returns the kind of an upstream's HTTP status, for answers that say nothing more specific.
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
   * <tr><td>any below 400</td><td>{@link #PROTOCOL}: no answer, or a redirect, which is not
   * followed</td></tr>
   * </table>
   *
   * @param status the HTTP status of a response that is not an answer
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
