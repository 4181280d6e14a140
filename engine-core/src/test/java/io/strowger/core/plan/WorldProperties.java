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

/** Properties of plans that hold for all statistics and all sorts, keys, tiers and routers. */
@PropertyDefaults(tries = 2000, edgeCases = EdgeCasesMode.NONE)
class WorldProperties {
  private static final PriceCaps ONE_DOLLAR =
      new PriceCaps(TestPlans.dollarsPerMillion("1"), null, null, null, null);

  @Property
  void theOrderOfTheCatalogDoesNotChangeThePlan(@ForAll long seed) {
    var world = new RoutedWorld(seed);
    RoutePlan plan = world.plan();
    RoutePlan other = world.plan(world.shuffled(new Random(seed)), world.query());
    assertThat(describe(other)).isEqualTo(describe(plan));
    assertThat(Set.copyOf(other.trace())).isEqualTo(Set.copyOf(plan.trace()));
  }

  private static String describe(RoutePlan plan) {
    return switch (plan) {
      case RoutePlan.Attempts attempts -> List.copyOf(attempts.candidates()).toString();
      case RoutePlan.NoRoute none -> none.error().toString();
    };
  }

  @Property
  void aQueryReadFromJsonGivesTheSamePlan(@ForAll long seed) {
    var world = new RoutedWorld(seed);
    RoutePlan plan = world.plan();
    RoutePlan replayed = world.plan(world.catalog(), RoutingQuery.fromJson(world.query().toJson()));
    assertThat(replayed).isEqualTo(plan);
    assertThat(replayed.trace()).isEqualTo(plan.trace());
  }

  @Property
  void anEndpointWithAnOpenBreakerReceivesOnlyItsProbe(@ForAll long seed) {
    var world = new RoutedWorld(seed);
    Catalog catalog = world.catalog();
    var statistics = world.statistics(catalog);
    for (PlannedAttempt candidate : attempts(world.plan(catalog, world.query()))) {
      EndpointStatistics endpointStatistics = statistics.of(candidate.endpoint());
      assertThat(candidate.probe())
          .as("%s is a probe", candidate)
          .isEqualTo(endpointStatistics.isBreakerOpen());
      if (endpointStatistics.isBreakerOpen() || candidate.byokKey() == null) {
        assertThat(endpointStatistics.blockedUntilMillis())
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
  void theGatewaysCredentialIsNotUsedWhereAByokKeyIsAlwaysUsed(@ForAll long seed) {
    var world = new RoutedWorld(seed);
    for (PlannedAttempt candidate : attempts(world.plan())) {
      for (ByokKeyRef key : world.query().byokKeys()) {
        List<String> models = key.models();
        boolean applies =
            key.provider().equals(candidate.endpoint().provider().slug())
                && (models == null || models.contains(candidate.endpoint().model()));
        assertThat(candidate.byokKey() == null && key.alwaysUse() && applies)
            .as("%s although %s must be used", candidate, key)
            .isFalse();
        assertThat(key.id().equals(candidate.byokKey()) && !applies).as("%s", key).isFalse();
      }
    }
  }

  @Property
  void everyCandidatePassesTheRulesAndIsTriedOnce(@ForAll long seed) {
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
    RouterPlugin checkingRouter =
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
        new Planner(catalog, step -> checkingRouter).plan(world.query(), world.statistics(catalog));
    if (plan instanceof RoutePlan.NoRoute) {
      // to explain a refusal, the router may be asked again as if budget and cooldowns allowed more
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
    for (int index = 0; index < world.query().models().size(); index++) {
      RuleExplainer rules = rules(world, catalog, index).explainer();
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
    assertThat(passingEndpoints(world, world.query()))
        .containsAll(passingEndpoints(world, stricter));
  }

  private static List<PlannedAttempt> attempts(RoutePlan plan) {
    return plan instanceof RoutePlan.Attempts attempts ? attempts.candidates() : List.of();
  }

  /** Returns the rules for the requested model at this index. */
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

  private static Set<String> passingEndpoints(RoutedWorld world, RoutingQuery query) {
    Catalog catalog = world.catalog();
    EndpointRuleSet endpointRuleSet = rules(world, catalog, query, 0);
    var passingEndpoints = new TreeSet<String>();
    for (Endpoint endpoint : catalog.endpoints()) {
      if (endpointRuleSet.keeps(endpoint)) {
        passingEndpoints.add(endpoint.id());
      }
    }
    return passingEndpoints;
  }

  @Provide
  Arbitrary<UnaryOperator<RoutingQuery>> exclusions() {
    return Arbitraries.of(
        withPreferences(current -> current.toBuilder().ignore(append(current.ignore(), "a"))),
        withPreferences(current -> current.toBuilder().ignore(append(current.ignore(), "c/turbo"))),
        withPreferences(current -> current.toBuilder().zdr(true)),
        withPreferences(current -> current.toBuilder().denyDataCollection(true)),
        withPreferences(current -> current.toBuilder().enforceDistillableText(true)),
        withPreferences(current -> current.toBuilder().requireParameters(true)),
        withPreferences(current -> current.toBuilder().quantizations(List.of("fp8"))),
        withPreferences(current -> current.toBuilder().maxPrice(ONE_DOLLAR)),
        withAccountRules(rules -> rules.allowProviders(List.of("a", "b"))),
        withAccountRules(rules -> rules.ignoreProviders(List.of("c"))),
        withAccountRules(rules -> rules.allowModels(List.of("acme/*"))),
        withAccountRules(rules -> rules.ignoreModels(List.of("*:free"))),
        withAccountRules(rules -> rules.zdr(List.of("openai", "other"))),
        withAccountRules(AccountRules.Builder::denyFreeTraining),
        withAccountRules(AccountRules.Builder::denyPaidTraining),
        query -> query.toBuilder().budget(Usd.ZERO).build(),
        query -> query.toBuilder().region("eu").build(),
        query -> query.toBuilder().outputLimit(Math.max(101, query.outputLimit())).build(),
        query -> query.toBuilder().promptTokens(query.promptTokens() + 1).build(),
        query -> query.toBuilder().inputModalities(3).build());
  }

  private static List<String> append(List<String> names, String more) {
    return Stream.concat(names.stream(), Stream.of(more)).toList();
  }

  private static UnaryOperator<RoutingQuery> withPreferences(
      Function<ProviderPreferences, ProviderPreferences.Builder> more) {
    return query -> query.toBuilder().preferences(more.apply(query.preferences()).build()).build();
  }

  private static UnaryOperator<RoutingQuery> withAccountRules(
      UnaryOperator<AccountRules.Builder> more) {
    return query -> {
      var existingRules =
          AccountRules.builder().ignoreProviders(query.account().ignoredProviders());
      return query.toBuilder().account(more.apply(existingRules).build()).build();
    };
  }
}
