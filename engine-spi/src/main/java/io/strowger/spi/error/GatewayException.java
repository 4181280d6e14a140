package io.strowger.spi.error;

/**
 * The one unchecked exception of the engine. Thrown only at a boundary; inside, an expected outcome
 * is a value.
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
