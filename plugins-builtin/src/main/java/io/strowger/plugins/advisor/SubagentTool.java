package io.strowger.plugins.advisor;

/**
 * Hands a task to another model, by one inner call: the tool {@code router:subagent}.
 *
 * <p>Contract: plugins fact sheet, section 12, {@code subagent}.
 */
public final class SubagentTool extends ModelCallingTool {
  /** Creates the tool, which has no settings. */
  public SubagentTool() {
    super(Kind.SUBAGENT);
  }
}
