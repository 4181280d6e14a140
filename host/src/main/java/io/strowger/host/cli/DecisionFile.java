package io.strowger.host.cli;

import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.core.decisionlog.DecisionLogWriter;
import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The decision log of a running gateway, if there is one. */
record DecisionFile(@Nullable DecisionLogWriter writer) implements AutoCloseable {
  /**
   * Opens a decision log.
   *
   * @param file the file to append to; null when decisions are not logged
   */
  static DecisionFile open(@Nullable Path file, Ambient ambient) throws CommandException {
    try {
      return new DecisionFile(file == null ? null : DecisionLogWriter.open(file, ambient));
    } catch (IOException e) {
      throw new CommandException("cannot write the decision log: " + e.getMessage());
    }
  }

  /** Returns the log; null when decisions are not logged. */
  @Nullable DecisionLog decisions() {
    return writer;
  }

  @Override
  public void close() {
    if (writer != null) {
      writer.close();
    }
  }
}
