package io.strowger.core.resource;

/**
 * What a destination is told of a request. Contract: "Observability destination".
 *
 * @param privacyMode nothing of what was asked and answered
 * @param cost what a generation cost
 * @param identity who asked
 * @param requestContext where it was asked from
 */
public record Disclosure(
    boolean privacyMode, boolean cost, boolean identity, boolean requestContext) {
  /** As the contract has it when nothing is said. */
  public static final Disclosure USUAL = new Disclosure(false, false, false, false);

  /** What is to change of it. Nothing can be cleared. */
  public record Change(
      Patch<Boolean> privacyMode,
      Patch<Boolean> cost,
      Patch<Boolean> identity,
      Patch<Boolean> requestContext) {}
}
