package io.strowger.core.plan;

import java.util.Objects;

/**
 * A plugin broke its promise: it threw, gave null, chose what it was not offered, or is not what it
 * was made as. Whoever serves the request answers INTERNAL, writes the plugin's id to the trace and
 * this to the log; the caller reads nothing of it. House rules, "Errors".
 */
public final class PluginFailureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String plugin;

  /**
   * @param plugin its id
   * @param cause what it threw
   */
  public PluginFailureException(String plugin, Throwable cause) {
    super("the plugin " + plugin + " failed", Objects.requireNonNull(cause, "cause"));
    this.plugin = Objects.requireNonNull(plugin, "plugin");
  }

  /**
   * @param plugin its id
   * @param what it did, after its name
   */
  public PluginFailureException(String plugin, String what) {
    super("the plugin " + plugin + " " + what);
    this.plugin = Objects.requireNonNull(plugin, "plugin");
  }

  /** The id of the plugin. */
  public String plugin() {
    return plugin;
  }
}
