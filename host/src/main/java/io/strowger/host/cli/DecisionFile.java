package io.strowger.host.cli;

import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.core.decisionlog.DecisionLogWriter;
import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The file decisions are written to, if they are. */
record DecisionFile(@Nullable DecisionLogWriter writer) implements AutoCloseable {
  /**
   * @param file null: decisions are not written
   */
  static DecisionFile open(@Nullable Path file, Ambient ambient) throws CommandException {
    try {
      return new DecisionFile(file == null ? null : DecisionLogWriter.open(file, ambient));
    } catch (IOException e) {
      throw new CommandException("cannot write the decision log: " + e.getMessage());
    }
  }

  /** Null when decisions are not written. */
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
