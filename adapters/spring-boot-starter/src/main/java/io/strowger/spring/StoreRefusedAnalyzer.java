package io.strowger.spring;

import io.strowger.spi.store.StoreRefusedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints why the gateway's store cannot be opened. */
final class StoreRefusedAnalyzer extends AbstractFailureAnalyzer<StoreRefusedException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, StoreRefusedException cause) {
    return new FailureAnalysis(
        "The gateway's store cannot be opened: " + cause.sentence(),
        "Do what the description says and start again. The store is what the configuration names as"
            + " store.url, or a file under strowger.data-dir.",
        cause);
  }
}
