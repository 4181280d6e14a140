package io.strowger.core.decisionlog;

/**
 * Is told of every decision once its call has ended. Called on the request's own thread, possibly
 * concurrently: it must not wait for anything, and what it throws is logged and changes nothing.
 * House rules, section 9.
 */
@FunctionalInterface
public interface DecisionLog {
  void accept(LoggedDecision decision);
}
