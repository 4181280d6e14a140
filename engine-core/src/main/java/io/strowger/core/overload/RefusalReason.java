package io.strowger.core.overload;

import java.util.Locale;

/** Why a request was not let in. Named in {@code metadata.overload} of its error. */
public enum RefusalReason {
  /** The bytes of bodies in flight left no room for its body, or its key has its share of them. */
  MEMORY,
  /** All places were taken, or its key's share of them, and the queue was full for it. */
  QUEUE_FULL,
  /** As places became free it would not have had one in time. */
  EXPECTED_WAIT,
  /** It waited as long as it may. */
  QUEUE_TIMEOUT,
  /** Its key had as many requests in flight as it may. */
  KEY,
  /** Every endpoint that could serve it had as many requests in flight as it may. */
  ENDPOINT,
  /** Its client went away while it waited, or the gateway was closed. */
  CANCELLED;

  /** As errors name it: lower case. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
