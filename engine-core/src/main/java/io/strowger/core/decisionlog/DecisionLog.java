package io.strowger.core.decisionlog;

/**
 * Receives every decision once its call has ended. Called on the request's own thread, possibly
 * concurrently: it must not block, and an exception it throws is logged and has no other effect.
 * House rules, section 9.
 */
@FunctionalInterface
public interface DecisionLog {
  void accept(LoggedDecision decision);
}
