package io.strowger.core.overload;

import java.util.Locale;

/** The reason why a request was refused, named in {@code metadata.overload} of its error. */
public enum RefusalReason {
  /** Too many bytes of bodies were in flight, of all requests or of those of its key. */
  MEMORY,
  /** All places, or its key's share of them, were taken, and the queue had no room for it. */
  QUEUE_FULL,
  /** It was not expected to get a place within the maximum wait. */
  EXPECTED_WAIT,
  /** It waited for the maximum time and got no place. */
  QUEUE_TIMEOUT,
  /** Its key had its maximum of requests in flight. */
  KEY,
  /** Every endpoint that could serve it had its maximum of attempts in flight. */
  ENDPOINT,
  /** Its client went away while it waited, or the gateway was closed. */
  CANCELLED;

  /** Returns the name that errors use: in lower case. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
