package io.strowger.core.batch;

import io.strowger.spi.store.BatchStore.Phase;
import java.util.Locale;

/** The states of a batch. Contract: "States and transitions"; resources fact sheet, section 6. */
public enum BatchStatus {
  /** Its requests are being received. Nobody sees it. */
  RECEIVING(Phase.RECEIVING),
  /** Its requests are being judged. */
  VALIDATING(Phase.STEP),
  /** Its requests are being answered. */
  IN_PROGRESS(Phase.OPEN),
  /** Its results are being added up, and what is left of its requests is given up. */
  FINALIZING(Phase.STEP),
  /** Its key or workspace is gone: what is left of its requests is given up. */
  CANCELLING(Phase.STEP),
  /** Every request has a result. */
  COMPLETED(Phase.OVER),
  /** A request was not valid: none was answered. */
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

  /** Whether nothing follows. */
  public boolean isTerminal() {
    return phase == Phase.OVER;
  }

  /** In the words of the contract. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the status of a word.
   *
   * @throws IllegalArgumentException when it is none
   */
  static BatchStatus of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
