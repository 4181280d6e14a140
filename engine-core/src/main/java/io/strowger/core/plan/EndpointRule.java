package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.Optional;

/**
 * One reason not to use an endpoint. A rule sees one endpoint, knows no other rule and never sorts;
 * one class serves the decision and its explanation.
 */
interface EndpointRule {
  /** The member of the request or account that drops, or what the engine calls it. */
  String name();

  /**
   * This query's bit test or comparison; {@link Test#KEEPS_ALL} when the rule has no say in it.
   * Everything that needs text or look-ups happens here, once per decision.
   */
  Test compile(RuleContext context);

  /** Why an endpoint this rule dropped was dropped. Called only when somebody reads it. */
  String reason(Endpoint endpoint, RuleContext context);

  /** What the caller gets when this rule dropped the last endpoint. */
  ErrorCode errorCode();

  /**
   * What a caller could do when this rule dropped the last endpoint, as the rest of the message;
   * empty when there is nothing to say.
   */
  default String advice(RuleContext context) {
    return "";
  }

  /** The contract's word for this rule in {@code excluded_by}, where it has one. */
  default Optional<String> excludedBy() {
    return Optional.empty();
  }

  /** More money, or time alone, would let the same request pass it. */
  default boolean isTemporary() {
    return false;
  }

  /** What part of the question the rule is about; without that part it is silent. */
  default Subject subject() {
    return Subject.REQUEST;
  }

  /** A part of the question that many requests leave out as a whole. */
  enum Subject {
    /** What every request has something of. */
    REQUEST,
    /** The caller's preferences. */
    PREFERENCES,
    /** The rules of the account. */
    ACCOUNT,
    /** How endpoints fare. */
    HEALTH
  }

  /** A rule compiled for one query. */
  interface Test {
    Test KEEPS_ALL = endpoint -> false;

    boolean drops(Endpoint endpoint);
  }
}
