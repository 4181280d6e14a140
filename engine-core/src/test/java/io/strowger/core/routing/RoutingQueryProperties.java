package io.strowger.core.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.PercentilePreferences;
import io.strowger.spi.routing.PriceCaps;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("A routing query")
class RoutingQueryProperties {
  private static final UnknownPart PART =
      new UnknownPart("gemini", JsonPointer.ROOT.child("messages").child(3).child("a/b~"), "x");

  @Property(edgeCases = EdgeCasesMode.NONE) // there are more edge cases than tries
  @Label("is the same, member by member, when it is written to JSON and read back")
  void roundTrip(@ForAll("queries") RoutingQuery query) throws JsonCodec.MalformedJsonException {
    Json.Obj written = (Json.Obj) new JacksonCodec().parse(query.toJson().toBytes());
    RoutingQuery read = RoutingQuery.fromJson(written);

    assertThat(read).isEqualTo(query);
    assertThat(read.models()).isEqualTo(query.models());
    assertThat(read.preferences()).isEqualTo(query.preferences());
    assertThat(read.account()).isEqualTo(query.account());
    assertThat(read.kind()).isEqualTo(query.kind());
    assertThat(read.parameters()).isEqualTo(query.parameters());
    assertThat(read.inputModalities()).isEqualTo(query.inputModalities());
    assertThat(read.maxPromptTokens()).isEqualTo(query.maxPromptTokens());
    assertThat(read.outputLimit()).isEqualTo(query.outputLimit());
    assertThat(read.defaultOutputTokens()).isEqualTo(query.defaultOutputTokens());
    assertThat(read.budget()).isEqualTo(query.budget());
    assertThat(read.budgetWithByok()).isEqualTo(query.budgetWithByok());
    assertThat(read.at()).isEqualTo(query.at());
    assertThat(read.seed()).isEqualTo(query.seed());
    assertThat(read.catalogVersion()).isEqualTo(query.catalogVersion());
    assertThat(read.outputModalities()).isEqualTo(query.outputModalities());
    assertThat(read.promptTokens()).isEqualTo(query.promptTokens());
    assertThat(read.maxSearches()).isEqualTo(query.maxSearches());
    assertThat(read.maxUnits()).isEqualTo(query.maxUnits());
    assertThat(read.speech()).isEqualTo(query.speech());
    assertThat(read.compression()).isEqualTo(query.compression());
    assertThat(read.reasoningOffMember()).isEqualTo(query.reasoningOffMember());
    assertThat(read.unknownPart()).isEqualTo(query.unknownPart());
    assertThat(read.tier()).isEqualTo(query.tier());
    assertThat(read.region()).isEqualTo(query.region());
    assertThat(read.byokKeys()).isEqualTo(query.byokKeys());
    assertThat(read.stickyEndpoints()).isEqualTo(query.stickyEndpoints());
    assertThat(read.routers()).isEqualTo(query.routers());
    assertThat(read.statisticsSequence()).isEqualTo(query.statisticsSequence());
  }

  private static Arbitrary<List<String>> names() {
    return Arbitraries.strings().ofMaxLength(8).list().ofMaxSize(3);
  }

  @Provide
  Arbitrary<RoutingQuery> queries() {
    return Combinators.combine(
            preferences(),
            account(),
            names(),
            queryBuilders(),
            keys().list().ofMaxSize(3),
            steps().list().ofMaxSize(2),
            Arbitraries.of(ServiceTier.class),
            Arbitraries.longs().greaterOrEqual(0))
        .as(
            // one drawn number decides the remaining members
            (preferences, account, models, query, keys, routers, tier, bits) ->
                query
                    .preferences(preferences)
                    .account(account)
                    .models(models.stream().map(ModelRef::parse).toList())
                    .byokKeys(keys)
                    .routers(routers)
                    .stickyEndpoints(models)
                    .tier(tier)
                    .region(models.isEmpty() ? null : models.get(0))
                    .compression(ContextCompressionScope.values()[(int) (bits & 3)])
                    .maxSearches((int) (bits & 3))
                    .maxUnits(bits & 7)
                    .speech(
                        (bits & 4) == 0
                            ? null
                            : new SpeechRequirements(bits >>> 8, (bits & 8) == 0, "mp3"))
                    .reasoningOffMember((bits & 2) == 0 ? null : "reasoning")
                    .unknownPart((bits & 4) == 0 ? null : PART)
                    .promptTokens(bits)
                    .outputModalities((int) (bits & 7))
                    .statisticsSequence(bits)
                    .build());
  }

  private static Arbitrary<ProviderPreferences> preferences() {
    var flags = Arbitraries.of(true, false);
    var lists =
        Combinators.combine(names(), names().injectNull(0.3), names(), names())
            .as(
                (order, only, ignore, quantizations) ->
                    ProviderPreferences.builder()
                        .order(order)
                        .only(only)
                        .ignore(ignore)
                        .quantizations(quantizations));
    var withFlags =
        Combinators.combine(lists, flags, flags, flags, flags, flags)
            .as(
                (preferences, fallbacks, parameters, deny, zdr, distillable) ->
                    preferences
                        .allowFallbacks(fallbacks)
                        .requireParameters(parameters)
                        .denyDataCollection(deny)
                        .zdr(zdr)
                        .enforceDistillableText(distillable));
    return Combinators.combine(withFlags, caps(), sorts(), cutoffs(), cutoffs())
        .as(
            (preferences, caps, sort, throughput, latency) ->
                preferences
                    .maxPrice(caps)
                    .sort(sort)
                    .preferredMinThroughput(throughput)
                    .preferredMaxLatency(latency)
                    .build());
  }

  private static Arbitrary<PriceCaps> caps() {
    var prices = Arbitraries.longs().greaterOrEqual(0).map(UnitPrice::new).injectNull(0.5);
    return Combinators.combine(prices, prices, prices, prices, prices).as(PriceCaps::new);
  }

  private static Arbitrary<ProviderSort> sorts() {
    return Combinators.combine(
            Arbitraries.of(ProviderSort.Key.class).injectNull(0.3),
            Arbitraries.of(ProviderSort.Partition.class))
        .as(ProviderSort::new);
  }

  private static Arbitrary<PercentilePreferences> cutoffs() {
    var micros = Arbitraries.longs().greaterOrEqual(0).injectNull(0.5);
    return Combinators.combine(micros, micros, micros, micros).as(PercentilePreferences::new);
  }

  private static Arbitrary<AccountRules> account() {
    var flags = Arbitraries.of(true, false);
    return Combinators.combine(
            names().injectNull(0.5),
            names().injectNull(0.5),
            names(),
            names(),
            flags,
            flags,
            Arbitraries.of(ProviderSort.Key.class).injectNull(0.5))
        .as(
            (first, second, ignored, models, free, paid, sort) -> {
              var rules =
                  AccountRules.builder()
                      .allowProviders(first)
                      .allowProviders(second)
                      .ignoreProviders(ignored)
                      .allowModels(models)
                      .ignoreModels(ignored)
                      .privateModels(models)
                      .zdr(List.of("openai", "other"))
                      .defaultSort(sort);
              return (free ? paid ? rules : rules.denyPaidTraining() : rules.denyFreeTraining())
                  .build();
            });
  }

  private static Arbitrary<ByokKeyRef> keys() {
    var flags = Arbitraries.of(true, false);
    return Combinators.combine(
            Arbitraries.of("k1", "k2"),
            Arbitraries.of("alpha", "beta"),
            flags,
            Arbitraries.integers(),
            flags,
            names().injectNull(0.5))
        .as(ByokKeyRef::new);
  }

  private static Arbitrary<RouterStep> steps() {
    return Combinators.combine(
            Arbitraries.of("pareto-router", "house"),
            Arbitraries.integers().between(-1, 3),
            names())
        .as(
            (plugin, model, facts) ->
                new RouterStep(
                    plugin,
                    "1",
                    model,
                    Json.object().put("max_price", 1).build(),
                    Json.array(facts.stream().map(Json::of).toList())));
  }

  private static Arbitrary<RoutingQuery.Builder> queryBuilders() {
    var amounts = Arbitraries.longs().map(Usd::new).injectNull(0.3);
    var moments =
        Combinators.combine(
                Arbitraries.longs().between(0, 4_102_444_800L),
                Arbitraries.integers().between(0, 999_999_999))
            .as(Instant::ofEpochSecond);
    var counts = Arbitraries.integers().greaterOrEqual(0);
    return Combinators.combine(
            Arbitraries.of(Endpoint.Kind.class),
            Arbitraries.longs(),
            counts,
            Arbitraries.longs(),
            counts,
            counts,
            amounts,
            moments)
        .as(
            (kind, seed, modalities, ceiling, limit, fallback, budget, at) ->
                RoutingQuery.builder("v" + seed)
                    .kind(kind)
                    .seed(seed)
                    .parameters(~seed)
                    .inputModalities(modalities)
                    .maxPromptTokens(ceiling)
                    .outputLimit(limit)
                    .defaultOutputTokens(fallback)
                    .budget(budget)
                    .budgetWithByok(budget == null ? null : new Usd(budget.nanos() / 2))
                    .at(at));
  }
}
