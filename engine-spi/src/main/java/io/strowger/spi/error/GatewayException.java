package io.strowger.spi.error;

/**
 * Thrown when a request ends in an error that its caller receives. Thrown at the boundaries of the
 * engine only; inside it, an expected outcome is a return value.
 */
public final class GatewayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient GatewayError error;

  public GatewayException(GatewayError error) {
    super(error.toString());
    this.error = error;
  }

  public GatewayError error() {
    return error;
  }
}
