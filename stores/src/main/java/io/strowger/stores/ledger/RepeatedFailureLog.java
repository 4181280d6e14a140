package io.strowger.stores.ledger;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when a repeated action begins to fail, again when the message of the failure changes, and
 * when the action succeeds again. For one action, and for one thread at a time.
 */
final class RepeatedFailureLog {
  private static final Logger log = LoggerFactory.getLogger(RepeatedFailureLog.class);

  private final String problem;
  private @Nullable String loggedMessage;

  /**
   * @param problem a clause for the log that says what fails
   */
  RepeatedFailureLog(String problem) {
    this.problem = problem;
  }

  void failed(Exception failure) {
    String message = String.valueOf(failure.getMessage());
    if (!message.equals(loggedMessage)) {
      log.warn("{}; this is retried: {}", problem, message, failure);
      loggedMessage = message;
    }
  }

  void succeeded() {
    if (loggedMessage != null) {
      log.info("resolved: {}", problem);
      loggedMessage = null;
    }
  }
}
