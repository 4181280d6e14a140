package io.strowger.plugins.webclient;

/**
 * A request to a web site or service came to nothing. The message is the rest of a sentence about
 * the page or service, and may be shown to models and callers: it holds no secret, and no address
 * that they did not name.
 */
public final class WebException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  public WebException(String message) {
    this(message, 0);
  }

  /**
   * @param status of the response; 0 when there was none
   */
  public WebException(String message, int status) {
    super(message, null, false, false);
    this.status = status;
  }

  /** True when the answer had begun well and came to nothing later. */
  public boolean isAnswered() {
    return status / 100 == 2;
  }

  /** The status of the response; 0 when there was none. */
  public int status() {
    return status;
  }
}
