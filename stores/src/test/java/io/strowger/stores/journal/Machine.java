package io.strowger.stores.journal;

import io.strowger.spi.ambient.Ambient;
import io.strowger.tck.TestAmbient;

/**
 * Where a process runs.
 *
 * @param boot which start of the machine it is
 */
record Machine(Ambient ambient, String boot) {
  static Machine fresh() {
    return new Machine(TestAmbient.at("2026-11-21T20:00:00Z"), JournalItems.BOOT);
  }

  /** The machine was started anew. */
  Machine afterPowerLoss() {
    return new Machine(ambient, boot + "-and-next");
  }
}
