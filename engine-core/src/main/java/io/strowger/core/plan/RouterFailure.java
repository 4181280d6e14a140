package io.strowger.core.plan;

import java.util.Objects;

/**
 * A router broke its promise: it threw, gave null, or chose what it was not offered. Whoever serves
 * the request answers INTERNAL, writes the plugin's id to the trace and this to the log; the caller
 * reads nothing of it. House rules, "Errors".
 */
public final class RouterFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String plugin;

  /**
   * @param plugin its id
   * @param cause what it threw
   */
  public RouterFailure(String plugin, Throwable cause) {
    super("the router " + plugin + " failed", Objects.requireNonNull(cause, "cause"));
    this.plugin = Objects.requireNonNull(plugin, "plugin");
  }

  /**
   * @param plugin its id
   * @param what it did, after its name
   */
  RouterFailure(String plugin, String what) {
    super("the router " + plugin + " " + what);
    this.plugin = Objects.requireNonNull(plugin, "plugin");
  }

  /** The id of the plugin. */
  public String plugin() {
    return plugin;
  }
}
