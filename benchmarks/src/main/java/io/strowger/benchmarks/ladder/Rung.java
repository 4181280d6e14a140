package io.strowger.benchmarks.ladder;

import java.util.Locale;

/**
 * One step of the ladder: a layer of the gateway with all layers listed before it, measured in a
 * process of its own. All but the last are called in the process of their caller, by virtual
 * threads. {@link #WIRE} and {@link #HOST} decode each request; the others receive it decoded.
 */
enum Rung {
  /** The HTTP client alone: a fixed body is sent, and the answer is read and dropped. */
  TRANSPORT(false),
  /** The adapter of the upstream's dialect writes the body and reads the answer as events. */
  ADAPTER(false),
  /**
   * The attempt loop: deadlines, health, a place at the endpoint; with a ledger that charges
   * nothing.
   */
  ATTEMPT(false),
  /** A decision, a hold in the gateway's own ledger, the attempt, and the settlement. */
  TURN(true),
  /**
   * The typed inference service: everything except decoding and encoding bytes, including the
   * record.
   */
  INFERENCE(true),
  /**
   * The HTTP API as a function: from the bytes of a body and the caller's key to those of the
   * answer.
   */
  WIRE(true),
  /** The whole gateway in a process of its own, called over HTTP. */
  HOST(true);

  private final boolean usesStore;

  Rung(boolean usesStore) {
    this.usesStore = usesStore;
  }

  /** Returns whether the cost of this rung depends on the store. */
  boolean usesStore() {
    return usesStore;
  }

  /** Returns its name on command lines. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns a rung by its id.
   *
   * @throws IllegalArgumentException when there is none
   */
  static Rung of(String id) {
    for (Rung rung : values()) {
      if (rung.id().equals(id)) {
        return rung;
      }
    }
    throw new IllegalArgumentException("unknown rung " + id);
  }
}
