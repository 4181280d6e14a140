package io.strowger.host;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the warnings and errors that libraries log through the JDK on to slf4j, which writes all
 * logs to standard error. The web server writes lines on every start that operators do not need, so
 * its logger is off; the host logs what matters itself.
 */
final class Logs {
  // a static field, since the JDK forgets the level of a logger that is not referenced
  private static final Logger WEB_SERVER = Logger.getLogger("io.helidon");

  private Logs() {}

  static void quietLibraries() {
    LogManager.getLogManager().reset();
    WEB_SERVER.setLevel(Level.OFF);
    Logger root = Logger.getLogger("");
    root.setLevel(Level.WARNING);
    root.addHandler(new ToSlf4j());
  }

  private static final class ToSlf4j extends Handler {
    @Override
    public void publish(LogRecord record) {
      var logger = LoggerFactory.getLogger(String.valueOf(record.getLoggerName()));
      if (record.getLevel().intValue() >= Level.SEVERE.intValue()) {
        logger.error(record.getMessage(), record.getThrown());
      } else {
        logger.warn(record.getMessage(), record.getThrown());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
