package io.strowger.benchmarks.ladder;

import java.util.Locale;

/**
 * A layer of the gateway; each has all layers above it in this list inside. All but the last are
 * called in the process of their caller, by virtual threads, and get a request that was read
 * before; {@link #WIRE} and {@link #HOST} read it themselves.
 */
enum Rung {
  /** The HTTP client alone: a body is sent as it is, and the answer is read and dropped. */
  TRANSPORT(false),
  /** The adapter of the upstream's dialect writes the body and reads the answer as events. */
  ADAPTER(false),
  /**
   * The attempt loop: deadlines, health, a place at the endpoint; paid by a ledger that is free.
   */
  ATTEMPT(false),
  /**
   * A decision, money set aside in the gateway's own ledger, the attempt, one line in the books.
   */
  TURN(true),
  /** The typed front door: everything of a request but its bytes, and its record. */
  INFERENCE(true),
  /** A body as it comes, with the key of its caller, to the bytes of the answer. */
  WIRE(true),
  /** The whole gateway in a process of its own, called over HTTP. */
  HOST(true);

  private final boolean storing;

  Rung(boolean storing) {
    this.storing = storing;
  }

  /** Whether it costs something else where there is a data directory. */
  boolean isStoring() {
    return storing;
  }

  /** Its name on command lines. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The rung of this id.
   *
   * @throws IllegalArgumentException when there is none
   */
  static Rung of(String id) {
    for (Rung rung : values()) {
      if (rung.id().equals(id)) {
        return rung;
      }
    }
    throw new IllegalArgumentException("there is no rung " + id);
  }
}
