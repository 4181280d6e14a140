package io.strowger.core.batch;

import io.strowger.spi.store.BatchStore.Phase;
import java.util.Locale;

/** The states of a batch. Contract: "States and transitions"; resources fact sheet, section 6. */
public enum BatchStatus {
  /** Its requests are being received. It is not visible yet. */
  RECEIVING(Phase.RECEIVING),
  /** Its requests are being checked. */
  VALIDATING(Phase.STEP),
  /** Its requests are being answered. */
  IN_PROGRESS(Phase.OPEN),
  /** Its results are being added up; requests without a result are abandoned. */
  FINALIZING(Phase.STEP),
  /** Its key or workspace is gone; requests without a result are abandoned. */
  CANCELLING(Phase.STEP),
  /** Every request has a result. */
  COMPLETED(Phase.OVER),
  /** A request was invalid, so none was answered. */
  FAILED(Phase.OVER),
  /** Some requests were not answered in time. */
  EXPIRED(Phase.OVER),
  /** Some requests were not answered before its key or workspace was gone. */
  CANCELLED(Phase.OVER);

  private final Phase phase;

  BatchStatus(Phase phase) {
    this.phase = phase;
  }

  Phase phase() {
    return phase;
  }

  /** Returns whether the status is final. */
  public boolean isTerminal() {
    return phase == Phase.OVER;
  }

  /** Returns the status as the contract spells it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the status with this wire name.
   *
   * @throws IllegalArgumentException when there is none
   */
  static BatchStatus of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
