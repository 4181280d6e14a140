package io.strowger.servlet;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects what the servlet and the containers log through {@code java.util.logging}. */
final class Logs extends Handler implements AutoCloseable {
  private static final Logger ROOT = Logger.getLogger("");

  private final List<String> errors = new CopyOnWriteArrayList<>();

  private Logs() {}

  /** Starts to collect. */
  static Logs listen() {
    var logs = new Logs();
    ROOT.addHandler(logs);
    return logs;
  }

  /** Keeps the starts and stops of containers out of the build's output. */
  static void silenceConsole() {
    for (Handler handler : ROOT.getHandlers()) {
      if (!(handler instanceof Logs)) {
        ROOT.removeHandler(handler);
      }
    }
  }

  /** Returns the warnings and errors since the start. */
  List<String> errors() {
    return List.copyOf(errors);
  }

  @Override
  public void publish(LogRecord entry) {
    if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
      errors.add(entry.getLoggerName() + ": " + entry.getMessage() + " " + entry.getThrown());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    ROOT.removeHandler(this);
  }
}
