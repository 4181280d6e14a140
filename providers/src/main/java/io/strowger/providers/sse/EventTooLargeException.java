package io.strowger.providers.sse;

import java.io.IOException;

/** An upstream sent more in one event, or one line, than is read into memory. */
public final class EventTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  EventTooLargeException(int limit) {
    super("an event of more than " + limit + " bytes");
  }
}
