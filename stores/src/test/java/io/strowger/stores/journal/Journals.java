package io.strowger.stores.journal;

import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.nio.file.Path;

/** Opens journals on machines that tests restart. */
public final class Journals {
  private Journals() {}

  /**
   * @param boot the id of the machine's boot
   */
  public static Journal open(Path directory, Ambient ambient, String boot) throws IOException {
    return Journal.open(
        new Journal.Setup(
            directory, JournalFileSystem.system(), boot, 4000, Journal.SERVER_FILE_RETENTION),
        ambient);
  }
}
