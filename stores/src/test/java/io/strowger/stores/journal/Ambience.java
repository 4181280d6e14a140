package io.strowger.stores.journal;

import io.strowger.spi.ambient.Ambient;
import io.strowger.tck.TestAmbient;

/**
 * Where a process runs.
 *
 * @param boot which start of the machine it is
 */
record Ambience(Ambient ambient, String boot) {
  static Ambience fresh() {
    return new Ambience(TestAmbient.at("2026-11-21T20:00:00Z"), Written.BOOT);
  }

  /** The machine was started anew. */
  Ambience afterPowerLoss() {
    return new Ambience(ambient, boot + "-and-next");
  }
}
