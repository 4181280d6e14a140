package io.strowger.stores.journal;

import io.strowger.spi.ambient.Ambient;
import io.strowger.tck.TestAmbient;

/**
 * The machine on which a process runs.
 *
 * @param boot the id of the machine's boot
 */
record Machine(Ambient ambient, String boot) {
  static Machine fresh() {
    return new Machine(TestAmbient.at("2026-11-21T20:00:00Z"), JournalItems.BOOT);
  }

  /** Returns the machine after another boot. */
  Machine afterPowerLoss() {
    return new Machine(ambient, boot + "-and-next");
  }
}
