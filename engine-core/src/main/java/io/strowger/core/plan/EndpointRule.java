package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One reason not to use an endpoint: a row of {@link EndpointRuleSet#ALL}. A rule sees one
 * endpoint, knows no other rule and never sorts; one row serves the decision and its explanation.
 *
 * @param name the member of the request or account that causes the drop, or a name of the engine's
 *     own, such as {@code cooldown}
 * @param subject the part of the query that the rule is about; the rule is skipped for a query
 *     without that part
 * @param errorCode the caller's error code when this rule dropped the last endpoint
 * @param compiler see {@link #compile}
 * @param explanation see {@link #reason}
 * @param excludedByWord the contract's word for this rule in {@code excluded_by}; null where it has
 *     none
 * @param hint see {@link #advice}; null when there is nothing to say
 */
record EndpointRule(
    String name,
    Subject subject,
    ErrorCode errorCode,
    Function<RuleContext, Test> compiler,
    BiFunction<Endpoint, RuleContext, String> explanation,
    @Nullable String excludedByWord,
    @Nullable Function<RuleContext, String> hint) {

  /** Creates a rule without explanation, contract word and hint. */
  static EndpointRule rule(
      String name, Subject subject, ErrorCode errorCode, Function<RuleContext, Test> compiler) {
    return new EndpointRule(name, subject, errorCode, compiler, (e, context) -> "", null, null);
  }

  EndpointRule because(BiFunction<Endpoint, RuleContext, String> reason) {
    return new EndpointRule(name, subject, errorCode, compiler, reason, excludedByWord, hint);
  }

  EndpointRule because(String reason) {
    return because((endpoint, context) -> reason);
  }

  EndpointRule excludedBy(String contractWord) {
    return new EndpointRule(name, subject, errorCode, compiler, explanation, contractWord, hint);
  }

  EndpointRule advising(Function<RuleContext, String> advice) {
    return new EndpointRule(
        name, subject, errorCode, compiler, explanation, excludedByWord, advice);
  }

  /**
   * Returns the rule's test for this query; {@link Test#KEEPS_ALL} when it cannot drop anything.
   * All work on text and look-ups happens here, once per decision.
   */
  Test compile(RuleContext context) {
    return compiler.apply(context);
  }

  /** Returns why this rule dropped an endpoint. Called only for an error or a trace. */
  String reason(Endpoint endpoint, RuleContext context) {
    return explanation.apply(endpoint, context);
  }

  /**
   * Returns what a caller can do when this rule dropped the last endpoint, as the rest of the
   * message; empty when there is no advice.
   */
  String advice(RuleContext context) {
    return hint == null ? "" : hint.apply(context);
  }

  /** Returns the contract's word for this rule in {@code excluded_by}, where it has one. */
  Optional<String> excludedBy() {
    return Optional.ofNullable(excludedByWord);
  }

  /** Returns whether more money, or time alone, would let the same request pass. */
  boolean isTemporary() {
    return errorCode == ErrorCode.PAYMENT_REQUIRED
        || errorCode == ErrorCode.TEMPORARILY_UNAVAILABLE;
  }

  /** A part of the query that many requests leave out altogether. */
  enum Subject {
    /** The request itself, which every query has. */
    REQUEST,
    /** The caller's preferences. */
    PREFERENCES,
    /** The rules of the account. */
    ACCOUNT,
    /** The health of the endpoints. */
    HEALTH
  }

  /** A rule compiled for one query. */
  interface Test {
    Test KEEPS_ALL = endpoint -> false;

    boolean drops(Endpoint endpoint);
  }
}
