package io.strowger.plugins.webclient;

/**
 * Thrown when a request to a web site or service fails. The message is the rest of a sentence about
 * the page or service, and may be shown to models and callers: it contains no secrets, and no
 * addresses that they did not name.
 */
public final class WebException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  public WebException(String message) {
    this(message, 0);
  }

  /**
   * @param status the status of the response; 0 when there was none
   */
  public WebException(String message, int status) {
    super(message, null, false, false);
    this.status = status;
  }

  /** Returns whether the response had a success status; then the failure occurred afterwards. */
  public boolean hasSuccessStatus() {
    return status / 100 == 2;
  }

  /** Returns the status of the response; 0 when there was none. */
  public int status() {
    return status;
  }
}
