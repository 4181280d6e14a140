package io.strowger.plugins.advisor;

/**
 * Asks another model for advice, by one inner call: the tool {@code router:advisor}.
 *
 * <p>Contract: plugins fact sheet, section 12, {@code advisor}.
 */
public final class AdvisorTool extends ModelCallingTool {
  /** Creates the tool, which has no settings. */
  public AdvisorTool() {
    super(Kind.ADVISOR);
  }
}
