package io.strowger.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.Statistics;
import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.ServiceTier;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.PriceCaps;
import io.strowger.spi.routing.ProviderPreferences;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

@PropertyDefaults(tries = 500, edgeCases = EdgeCasesMode.NONE)
class EndpointRuleSetProperties {
  private static final List<String> MODELS = List.of("openai/m", "acme/n", "acme/n:free");
  private static final List<String> TAGS = List.of("a", "a/priority", "a/flex", "b", "b/x", "c");
  private static final List<String> REGIONS = List.of("eu", "us");
  private static final List<String> LEVELS = List.of("fp4", "nvfp4", "fp8", "bf16", "unknown");
  private static final long NOW = 1_000_000;

  @Property
  void theOrderOfTheCatalogDoesNotChangeThePlan(
      @ForAll("endpointLists") List<Endpoint> endpoints,
      @ForAll("queries") RoutingQuery query,
      @ForAll Random shuffle) {
    var shuffled = new ArrayList<>(endpoints);
    Collections.shuffle(shuffled, shuffle);
    var models = new ArrayList<>(MODELS);
    Collections.shuffle(models, shuffle);
    Catalog one = catalog(endpoints, MODELS);
    Catalog other = catalog(shuffled, models);
    RoutePlan plan = new Planner(one).plan(query, statistics(one));
    RoutePlan shuffledPlan = new Planner(other).plan(query, statistics(other));
    assertThat(shuffledPlan).isEqualTo(plan);
    assertThat(shuffledPlan.trace()).isEqualTo(plan.trace());
  }

  @Property
  void everyCandidateMeetsTheQuery(
      @ForAll("endpointLists") List<Endpoint> endpoints, @ForAll("queries") RoutingQuery query) {
    Catalog catalog = catalog(endpoints, MODELS);
    if (new Planner(catalog).plan(query, statistics(catalog)) instanceof RoutePlan.Attempts plan) {
      for (var candidate : plan.candidates()) {
        assertThat(candidate.endpoint()).matches(meets(query), query.toString());
      }
    }
  }

  /**
   * Returns a second, plain implementation of the contract's rules as the oracle: without bit sets,
   * groups or compiled rules.
   */
  private static Predicate<Endpoint> meets(RoutingQuery query) {
    ProviderPreferences wanted = query.preferences();
    AccountRules account = query.account();
    PriceCaps caps = wanted.maxPrice();
    return endpoint -> {
      ProviderInfo provider = endpoint.provider();
      boolean free = endpoint.pricing().picos(Price.PROMPT) == 0;
      String group = endpoint.model().startsWith("openai/") ? "openai" : "other";
      return !(wanted.zdr() && provider.retainsPrompts())
          && !(account.zdr().contains(group) && provider.retainsPrompts())
          && !(wanted.denyDataCollection() && provider.trainsOnPrompts())
          && !(!account.allowsFreeTraining() && free && provider.trainsOnPrompts())
          && !(!account.allowsPaidTraining() && !free && provider.trainsOnPrompts())
          && !(account.ignoredModels().contains("acme/*") && endpoint.model().startsWith("acme/"))
          && (query.region() == null || query.region().equals(provider.region()))
          && (wanted.quantizations().isEmpty() || acceptsQuantization(wanted, endpoint))
          && (caps.prompt() == null
              || endpoint.pricing().price(Price.PROMPT).compareTo(caps.prompt()) <= 0)
          && (!wanted.requireParameters() || (query.parameters() & ~endpoint.parameterMask()) == 0)
          && (endpoint.contextLength() == 0
              || query.promptTokens() + query.outputLimit() <= endpoint.contextLength())
          && !(query.tier() == ServiceTier.DEFAULT && endpoint.serviceTier() != null)
          && !(query.tier() == ServiceTier.PRIORITY && "flex".equals(endpoint.serviceTier()))
          && !endpoint.tag().equals("c");
    };
  }

  private static boolean acceptsQuantization(ProviderPreferences wanted, Endpoint endpoint) {
    return wanted.quantizations().contains(endpoint.quantization())
        || wanted.quantizations().contains("fp4") && endpoint.quantization().equals("nvfp4");
  }

  @Property
  void aStricterQueryNeverAddsAnEndpoint(
      @ForAll("endpointLists") List<Endpoint> endpoints,
      @ForAll("queries") RoutingQuery query,
      @ForAll("queries") RoutingQuery other) {
    Catalog catalog = catalog(endpoints, MODELS);
    List<String> before = keptEndpoints(catalog, query);
    for (RoutingQuery stricter : stricter(query, other)) {
      assertThat(before).containsAll(keptEndpoints(catalog, stricter));
    }
  }

  private static List<RoutingQuery> stricter(RoutingQuery query, RoutingQuery other) {
    var all = new ArrayList<RoutingQuery>();
    for (ProviderPreferences.Builder one :
        List.of(
            preferencesOf(query).zdr(true),
            preferencesOf(query).denyDataCollection(true),
            preferencesOf(query).requireParameters(true),
            preferencesOf(query).enforceDistillableText(true),
            preferencesOf(query).ignore(List.of("a", "b/x")),
            preferencesOf(query).only(List.of()))) {
      all.add(query.toBuilder().preferences(one.build()).build());
    }
    if (query.preferences().quantizations().isEmpty()) {
      var levels = preferencesOf(query).quantizations(other.preferences().quantizations()).build();
      all.add(query.toBuilder().preferences(levels).build());
    }
    if (query.preferences().maxPrice().equals(PriceCaps.NONE)) {
      var capped = preferencesOf(query).maxPrice(other.preferences().maxPrice()).build();
      all.add(query.toBuilder().preferences(capped).build());
    }
    if (query.account() == AccountRules.NONE) {
      all.add(query.toBuilder().account(other.account()).build());
    }
    all.add(query.toBuilder().promptTokens(query.promptTokens() + 500).build());
    return all;
  }

  /** Returns a copy of the query's preferences; the generator sets only these five members. */
  private static ProviderPreferences.Builder preferencesOf(RoutingQuery query) {
    ProviderPreferences from = query.preferences();
    return ProviderPreferences.builder()
        .zdr(from.zdr())
        .denyDataCollection(from.denyDataCollection())
        .requireParameters(from.requireParameters())
        .quantizations(from.quantizations())
        .maxPrice(from.maxPrice());
  }

  /** Skipping the rules whose part of the query is empty keeps the same endpoints. */
  @Property
  void skippedRulesDropNoEndpoint(
      @ForAll("endpointLists") List<Endpoint> endpoints, @ForAll("queries") RoutingQuery query) {
    Catalog catalog = catalog(endpoints, MODELS);
    var context = context(catalog, query);
    var endpointRuleSet = new EndpointRuleSet(context);
    for (Endpoint endpoint : catalog.endpoints()) {
      List<EndpointRule> dropping =
          EndpointRuleSet.ALL.stream()
              .filter(rule -> rule.compile(context).drops(endpoint))
              .toList();
      assertThat(endpointRuleSet.explainer().findRules(endpoint)).isEqualTo(dropping);
      assertThat(dropping)
          .allSatisfy(rule -> assertThat(rule.reason(endpoint, context)).isNotBlank());
      assertThat(endpointRuleSet.keeps(endpoint)).isEqualTo(dropping.isEmpty());
      assertThat(endpointRuleSet.explainer().findFirstRule(endpoint))
          .isEqualTo(dropping.isEmpty() ? null : dropping.get(0));
    }
  }

  private static RuleContext context(Catalog catalog, RoutingQuery query) {
    return new RuleContext(
        query,
        new PlanIndex(catalog),
        statistics(catalog),
        ServiceTierMask.admittedTiers(query, 0));
  }

  private static List<String> keptEndpoints(Catalog catalog, RoutingQuery query) {
    var endpointRuleSet = new EndpointRuleSet(context(catalog, query));
    return catalog.endpoints().stream().filter(endpointRuleSet::keeps).map(Endpoint::id).toList();
  }

  /** Returns statistics in which the breakers of all endpoints of provider {@code c} are open. */
  private static Statistics statistics(Catalog catalog) {
    var broken = EndpointStatistics.builder().breakerOpen(true).blockedUntilMillis(NOW + 1).build();
    var all =
        catalog.endpoints().stream()
            .map(endpoint -> endpoint.tag().equals("c") ? broken : EndpointStatistics.NONE)
            .toArray(EndpointStatistics[]::new);
    return Statistics.of(1, all, Map.of());
  }

  private static Catalog catalog(List<Endpoint> endpoints, List<String> models) {
    Catalog.Builder catalog = Catalog.builder(TestPlans.VERSION);
    for (String model : models) {
      catalog.add(
          ModelInfo.builder(model).distillable(model.startsWith("acme")).build(),
          endpoints.stream().filter(endpoint -> endpoint.model().equals(model)).toList());
    }
    return catalog.build();
  }

  @Provide
  Arbitrary<List<Endpoint>> endpointLists() {
    return endpoint().list().ofMinSize(1).ofMaxSize(18).uniqueElements(Endpoint::id);
  }

  private static Arbitrary<Endpoint> endpoint() {
    return Combinators.combine(
            Arbitraries.of(MODELS),
            Arbitraries.of(TAGS),
            Arbitraries.of("0", "1", "2"),
            Arbitraries.of(LEVELS),
            Arbitraries.of(Parameter.ALL, 0L),
            Arbitraries.of(0, 1000, 2000))
        .as(
            (model, tag, price, level, parameters, context) ->
                Endpoint.builder(model, provider(tag))
                    .tag(tag)
                    .pricing(TestPlans.perMillion(price, price))
                    .quantization(level)
                    .parameters(parameters)
                    .contextLength(context)
                    .serviceTier(tierOf(tag))
                    .build());
  }

  /** Derives a provider's policy from its slug, so that it is the same for every endpoint. */
  private static ProviderInfo provider(String tag) {
    String slug = tag.substring(0, 1);
    String region = slug.equals("c") ? null : REGIONS.get(slug.equals("a") ? 0 : 1);
    return new ProviderInfo(slug, slug, !slug.equals("a"), slug.equals("b"), region, false);
  }

  private static @Nullable String tierOf(String tag) {
    return tag.endsWith("priority") ? "priority" : tag.endsWith("flex") ? "flex" : null;
  }

  @Provide
  Arbitrary<RoutingQuery> queries() {
    return Combinators.combine(
            Arbitraries.of(MODELS).list().ofMinSize(1).ofMaxSize(3),
            preferences(),
            accounts(),
            Arbitraries.of(0L, Parameter.TOP_K.bit(), Parameter.TOOLS.bit()),
            Arbitraries.of(0, 1000, 1001, 1500),
            Arbitraries.of(ServiceTier.values()),
            Arbitraries.of(REGIONS).injectNull(0.7),
            Arbitraries.longs())
        .as(
            (models, preferences, account, parameters, prompt, tier, region, seed) ->
                RoutingQuery.builder(TestPlans.VERSION)
                    .models(models.stream().map(ModelRef::parse).toList())
                    .preferences(preferences)
                    .account(account)
                    .parameters(parameters)
                    .promptTokens(prompt)
                    .tier(tier)
                    .region(region)
                    .at(Instant.ofEpochMilli(NOW))
                    .statisticsSequence(1)
                    .seed(seed)
                    .build());
  }

  private static Arbitrary<Boolean> seldom() {
    return Arbitraries.of(true, false, false, false);
  }

  private static Arbitrary<ProviderPreferences> preferences() {
    return Combinators.combine(
            seldom(),
            seldom(),
            seldom(),
            Arbitraries.of(LEVELS).list().ofMaxSize(2),
            Arbitraries.of(0L, 1_000_000L, 1_500_000L).injectNull(0.7))
        .as(
            (zdr, deny, require, levels, cap) ->
                ProviderPreferences.builder()
                    .zdr(zdr)
                    .denyDataCollection(deny)
                    .requireParameters(require)
                    .quantizations(levels)
                    .maxPrice(
                        cap == null
                            ? PriceCaps.NONE
                            : new PriceCaps(new UnitPrice(cap), null, null, null, null))
                    .build())
        .injectNull(0.3)
        .map(some -> some == null ? ProviderPreferences.NONE : some);
  }

  private static Arbitrary<AccountRules> accounts() {
    return Combinators.combine(seldom(), seldom(), seldom(), seldom())
        .as(
            (zdr, free, paid, ignore) -> {
              var rules = AccountRules.builder();
              rules.zdr(zdr ? List.of("openai") : List.of());
              rules.ignoreModels(ignore ? List.of("acme/*") : List.of());
              rules = free ? rules.denyFreeTraining() : rules;
              return (paid ? rules.denyPaidTraining() : rules).build();
            })
        .injectNull(0.5)
        .map(some -> some == null ? AccountRules.NONE : some);
  }
}
