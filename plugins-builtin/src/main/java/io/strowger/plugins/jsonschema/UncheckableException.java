package io.strowger.plugins.jsonschema;

/**
 * Thrown when a schema or value cannot be checked: it is too large or too deep, the check would
 * take too long, or the schema has a pattern or reference that is not supported. The message is the
 * rest of a sentence about the schema or value.
 */
final class UncheckableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  /**
   * @param reason the rest of a sentence about the schema or value, such as "is too large"
   */
  UncheckableException(String reason) {
    super(reason, null, false, false);
    this.reason = reason;
  }

  @Override
  public String getMessage() {
    return reason;
  }
}
