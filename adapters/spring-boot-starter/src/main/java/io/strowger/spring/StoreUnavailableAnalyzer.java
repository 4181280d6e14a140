package io.strowger.spring;

import io.strowger.spi.store.StoreUnavailableException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints that the gateway's store could not be reached while the application started. */
final class StoreUnavailableAnalyzer extends AbstractFailureAnalyzer<StoreUnavailableException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, StoreUnavailableException cause) {
    return new FailureAnalysis(
        "The gateway's store cannot be reached: " + cause.getMessage(),
        "Check that the database of store.url runs, that this machine reaches it, and that user and"
            + " password are right; then start again.",
        cause);
  }
}
