package io.strowger.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.Statistics;
import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

@PropertyDefaults(tries = 500, edgeCases = EdgeCasesMode.NONE)
class PlanProperties {
  private static final List<String> MODELS = List.of("m", "n", "o");
  private static final List<String> TAGS =
      List.of("a", "a/x", "b", "b/priority", "c", "d", "e", "f/eu", "f", "g", "h", "i/turbo");
  private static final List<String> NAMES =
      List.of("a", "a/x", "B", "b/priority", "C Cloud", "d", "f", "f/eu", "i/turbo", "nobody");

  @Property
  void theOrderOfTheCatalogDoesNotChangeThePlan(
      @ForAll("endpointLists") List<Endpoint> endpoints,
      @ForAll("queries") RoutingQuery query,
      @ForAll Random shuffle) {
    var shuffled = new ArrayList<>(endpoints);
    Collections.shuffle(shuffled, shuffle);
    var models = new ArrayList<>(MODELS);
    Collections.shuffle(models, shuffle);
    RoutePlan plan = plan(catalog(endpoints, MODELS), query);
    RoutePlan other = plan(catalog(shuffled, models), query);
    assertThat(other).isEqualTo(plan);
    assertThat(other.trace()).isEqualTo(plan.trace());
  }

  @Property
  void aQueryReadFromJsonGivesTheSamePlanOverAnEqualCatalog(
      @ForAll("endpointLists") List<Endpoint> endpoints, @ForAll("queries") RoutingQuery query) {
    RoutePlan plan = plan(catalog(endpoints, MODELS), query);
    RoutePlan replayed = plan(catalog(endpoints, MODELS), RoutingQuery.fromJson(query.toJson()));
    assertThat(replayed).isEqualTo(plan);
    assertThat(replayed.trace()).isEqualTo(plan.trace());
  }

  @Property
  void readingTheTraceDoesNotChangeThePlan(
      @ForAll("endpointLists") List<Endpoint> endpoints, @ForAll("queries") RoutingQuery query) {
    var planner = new Planner(catalog(endpoints, MODELS));
    if (planner.plan(query) instanceof RoutePlan.Attempts attempts) {
      List<PlannedAttempt> before = List.copyOf(attempts.candidates());
      var ranked =
          attempts.trace().stream()
              .filter(TraceEntry.Ranked.class::isInstance)
              .map(fact -> ((TraceEntry.Ranked) fact).endpoint())
              .toList();
      assertThat(attempts.candidates()).isEqualTo(before);
      assertThat(ranked).isEqualTo(before.stream().map(c -> c.endpoint().id()).toList());
      assertThat(((RoutePlan.Attempts) planner.plan(query)).candidates()).isEqualTo(before);
    }
  }

  @Property
  void addingAnExclusionNeverAddsAnEndpointThatPassesTheRules(
      @ForAll("endpointLists") List<Endpoint> endpoints,
      @ForAll("queries") RoutingQuery query,
      @ForAll("names") String ignored) {
    Catalog catalog = catalog(endpoints, MODELS);
    var preferences = query.preferences();
    var ignore = new ArrayList<>(preferences.ignore());
    ignore.add(ignored);
    RoutingQuery stricter =
        query.toBuilder()
            .preferences(
                ProviderPreferences.builder()
                    .order(preferences.order())
                    .only(preferences.only())
                    .ignore(ignore)
                    .allowFallbacks(preferences.allowFallbacks())
                    .build())
            .build();
    assertThat(passingEndpoints(catalog, query)).containsAll(passingEndpoints(catalog, stricter));
  }

  @Property
  void everyCandidatePassesEveryRuleAndNoneIsExcludedInTheTrace(
      @ForAll("endpointLists") List<Endpoint> endpoints, @ForAll("queries") RoutingQuery query) {
    Catalog catalog = catalog(endpoints, MODELS);
    if (plan(catalog, query) instanceof RoutePlan.Attempts attempts) {
      Set<String> excluded = excluded(attempts);
      for (PlannedAttempt candidate : attempts.candidates()) {
        assertThat(excluded).doesNotContain(candidate.endpoint().id());
        for (EndpointRule rule : EndpointRuleSet.ALL) {
          assertThat(
                  rule.compile(new RuleContext(query, new PlanIndex(catalog), Statistics.NONE, 0))
                      .drops(candidate.endpoint()))
              .as("%s drops %s", rule.name(), candidate)
              .isFalse();
        }
      }
    }
  }

  @Proves("open.41")
  @Property
  void aPlanIsBoundedHoldsNobodyTwiceAndKeepsTheModelsInOrder(
      @ForAll("endpointLists") List<Endpoint> endpoints, @ForAll("queries") RoutingQuery query) {
    if (plan(catalog(endpoints, MODELS), query) instanceof RoutePlan.Attempts attempts) {
      assertThat(attempts.candidates())
          .hasSizeBetween(1, Planner.MAX_ATTEMPTS)
          .doesNotHaveDuplicates();
      var models =
          attempts.candidates().stream().map(c -> c.endpoint().model()).distinct().toList();
      var requestedModels = query.models().stream().map(ModelRef::slug).distinct().toList();
      assertThat(requestedModels).containsSubsequence(models);
      var modelIndexes =
          attempts.candidates().stream().map(c -> models.indexOf(c.endpoint().model()));
      assertThat(modelIndexes.toList()).isSorted();
    }
  }

  @Property
  void aRequestWithoutAPinIsRefusedOnlyWhenNoEndpointPasses(
      @ForAll("endpointLists") List<Endpoint> endpoints, @ForAll("queries") RoutingQuery query) {
    Catalog catalog = catalog(endpoints, MODELS);
    var preferences = query.preferences();
    if (plan(catalog, query) instanceof RoutePlan.NoRoute
        && (preferences.allowFallbacks() || preferences.order().isEmpty())) {
      assertThat(passingEndpoints(catalog, query)).isEmpty();
    }
  }

  @Property
  void everyCandidateFitsTheBudget(
      @ForAll("endpointLists") List<Endpoint> endpoints,
      @ForAll("queries") RoutingQuery query,
      @ForAll @IntRange(max = 2_000_000) int budgetNanos) {
    var limited = query.toBuilder().budget(new Usd(budgetNanos)).build();
    if (plan(catalog(endpoints, MODELS), limited) instanceof RoutePlan.Attempts attempts) {
      for (PlannedAttempt candidate : attempts.candidates()) {
        assertThat(HoldSize.of(candidate, limited).credits().nanos())
            .isLessThanOrEqualTo(budgetNanos);
      }
    }
  }

  private static RoutePlan plan(Catalog catalog, RoutingQuery query) {
    return new Planner(catalog).plan(query);
  }

  private static Set<String> passingEndpoints(Catalog catalog, RoutingQuery query) {
    Set<String> requestedModels =
        query.models().stream().map(ModelRef::slug).collect(Collectors.toSet());
    var passingEndpoints = new TreeSet<String>();
    for (Endpoint endpoint : catalog.endpoints()) {
      if (requestedModels.contains(endpoint.model())) {
        passingEndpoints.add(endpoint.id());
      }
    }
    passingEndpoints.removeAll(excluded(plan(catalog, query)));
    return passingEndpoints;
  }

  private static Set<String> excluded(RoutePlan plan) {
    var excluded = new HashSet<String>();
    for (TraceEntry fact : plan.trace()) {
      if (fact instanceof TraceEntry.Excluded dropped) {
        excluded.add(dropped.endpoint());
      }
    }
    return excluded;
  }

  private static Catalog catalog(List<Endpoint> endpoints, List<String> models) {
    var byModel = new LinkedHashMap<String, List<Endpoint>>();
    for (String model : models) {
      byModel.put(model, endpoints.stream().filter(e -> e.model().equals(model)).toList());
    }
    Catalog.Builder catalog = Catalog.builder(TestPlans.VERSION);
    byModel.forEach((id, of) -> catalog.add(ModelInfo.builder(id).build(), of));
    return catalog.build();
  }

  @Provide
  Arbitrary<String> names() {
    return Arbitraries.of(NAMES);
  }

  @Provide
  Arbitrary<List<Endpoint>> endpointLists() {
    return endpoint().list().ofMinSize(1).ofMaxSize(25).uniqueElements(Endpoint::id);
  }

  private static Arbitrary<Endpoint> endpoint() {
    return Combinators.combine(
            Arbitraries.of(MODELS),
            Arbitraries.of(TAGS),
            Arbitraries.of("0", "0.5", "1", "2", "3"),
            Arbitraries.of(0, 100, 1000),
            Arbitraries.of(Parameter.ALL, Parameter.ALL & ~Parameter.TOOLS.bit(), 0L),
            Arbitraries.of(1, 1 | Modality.IMAGE.bit()))
        .as(
            (model, tag, price, maxOutputTokens, parameters, modalities) ->
                TestPlans.endpointBuilder(tag, model)
                    .pricing(TestPlans.perMillion(price, price))
                    .maxOutputTokens(maxOutputTokens)
                    .parameters(parameters)
                    .inputModalities(modalities)
                    .serviceTier(tag.endsWith("priority") ? "priority" : null)
                    .build());
  }

  @Provide
  Arbitrary<RoutingQuery> queries() {
    return Combinators.combine(
            Arbitraries.of(MODELS).list().ofMinSize(1).ofMaxSize(3),
            preferences(),
            accounts(),
            Arbitraries.of(0L, Parameter.TOOLS.bit(), Parameter.ALL),
            Arbitraries.of(1, 1 | Modality.IMAGE.bit()),
            Arbitraries.of(0, 100, 101),
            Arbitraries.longs().between(0, 1_000_000).injectNull(0.6),
            Arbitraries.longs())
        .as(
            (models, preferences, account, parameters, modalities, limit, budget, seed) ->
                RoutingQuery.builder(TestPlans.VERSION)
                    .models(models.stream().map(ModelRef::parse).toList())
                    .preferences(preferences)
                    .account(account)
                    .parameters(parameters)
                    .inputModalities(modalities)
                    .maxPromptTokens(100)
                    .outputLimit(limit)
                    .budget(budget == null ? null : new Usd(budget))
                    .seed(seed)
                    .build());
  }

  private Arbitrary<ProviderPreferences> preferences() {
    return Combinators.combine(
            names().list().ofMaxSize(3),
            names().list().ofMaxSize(6).injectNull(0.7),
            names().list().ofMaxSize(2),
            Arbitraries.of(true, true, false))
        .as(
            (order, only, ignore, fallbacks) ->
                ProviderPreferences.builder()
                    .order(order)
                    .only(only)
                    .ignore(ignore)
                    .allowFallbacks(fallbacks)
                    .build());
  }

  private Arbitrary<AccountRules> accounts() {
    return Combinators.combine(
            names().list().ofMinSize(3).ofMaxSize(8).injectNull(0.7), names().list().ofMaxSize(1))
        .as(
            (allowed, ignored) ->
                AccountRules.builder().allowProviders(allowed).ignoreProviders(ignored).build());
  }
}
