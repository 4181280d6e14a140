package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.AccountRules;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every rule that has a say in one query, compiled for it. An endpoint is kept if all keep it. */
final class Rules {
  /**
   * In this order, which decides what a caller reads who is left without any: first what no request
   * for these models can change, then what an account allows, then what the request wants, then
   * what it needs, then what it may cost; last what time alone brings back. So the rule that took
   * the last endpoint is the one closest to what the caller can do about it.
   */
  static final List<Rule> ALL =
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
          new ContextLengthRule(),
          new MaxTokensRule(),
          new MaxPriceRule(),
          new BudgetRule(),
          new CooldownRule());

  private static final Rule[] BY_NUMBER = ALL.toArray(new Rule[0]);
  private static final Rule.Test[] SILENCE = {};
  private static final int FEW = 4;
  private static final int REQUEST = about(Rule.Subject.REQUEST);
  private static final int PREFERENCES = about(Rule.Subject.PREFERENCES);
  private static final int ACCOUNT = about(Rule.Subject.ACCOUNT);
  private static final int HEALTH = about(Rule.Subject.HEALTH);

  private final Scope scope;
  private final Rule.Test[] tests; // of the rules that have a say, in order
  private final int speaking; // a bit for each of those rules, by its place in ALL
  private final int size;
  private final int lasting; // so many of the tests are of rules that time alone does not lift
  private final CatalogTraits traits;
  private final long forbidden; // by all tests of bits together
  private final long required; // by all tests of bits together
  private final ProviderSet.@Nullable Others only;
  private final @Nullable ProviderSet ignored;
  private final int others; // a bit for each test that is none of those three

  Rules(Scope scope) {
    this.scope = scope;
    Rule.Test[] heard = SILENCE;
    int who = 0;
    int count = 0;
    long anyOf = 0;
    long allOf = 0;
    ProviderSet.Others listed = null;
    ProviderSet unlisted = null;
    int single = 0;
    for (int left = concerned(scope); left != 0; left &= left - 1) {
      int rule = Integer.numberOfTrailingZeros(left);
      Rule.Test test = BY_NUMBER[rule].compile(scope);
      if (test != Rule.Test.KEEPS_ALL) {
        if (count == heard.length) {
          heard = Arrays.copyOf(heard, count == 0 ? FEW : count * 3);
        }
        heard[count] = test;
        who |= 1 << rule;
        if (test instanceof CatalogTraits.BitTest some) {
          anyOf |= some.forbidden();
          allOf |= some.required();
        } else if (test instanceof ProviderSet.Others set && listed == null) {
          listed = set;
        } else if (test instanceof ProviderSet set && unlisted == null) {
          unlisted = set;
        } else {
          single |= 1 << count;
        }
        count++;
      }
    }
    this.tests = heard;
    this.speaking = who;
    this.size = count;
    this.lasting = count - Integer.bitCount(who & HEALTH);
    this.traits = scope.index().traits();
    this.forbidden = anyOf;
    this.required = allOf;
    this.only = listed;
    this.ignored = unlisted;
    this.others = single;
  }

  private static int about(Rule.Subject subject) {
    int rules = 0;
    for (int i = 0; i < BY_NUMBER.length; i++) {
      rules |= BY_NUMBER[i].subject() == subject ? 1 << i : 0;
    }
    return rules;
  }

  /** The rules worth asking: a request that prefers nothing does not pay for preferences. */
  private static int concerned(Scope scope) {
    int rules = REQUEST;
    rules |= scope.query().preferences() == ProviderPreferences.NONE ? 0 : PREFERENCES;
    rules |= scope.query().account() == AccountRules.NONE ? 0 : ACCOUNT;
    return scope.statistics().allWell() ? rules : rules | HEALTH;
  }

  /** These rules where other service tiers are admitted. */
  Rules admitting(int tiers) {
    return tiers == scope.admitted() ? this : new Rules(scope.admitting(tiers));
  }

  boolean keep(Endpoint endpoint) {
    return keep(endpoint, size);
  }

  /** Every rule keeps the endpoint but those, the last ones, that time alone lifts. */
  boolean permit(Endpoint endpoint) {
    return keep(endpoint, lasting);
  }

  /**
   * Whether the first tests keep an endpoint. It does not matter in which order they are asked:
   * what many requests have is asked first, by its own name, for a call of a test whose class is
   * not known costs more than the test.
   */
  private boolean keep(Endpoint endpoint, int first) {
    if ((forbidden | required) != 0 && traits.fails(endpoint, forbidden, required)
        || only != null && only.drops(endpoint)
        || ignored != null && ignored.drops(endpoint)) {
      return false;
    }
    for (int left = others & ((1 << first) - 1); left != 0; left &= left - 1) {
      if (tests[Integer.numberOfTrailingZeros(left)].drops(endpoint)) {
        return false;
      }
    }
    return true;
  }

  /** Whether {@link #permit} may say of an endpoint what {@link #keep} does not. */
  boolean mayHaveToWait() {
    return lasting < size;
  }

  /** The first rule that drops the endpoint; null when all keep it. */
  @Nullable Rule firstToDrop(Endpoint endpoint) {
    int test = 0;
    for (int left = speaking; left != 0; left &= left - 1) {
      if (tests[test++].drops(endpoint)) {
        return BY_NUMBER[Integer.numberOfTrailingZeros(left)];
      }
    }
    return null;
  }

  /** Every rule that drops the endpoint, in order. */
  List<Rule> dropping(Endpoint endpoint) {
    var dropping = new ArrayList<Rule>();
    int test = 0;
    for (int left = speaking; left != 0; left &= left - 1) {
      if (tests[test++].drops(endpoint)) {
        dropping.add(BY_NUMBER[Integer.numberOfTrailingZeros(left)]);
      }
    }
    return dropping;
  }

  /** Adds a fact for every rule that drops the endpoint. */
  void explain(Endpoint endpoint, List<TraceEntry> facts) {
    for (Rule rule : dropping(endpoint)) {
      facts.add(new TraceEntry.Excluded(endpoint.id(), rule.name(), rule.reason(endpoint, scope)));
    }
  }
}
