package io.strowger.core;

/**
 * The readiness of a gateway: whether it should receive requests, and if not, the reason. A host
 * answers readiness probes with it; nothing in the engine depends on it.
 */
public enum Readiness {
  /** Requests are served. */
  READY("ready", "Requests are served."),

  /** The gateway is being built, or its store is being brought up to date. */
  STARTING("starting", "The gateway is starting. Try again shortly."),

  /** The host is shutting down; requests under way are still finished. */
  DRAINING("draining", "The gateway is shutting down. Send requests to another one."),

  /** The store of keys, budgets and records cannot be reached; the gateway waits for it. */
  STORE_UNAVAILABLE(
      "store unavailable",
      "The store of keys and budgets cannot be reached. The gateway recovers by itself when the"
          + " store can be reached again.");

  private final String reason;
  private final String message;

  Readiness(String reason, String message) {
    this.reason = reason;
    this.message = message;
  }

  /** Returns a short fixed phrase for programs, such as {@code store unavailable}. */
  public String reason() {
    return reason;
  }

  /** Returns a short text for people, without an address, a name or a secret. */
  public String message() {
    return message;
  }
}
