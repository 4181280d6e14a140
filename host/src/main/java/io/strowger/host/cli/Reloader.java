package io.strowger.host.cli;

import io.strowger.core.Gateway;
import io.strowger.core.config.Reading;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the configuration again, whoever asks, one at a time. */
final class Reloader {
  private static final Logger LOG = LoggerFactory.getLogger("gateway");

  private final ConfigFile file;
  private final Gateway gateway;
  private final ReentrantLock one = new ReentrantLock();

  Reloader(ConfigFile file, Gateway gateway) {
    this.file = file;
    this.gateway = gateway;
  }

  /**
   * Puts the file in force, whole, or leaves everything as it is.
   *
   * @return what was read; null when the file cannot be read at all
   */
  @Nullable Reading reload() {
    one.lock();
    try {
      Reading reading = file.read();
      switch (reading) {
        case Reading.Accepted(var config) -> {
          gateway.reload(config);
          LOG.info("reloaded, catalog {}", config.catalog().version());
          config.withoutEffect().forEach(sentence -> LOG.warn("{}", sentence));
        }
        case Reading.Refused(var problems) -> {
          LOG.error("not reloaded, {} has {} problem(s):", file.file(), problems.size());
          problems.forEach(problem -> LOG.error("  {}", problem));
        }
      }
      return reading;
    } catch (Complaint unreadable) {
      LOG.error("not reloaded, {}", unreadable.getMessage());
      return null;
    } finally {
      one.unlock();
    }
  }
}
