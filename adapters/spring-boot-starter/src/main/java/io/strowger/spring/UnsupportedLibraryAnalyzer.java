package io.strowger.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints which library is too old for the gateway. */
final class UnsupportedLibraryAnalyzer
    extends AbstractFailureAnalyzer<UnsupportedLibraryException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, UnsupportedLibraryException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
  }
}
