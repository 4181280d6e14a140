package io.strowger.core.plan;

import java.util.Objects;

/**
 * Thrown when a plugin breaks its contract: it threw, returned null, chose what it was not offered,
 * or is not of its declared kind. The server answers INTERNAL, writes the plugin's id to the trace
 * and this exception to the log; the caller sees none of it. House rules, "Errors".
 */
public final class PluginFailureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String plugin;

  /**
   * @param plugin its id
   * @param cause the exception or error the plugin threw
   */
  public PluginFailureException(String plugin, Throwable cause) {
    super("the plugin " + plugin + " failed", Objects.requireNonNull(cause, "cause"));
    this.plugin = Objects.requireNonNull(plugin, "plugin");
  }

  /**
   * @param plugin its id
   * @param problem the failure, worded to follow the plugin's id in the message
   */
  public PluginFailureException(String plugin, String problem) {
    super("the plugin " + plugin + " " + problem);
    this.plugin = Objects.requireNonNull(plugin, "plugin");
  }

  /** Returns the id of the plugin. */
  public String plugin() {
    return plugin;
  }
}
