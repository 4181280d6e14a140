package io.strowger.core.plan;

import static io.strowger.core.plan.EndpointRule.Subject.ACCOUNT;
import static io.strowger.core.plan.EndpointRule.Subject.HEALTH;
import static io.strowger.core.plan.EndpointRule.Subject.PREFERENCES;
import static io.strowger.core.plan.EndpointRule.Subject.REQUEST;
import static io.strowger.core.plan.EndpointRule.rule;
import static io.strowger.spi.error.ErrorCode.CONSTRAINT_FILTERED;
import static io.strowger.spi.error.ErrorCode.INVALID_REQUEST;
import static io.strowger.spi.error.ErrorCode.MODEL_NOT_FOUND;
import static io.strowger.spi.error.ErrorCode.NO_ENDPOINTS;
import static io.strowger.spi.error.ErrorCode.PAYMENT_REQUIRED;
import static io.strowger.spi.error.ErrorCode.PRIVACY_RESTRICTED;
import static io.strowger.spi.error.ErrorCode.TEMPORARILY_UNAVAILABLE;
import static io.strowger.spi.error.ErrorCode.WRONG_ENDPOINT;

import io.strowger.core.routing.AccountRules;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules that apply to one query, compiled for it. An endpoint is kept if all keep it. */
final class EndpointRuleSet {
  static final EndpointRule UNKNOWN_PART =
      rule("unknown_part", REQUEST, INVALID_REQUEST, UnknownPartRule::compile)
          .because(UnknownPartRule::reason);

  /**
   * All rules. Their order decides which error a caller receives when no endpoint is left: first
   * the rules that no request for these models can satisfy, then those of the account, of the
   * request's preferences, of its needs and of its cost, last those that only waiting resolves. So
   * the rule that dropped the last endpoint is the one about which the caller can do most.
   */
  static final List<EndpointRule> ALL =
      List.of(
          rule("endpoint_kind", REQUEST, WRONG_ENDPOINT, RequestRules::kind)
              .because(RequestRules::kindReason),
          rule("private_model", REQUEST, MODEL_NOT_FOUND, RequestRules::privateModels)
              .because("is private to other accounts"),
          rule("service_tier", REQUEST, NO_ENDPOINTS, RequestRules::serviceTier)
              .because(RequestRules::serviceTierReason),
          rule("account.allowed_models", ACCOUNT, NO_ENDPOINTS, AccountChecks::allowedModels)
              .because(AccountChecks::allowedModelsReason),
          rule("account.ignored_models", ACCOUNT, NO_ENDPOINTS, AccountChecks::ignoredModels)
              .because("ignored"),
          rule("account.allowed_providers", ACCOUNT, NO_ENDPOINTS, AccountChecks::allowedProviders)
              .because(AccountChecks::allowedProvidersReason)
              .excludedBy("allowed_providers"),
          rule("account.ignored_providers", ACCOUNT, NO_ENDPOINTS, AccountChecks::ignoredProviders)
              .because("ignored")
              .excludedBy("allowed_providers"),
          rule("account.training", ACCOUNT, PRIVACY_RESTRICTED, AccountChecks::training)
              .because(AccountChecks::trainingReason)
              .excludedBy("data_policy:training"),
          rule("account.zdr", ACCOUNT, PRIVACY_RESTRICTED, AccountChecks::zdr)
              .because(AccountChecks::zdrReason)
              .excludedBy("data_policy:zdr"),
          rule("provider.only", PREFERENCES, NO_ENDPOINTS, PreferenceRules::only)
              .because(PreferenceRules::onlyReason)
              .excludedBy("allowed_providers"),
          rule("provider.ignore", PREFERENCES, NO_ENDPOINTS, PreferenceRules::ignore)
              .because("ignored")
              .excludedBy("allowed_providers"),
          rule(
                  "provider.data_collection",
                  PREFERENCES,
                  PRIVACY_RESTRICTED,
                  PreferenceRules::dataCollection)
              .because("may train on prompts")
              .excludedBy("data_policy:training"),
          rule("provider.zdr", PREFERENCES, PRIVACY_RESTRICTED, PreferenceRules::zdr)
              .because("may keep prompts")
              .excludedBy("data_policy:zdr"),
          rule("region", REQUEST, CONSTRAINT_FILTERED, RequestRules::region)
              .because(RequestRules::regionReason)
              .excludedBy("data_region"),
          rule(
                  "provider.enforce_distillable_text",
                  PREFERENCES,
                  CONSTRAINT_FILTERED,
                  PreferenceRules::distillable)
              .because("its author does not allow distilling its text"),
          rule(
                  "provider.quantizations",
                  PREFERENCES,
                  CONSTRAINT_FILTERED,
                  PreferenceRules::quantizations)
              .because(PreferenceRules::quantizationsReason)
              .excludedBy("quantization"),
          rule(
                  "provider.require_parameters",
                  PREFERENCES,
                  CONSTRAINT_FILTERED,
                  PreferenceRules::parameters)
              .because(PreferenceRules::parametersReason)
              .excludedBy("require_parameters"),
          rule("reasoning", REQUEST, INVALID_REQUEST, RequestRules::reasoning)
              .because("always reasons"),
          UNKNOWN_PART,
          rule("input_modalities", REQUEST, CONSTRAINT_FILTERED, RequestRules::inputs)
              .because(RequestRules::inputsReason),
          rule("output_modalities", REQUEST, CONSTRAINT_FILTERED, RequestRules::outputs)
              .because(RequestRules::outputsReason),
          rule("multi_speaker", REQUEST, NO_ENDPOINTS, RequestRules::multiSpeaker)
              .because("speaks a text of one speaker only"),
          rule("response_format", REQUEST, NO_ENDPOINTS, RequestRules::audioFormat)
              .because(RequestRules::audioFormatReason),
          rule("context_length", REQUEST, CONSTRAINT_FILTERED, ContextLengthRule::compile)
              .because(ContextLengthRule::reason)
              .excludedBy("context_length")
              .advising(ContextLengthRule::advice),
          rule("max_tokens", REQUEST, CONSTRAINT_FILTERED, RequestRules::maxTokens)
              .because(RequestRules::maxTokensReason),
          rule("provider.max_price", PREFERENCES, CONSTRAINT_FILTERED, MaxPriceRule::compile)
              .because(MaxPriceRule::reason)
              .excludedBy("max_price"),
          rule("budget", REQUEST, PAYMENT_REQUIRED, BudgetRule::compile)
              .because(BudgetRule::reason),
          rule("cooldown", HEALTH, TEMPORARILY_UNAVAILABLE, CooldownRule::compile)
              .because(CooldownRule::reason));

  private static final EndpointRule[] BY_NUMBER = ALL.toArray(new EndpointRule[0]);
  private static final EndpointRule.Test[] NO_TESTS = {};
  private static final int INITIAL_TESTS = 2;
  private static final int ABOUT_REQUEST = rulesAbout(REQUEST);
  private static final int ABOUT_PREFERENCES = rulesAbout(PREFERENCES);
  private static final int ABOUT_ACCOUNT = rulesAbout(ACCOUNT);
  private static final int ABOUT_HEALTH = rulesAbout(HEALTH);

  private final RuleContext context;
  private final long forbidden; // the bits of all bit tests
  private final long required; // the parameters of all bit tests
  private final @Nullable ProviderSet only;
  private final @Nullable ProviderSet ignored;
  private final EndpointRule.Test[] otherTests; // all other tests, in the order of their rules
  private final int size; // number of other tests
  private final int permanentCount; // number of other tests before those that waiting lifts

  EndpointRuleSet(RuleContext context) {
    this.context = context;
    EndpointRule.Test[] tests = NO_TESTS;
    int count = 0;
    int permanent = 0;
    long forbiddenBits = 0;
    long requiredBits = 0;
    ProviderSet onlySet = null;
    ProviderSet ignoredSet = null;
    for (int remaining = applicableRules(context); remaining != 0; remaining &= remaining - 1) {
      int rule = Integer.numberOfTrailingZeros(remaining);
      EndpointRule.Test test = BY_NUMBER[rule].compile(context);
      if (test == EndpointRule.Test.KEEPS_ALL) {
        continue;
      }
      if (test instanceof CatalogTraits.BitTest bitTest) {
        forbiddenBits |= bitTest.forbidden();
        requiredBits |= bitTest.required();
      } else if (test instanceof ProviderSet set && set.dropsOthers() && onlySet == null) {
        onlySet = set;
      } else if (test instanceof ProviderSet set && !set.dropsOthers() && ignoredSet == null) {
        ignoredSet = set;
      } else {
        if (count == tests.length) {
          tests = Arrays.copyOf(tests, Math.max(INITIAL_TESTS, count * 2));
        }
        tests[count++] = test;
        permanent += (ABOUT_HEALTH >>> rule & 1) == 0 ? 1 : 0;
      }
    }
    this.forbidden = forbiddenBits;
    this.required = requiredBits;
    this.only = onlySet;
    this.ignored = ignoredSet;
    this.otherTests = tests;
    this.size = count;
    this.permanentCount = permanent;
  }

  private static int rulesAbout(EndpointRule.Subject subject) {
    int rules = 0;
    for (int i = 0; i < BY_NUMBER.length; i++) {
      rules |= BY_NUMBER[i].subject() == subject ? 1 << i : 0;
    }
    return rules;
  }

  /**
   * Returns the bits of the rules to compile. Rules about a part that the query does not have are
   * skipped.
   */
  private static int applicableRules(RuleContext context) {
    int rules = ABOUT_REQUEST;
    rules |= context.query().preferences() == ProviderPreferences.NONE ? 0 : ABOUT_PREFERENCES;
    rules |= context.query().account() == AccountRules.NONE ? 0 : ABOUT_ACCOUNT;
    return context.statistics().isAllHealthy() ? rules : rules | ABOUT_HEALTH;
  }

  /** Returns these rules for a query that admits these service tiers. */
  EndpointRuleSet admitting(int tiers) {
    return tiers == context.admittedTiers()
        ? this
        : new EndpointRuleSet(context.withAdmittedTiers(tiers));
  }

  /** Returns whether every rule keeps the endpoint. */
  boolean keeps(Endpoint endpoint) {
    return permits(endpoint) && isUsableNow(endpoint);
  }

  /**
   * Returns whether every rule keeps the endpoint, apart from the last ones, which waiting alone
   * lifts. The order does not matter here, so the most common tests run first. They are called on
   * their own classes, since a call through the interface costs more than the test itself.
   */
  boolean permits(Endpoint endpoint) {
    if ((forbidden | required) != 0 && context.index().traits().fails(endpoint, forbidden, required)
        || only != null && only.drops(endpoint)
        || ignored != null && ignored.drops(endpoint)) {
      return false;
    }
    return passes(endpoint, 0, permanentCount);
  }

  /** Returns whether the rules that waiting alone lifts keep the endpoint. */
  boolean isUsableNow(Endpoint endpoint) {
    return passes(endpoint, permanentCount, size);
  }

  private boolean passes(Endpoint endpoint, int from, int to) {
    for (int i = from; i < to; i++) {
      if (otherTests[i].drops(endpoint)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether {@link #isUsableNow} can be false for any endpoint. */
  boolean hasCooldowns() {
    return permanentCount < size;
  }

  /** Returns the same rules one by one, to find out which of them drops an endpoint. */
  RuleExplainer explainer() {
    return new RuleExplainer(ALL, applicableRules(context), context);
  }
}
