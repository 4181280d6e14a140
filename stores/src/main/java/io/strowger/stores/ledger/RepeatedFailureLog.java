package io.strowger.stores.ledger;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once that a repeated action fails, and once that it works again. */
final class RepeatedFailureLog {
  private static final Logger log = LoggerFactory.getLogger(RepeatedFailureLog.class);

  private final String what;
  private @Nullable String said;

  /**
   * @param what a clause for the log that says what fails
   */
  RepeatedFailureLog(String what) {
    this.what = what;
  }

  void failed(Exception why) {
    String message = String.valueOf(why.getMessage());
    if (!message.equals(said)) {
      log.warn("{}; this is retried: {}", what, message, why);
      said = message;
    }
  }

  void succeeded() {
    if (said != null) {
      log.info("resolved: {}", what);
      said = null;
    }
  }
}
