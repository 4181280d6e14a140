package io.strowger.providers.sse;

import java.io.IOException;

/** Thrown when an upstream sends an event or a line that exceeds the reader's bound. */
public final class EventTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  EventTooLargeException(int limit) {
    super("an event of more than " + limit + " bytes");
  }
}
