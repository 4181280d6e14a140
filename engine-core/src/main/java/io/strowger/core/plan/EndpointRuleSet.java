package io.strowger.core.plan;

import io.strowger.core.routing.AccountRules;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every rule that has a say in one query, compiled for it. An endpoint is kept if all keep it. */
final class EndpointRuleSet {
  /**
   * In this order, which decides what a caller reads who is left without any: first what no request
   * for these models can change, then what an account allows, then what the request wants, then
   * what it needs, then what it may cost; last what time alone brings back. So the rule that took
   * the last endpoint is the one closest to what the caller can do about it.
   */
  static final List<EndpointRule> ALL =
      List.of(
          new EndpointKindRule(),
          new PrivateModelsRule(),
          new ServiceTierRule(),
          new AccountAllowedModelsRule(),
          new AccountIgnoredModelsRule(),
          new AccountAllowedRule(),
          new AccountIgnoredRule(),
          new AccountTrainingRule(),
          new AccountZdrRule(),
          new OnlyRule(),
          new IgnoreRule(),
          new DataCollectionRule(),
          new ZdrRule(),
          new RegionRule(),
          new DistillableRule(),
          new QuantizationsRule(),
          new RequireParametersRule(),
          new ReasoningRequiredRule(),
          new UnknownPartRule(),
          new InputModalitiesRule(),
          new OutputModalitiesRule(),
          new MultiSpeakerRule(),
          new AudioFormatRule(),
          new ContextLengthRule(),
          new MaxTokensRule(),
          new MaxPriceRule(),
          new BudgetRule(),
          new CooldownRule());

  private static final EndpointRule[] BY_NUMBER = ALL.toArray(new EndpointRule[0]);
  private static final EndpointRule.Test[] SILENCE = {};
  private static final int FEW = 2;
  private static final int REQUEST = about(EndpointRule.Subject.REQUEST);
  private static final int PREFERENCES = about(EndpointRule.Subject.PREFERENCES);
  private static final int ACCOUNT = about(EndpointRule.Subject.ACCOUNT);
  private static final int HEALTH = about(EndpointRule.Subject.HEALTH);

  private final RuleContext context;
  private final long forbidden; // by all tests of bits together
  private final long required; // by all tests of bits together
  private final @Nullable ProviderSet only;
  private final @Nullable ProviderSet ignored;
  private final EndpointRule.Test[]
      others; // those that are none of these, in the order of their rules
  private final int size; // of the others
  private final int lasting; // so many of the others are of rules that time alone does not lift

  EndpointRuleSet(RuleContext context) {
    this.context = context;
    EndpointRule.Test[] heard = SILENCE;
    int count = 0;
    int beforeHealth = 0;
    long anyOf = 0;
    long allOf = 0;
    ProviderSet listed = null;
    ProviderSet unlisted = null;
    for (int left = concerned(context); left != 0; left &= left - 1) {
      int rule = Integer.numberOfTrailingZeros(left);
      EndpointRule.Test test = BY_NUMBER[rule].compile(context);
      if (test == EndpointRule.Test.KEEPS_ALL) {
        continue;
      }
      if (test instanceof CatalogTraits.BitTest some) {
        anyOf |= some.forbidden();
        allOf |= some.required();
      } else if (test instanceof ProviderSet set && set.dropsOthers() && listed == null) {
        listed = set;
      } else if (test instanceof ProviderSet set && !set.dropsOthers() && unlisted == null) {
        unlisted = set;
      } else {
        if (count == heard.length) {
          heard = Arrays.copyOf(heard, Math.max(FEW, count * 2));
        }
        heard[count++] = test;
        beforeHealth += (HEALTH >>> rule & 1) == 0 ? 1 : 0;
      }
    }
    this.forbidden = anyOf;
    this.required = allOf;
    this.only = listed;
    this.ignored = unlisted;
    this.others = heard;
    this.size = count;
    this.lasting = beforeHealth;
  }

  private static int about(EndpointRule.Subject subject) {
    int rules = 0;
    for (int i = 0; i < BY_NUMBER.length; i++) {
      rules |= BY_NUMBER[i].subject() == subject ? 1 << i : 0;
    }
    return rules;
  }

  /** The rules worth asking: a request that prefers nothing does not pay for preferences. */
  private static int concerned(RuleContext context) {
    int rules = REQUEST;
    rules |= context.query().preferences() == ProviderPreferences.NONE ? 0 : PREFERENCES;
    rules |= context.query().account() == AccountRules.NONE ? 0 : ACCOUNT;
    return context.statistics().isAllHealthy() ? rules : rules | HEALTH;
  }

  /** These rules where other service tiers are admitted. */
  EndpointRuleSet admitting(int tiers) {
    return tiers == context.admitted() ? this : new EndpointRuleSet(context.admitting(tiers));
  }

  /** Every rule keeps the endpoint. */
  boolean keep(Endpoint endpoint) {
    return permit(endpoint) && isOpen(endpoint);
  }

  /**
   * Every rule keeps the endpoint but those, the last ones, that time alone lifts. It does not
   * matter in which order they are asked: what many requests have is asked first, by its own name,
   * for a call of a test whose class is not known costs more than the test.
   */
  boolean permit(Endpoint endpoint) {
    if ((forbidden | required) != 0 && context.index().traits().fails(endpoint, forbidden, required)
        || only != null && only.drops(endpoint)
        || ignored != null && ignored.drops(endpoint)) {
      return false;
    }
    return pass(endpoint, 0, lasting);
  }

  /** The rules that time alone lifts keep the endpoint: what is permitted need not wait. */
  boolean isOpen(Endpoint endpoint) {
    return pass(endpoint, lasting, size);
  }

  private boolean pass(Endpoint endpoint, int from, int to) {
    for (int i = from; i < to; i++) {
      if (others[i].drops(endpoint)) {
        return false;
      }
    }
    return true;
  }

  /** Whether {@link #isOpen} may be false of any endpoint. */
  boolean hasCooldowns() {
    return lasting < size;
  }

  /** The same rules, each by itself, for those who want to know which one drops an endpoint. */
  RuleExplainer each() {
    return new RuleExplainer(ALL, concerned(context), context);
  }
}
