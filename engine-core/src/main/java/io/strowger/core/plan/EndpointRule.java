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
 * @param name the member of the request or account that drops, or what the engine calls it
 * @param subject what part of the question the rule is about; without that part it is silent
 * @param errorCode what the caller gets when this rule dropped the last endpoint
 * @param compiler see {@link #compile}
 * @param explanation see {@link #reason}
 * @param word the contract's word for this rule in {@code excluded_by}; null where it has none
 * @param hint see {@link #advice}; null when there is nothing to say
 */
record EndpointRule(
    String name,
    Subject subject,
    ErrorCode errorCode,
    Function<RuleContext, Test> compiler,
    BiFunction<Endpoint, RuleContext, String> explanation,
    @Nullable String word,
    @Nullable Function<RuleContext, String> hint) {

  /** A rule that has still to be given its reason. */
  static EndpointRule rule(
      String name, Subject subject, ErrorCode errorCode, Function<RuleContext, Test> compiler) {
    return new EndpointRule(name, subject, errorCode, compiler, (e, context) -> "", null, null);
  }

  EndpointRule because(BiFunction<Endpoint, RuleContext, String> why) {
    return new EndpointRule(name, subject, errorCode, compiler, why, word, hint);
  }

  EndpointRule because(String why) {
    return because((endpoint, context) -> why);
  }

  EndpointRule excludedBy(String contractWord) {
    return new EndpointRule(name, subject, errorCode, compiler, explanation, contractWord, hint);
  }

  EndpointRule advising(Function<RuleContext, String> advice) {
    return new EndpointRule(name, subject, errorCode, compiler, explanation, word, advice);
  }

  /**
   * This query's bit test or comparison; {@link Test#KEEPS_ALL} when the rule has no say in it.
   * Everything that needs text or look-ups happens here, once per decision.
   */
  Test compile(RuleContext context) {
    return compiler.apply(context);
  }

  /** Why an endpoint this rule dropped was dropped. Called only when somebody reads it. */
  String reason(Endpoint endpoint, RuleContext context) {
    return explanation.apply(endpoint, context);
  }

  /**
   * What a caller could do when this rule dropped the last endpoint, as the rest of the message;
   * empty when there is nothing to say.
   */
  String advice(RuleContext context) {
    return hint == null ? "" : hint.apply(context);
  }

  /** The contract's word for this rule in {@code excluded_by}, where it has one. */
  Optional<String> excludedBy() {
    return Optional.ofNullable(word);
  }

  /** More money, or time alone, would let the same request pass it. */
  boolean isTemporary() {
    return errorCode == ErrorCode.PAYMENT_REQUIRED
        || errorCode == ErrorCode.TEMPORARILY_UNAVAILABLE;
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
