package io.strowger.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.ByokKeyRef;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.routing.PriceCaps;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** What holds however endpoints fare, and whatever sorts, keys, tiers and routers have a say. */
@PropertyDefaults(tries = 2000, edgeCases = EdgeCasesMode.NONE)
class WorldProperties {
  private static final PriceCaps ONE_DOLLAR =
      new PriceCaps(PlanWords.dollarsPerMillion("1"), null, null, null, null);

  @Property
  void theOrderOfTheCatalogueNeverChangesThePlan(@ForAll long seed) {
    var world = new RoutedWorld(seed);
    RoutePlan plan = world.plan();
    RoutePlan other = world.plan(world.shuffled(new Random(seed)), world.query());
    assertThat(shown(other)).isEqualTo(shown(plan));
    assertThat(Set.copyOf(other.trace())).isEqualTo(Set.copyOf(plan.trace()));
  }

  private static String shown(RoutePlan plan) {
    return switch (plan) {
      case RoutePlan.Attempts attempts -> List.copyOf(attempts.candidates()).toString();
      case RoutePlan.NoRoute none -> none.error().toString();
    };
  }

  @Property
  void aQueryReadBackPlansTheSame(@ForAll long seed) {
    var world = new RoutedWorld(seed);
    RoutePlan plan = world.plan();
    RoutePlan again = world.plan(world.catalog(), RoutingQuery.fromJson(world.query().toJson()));
    assertThat(again).isEqualTo(plan);
    assertThat(again.trace()).isEqualTo(plan.trace());
  }

  @Property
  void anEndpointWithAnOpenBreakerReceivesNothingButItsProbe(@ForAll long seed) {
    var world = new RoutedWorld(seed);
    Catalog catalog = world.catalog();
    var statistics = world.statistics(catalog);
    for (PlannedAttempt candidate : attempts(world.plan(catalog, world.query()))) {
      EndpointStatistics fares = statistics.of(candidate.endpoint());
      assertThat(candidate.probe()).as("%s is a probe", candidate).isEqualTo(fares.isBreakerOpen());
      if (fares.isBreakerOpen() || candidate.byokKey() == null) {
        assertThat(fares.blockedUntilMillis())
            .as("%s", candidate)
            .isLessThanOrEqualTo(RoutedWorld.NOW);
      }
      if (candidate.byokKey() != null) {
        assertThat(statistics.keyBlockedUntilMillis(candidate.byokKey()))
            .as("%s", candidate)
            .isLessThanOrEqualTo(RoutedWorld.NOW);
      }
    }
  }

  @Property
  void theGatewaysCredentialIsNotUsedWhereAKeyAlwaysIs(@ForAll long seed) {
    var world = new RoutedWorld(seed);
    for (PlannedAttempt candidate : attempts(world.plan())) {
      for (ByokKeyRef key : world.query().byokKeys()) {
        List<String> models = key.models();
        boolean applies =
            key.provider().equals(candidate.endpoint().provider().slug())
                && (models == null || models.contains(candidate.endpoint().model()));
        assertThat(candidate.byokKey() == null && key.alwaysUse() && applies)
            .as("%s in spite of %s", candidate, key)
            .isFalse();
        assertThat(key.id().equals(candidate.byokKey()) && !applies).as("%s", key).isFalse();
      }
    }
  }

  @Property
  void everyCandidatePassesTheRulesAndNobodyIsTriedTwice(@ForAll long seed) {
    var world = new RoutedWorld(seed);
    Catalog catalog = world.catalog();
    List<PlannedAttempt> attempts = attempts(world.plan(catalog, world.query()));
    assertThat(attempts).hasSizeLessThanOrEqualTo(Planner.MAX_ATTEMPTS);
    assertThat(attempts.stream().map(c -> c.endpoint().id() + c.byokKey())).doesNotHaveDuplicates();
    for (PlannedAttempt candidate : attempts) {
      assertThat(rules(world, catalog, candidate.modelIndex()).keeps(candidate.endpoint()))
          .as("%s", candidate)
          .isTrue();
    }
  }

  @Property
  void aRouterIsOfferedNothingThatARuleDrops(@ForAll long seed) {
    var world = new RoutedWorld(seed);
    Catalog catalog = world.catalog();
    var calls = new ArrayList<Boolean>();
    RouterPlugin watching =
        offered -> {
          boolean allKept = true;
          for (int i = 0; i < offered.size(); i++) {
            if (offered.isUsable(i)) {
              ModelInfo model = catalog.models().get(i);
              assertThat(
                      isAnyLeft(model, world, catalog, rule -> rule == null || rule.isTemporary()))
                  .as("%s", model)
                  .isTrue();
              allKept &= isAnyLeft(model, world, catalog, Objects::isNull);
            }
          }
          calls.add(allKept);
          return RoutedWorld.HOUSE.select(offered);
        };
    RoutePlan plan =
        new Planner(catalog, step -> watching).plan(world.query(), world.statistics(catalog));
    if (plan instanceof RoutePlan.NoRoute) {
      // to explain a refusal it may be asked once more what it would choose with money and time
      assertThat(calls.stream().limit(1)).doesNotContain(false);
    } else {
      assertThat(calls).doesNotContain(false);
    }
    calls.clear();
    plan.trace();
    assertThat(calls).doesNotContain(false);
  }

  private static boolean isAnyLeft(
      ModelInfo model,
      RoutedWorld world,
      Catalog catalog,
      Predicate<@Nullable EndpointRule> firstToDrop) {
    for (int place = 0; place < world.query().models().size(); place++) {
      RuleExplainer rules = rules(world, catalog, place).explainer();
      if (model.endpoints().stream().anyMatch(e -> firstToDrop.test(rules.findFirstRule(e)))) {
        return true;
      }
    }
    return false;
  }

  @Property
  void addingAnExclusionNeverAddsAnEndpointThatPassesTheRules(
      @ForAll long seed, @ForAll("exclusions") UnaryOperator<RoutingQuery> exclusion) {
    var world = new RoutedWorld(seed);
    RoutingQuery stricter = exclusion.apply(world.query());
    assertThat(passing(world, world.query())).containsAll(passing(world, stricter));
  }

  private static List<PlannedAttempt> attempts(RoutePlan plan) {
    return plan instanceof RoutePlan.Attempts attempts ? attempts.candidates() : List.of();
  }

  /** The rules as they are for what the request names at this place. */
  private static EndpointRuleSet rules(RoutedWorld world, Catalog catalog, int model) {
    return rules(world, catalog, world.query(), model);
  }

  private static EndpointRuleSet rules(
      RoutedWorld world, Catalog catalog, RoutingQuery query, int model) {
    int byName = Variants.of(query.models().get(model).variants()).admittedTiers();
    return new EndpointRuleSet(
        new RuleContext(
            query,
            new PlanIndex(catalog),
            world.statistics(catalog),
            ServiceTierMask.admittedTiers(query, byName)));
  }

  private static Set<String> passing(RoutedWorld world, RoutingQuery query) {
    Catalog catalog = world.catalog();
    EndpointRuleSet endpointRuleSet = rules(world, catalog, query, 0);
    var passing = new TreeSet<String>();
    for (Endpoint endpoint : catalog.endpoints()) {
      if (endpointRuleSet.keeps(endpoint)) {
        passing.add(endpoint.id());
      }
    }
    return passing;
  }

  @Provide
  Arbitrary<UnaryOperator<RoutingQuery>> exclusions() {
    return Arbitraries.of(
        preferring(had -> had.toBuilder().ignore(and(had.ignore(), "a"))),
        preferring(had -> had.toBuilder().ignore(and(had.ignore(), "c/turbo"))),
        preferring(had -> had.toBuilder().zdr(true)),
        preferring(had -> had.toBuilder().denyDataCollection(true)),
        preferring(had -> had.toBuilder().enforceDistillableText(true)),
        preferring(had -> had.toBuilder().requireParameters(true)),
        preferring(had -> had.toBuilder().quantizations(List.of("fp8"))),
        preferring(had -> had.toBuilder().maxPrice(ONE_DOLLAR)),
        allowing(rules -> rules.allowProviders(List.of("a", "b"))),
        allowing(rules -> rules.ignoreProviders(List.of("c"))),
        allowing(rules -> rules.allowModels(List.of("acme/*"))),
        allowing(rules -> rules.ignoreModels(List.of("*:free"))),
        allowing(rules -> rules.zdr(List.of("openai", "other"))),
        allowing(AccountRules.Builder::denyFreeTraining),
        allowing(AccountRules.Builder::denyPaidTraining),
        query -> query.toBuilder().budget(Usd.ZERO).build(),
        query -> query.toBuilder().region("eu").build(),
        query -> query.toBuilder().outputLimit(Math.max(101, query.outputLimit())).build(),
        query -> query.toBuilder().promptTokens(query.promptTokens() + 1).build(),
        query -> query.toBuilder().inputModalities(3).build());
  }

  private static List<String> and(List<String> names, String more) {
    return Stream.concat(names.stream(), Stream.of(more)).toList();
  }

  private static UnaryOperator<RoutingQuery> preferring(
      Function<ProviderPreferences, ProviderPreferences.Builder> more) {
    return query -> query.toBuilder().preferences(more.apply(query.preferences()).build()).build();
  }

  private static UnaryOperator<RoutingQuery> allowing(UnaryOperator<AccountRules.Builder> more) {
    return query -> {
      var same = AccountRules.builder().ignoreProviders(query.account().ignoredProviders());
      return query.toBuilder().account(more.apply(same).build()).build();
    };
  }
}
