package io.strowger.core.decisionlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatisticsProperties;
import io.strowger.core.health.Statistics;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.routing.ByokKeyRef;
import io.strowger.core.routing.RecordedJson;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;

@Label("A decision log")
@PropertyDefaults(tries = 200, edgeCases = EdgeCasesMode.NONE)
class DecisionLogProperties {
  @Property
  @Label("stores a catalog exactly: every member, every number, and again the same JSON")
  void catalogs(@ForAll("catalogs") Catalog catalog) throws Exception {
    byte[] written = CatalogJson.write(catalog).toBytes();
    Catalog read = CatalogJson.read(RecordedJson.of(new JacksonCodec().parse(written), "catalog"));
    assertThat(CatalogJson.write(read).toBytes()).isEqualTo(written);
    assertThat(read.version()).isEqualTo(catalog.version());
    assertThat(read.providers()).isEqualTo(catalog.providers());
    assertThat(read)
        .usingRecursiveComparison()
        .withStrictTypeChecking()
        .isEqualTo(catalog); // also private members, so that a member that is not written is found
  }

  @Property
  @Label("replays to identical plans for any queries, catalogs and statistics")
  void replays(
      @ForAll("catalogs") Catalog first,
      @ForAll("catalogs") Catalog second,
      @ForAll("queries") List<QueryTemplate> queries)
      throws Exception {
    var decisions = new ArrayList<LoggedDecision>();
    for (QueryTemplate query : queries) {
      decisions.add(query.decide(query.usesSecond() ? second : first, decisions.size()));
    }
    byte[] log = TestLogs.log(decisions);

    TestLogs.Replayed replayed = TestLogs.replay(log, ReplayRouters.NONE);
    assertThat(replayed.findings()).isEmpty();
    assertThat(replayed.result().identical()).isEqualTo(queries.size());

    List<LogItem.DecisionItem> read = TestLogs.decisions(log);
    for (int i = 0; i < read.size(); i++) {
      LoggedDecision written = decisions.get(i);
      assertThat(read.get(i).id()).isEqualTo(written.id());
      assertThat(read.get(i).inputs().query()).isEqualTo(written.query());
      assertThat(read.get(i).plan()).isEqualTo(LoggedPlan.of(written.plan()));
      assertThat(read.get(i).ending()).isEqualTo(written.ending());
      Statistics statistics = read.get(i).inputs().statistics();
      assertThat(statistics.keysBlockedUntilMillis())
          .isEqualTo(written.statistics().keysBlockedUntilMillis());
      for (Endpoint endpoint : written.catalog().endpoints()) {
        assertThat(statistics.of(endpoint)).isEqualTo(written.statistics().of(endpoint));
      }
    }
  }

  /** A query whose catalog is chosen later. */
  record QueryTemplate(
      boolean usesSecond,
      List<Integer> models,
      ProviderPreferences preferences,
      List<ByokKeyRef> keys,
      List<EndpointStatistics> statistics,
      long seed) {
    LoggedDecision decide(Catalog catalog, int number) {
      List<ModelRef> modelRefs =
          models.stream()
              .map(i -> catalog.models().get(i % catalog.models().size()).id())
              .map(ModelRef::parse)
              .toList();
      int size = Math.min(statistics.size(), catalog.endpoints().size());
      Statistics published =
          size == 0
              ? Statistics.NONE
              : Statistics.of(
                  number + 1L,
                  statistics.subList(0, size).toArray(EndpointStatistics[]::new),
                  Map.of("k1", seed & 0xFFFF));
      RoutingQuery query =
          RoutingQuery.builder(catalog.version())
              .models(modelRefs)
              .preferences(preferences)
              .byokKeys(keys)
              .at(Instant.ofEpochMilli(Math.abs(seed >> 20)))
              .seed(seed)
              .statisticsSequence(published.sequence())
              .build();
      return TestLogs.decide(catalog, published, query);
    }
  }

  @Provide
  Arbitrary<List<QueryTemplate>> queries() {
    var preferences =
        Combinators.combine(
                Arbitraries.of("alpha", "beta", "gamma/x").list().ofMaxSize(2),
                Arbitraries.of("alpha", "delta").list().ofMaxSize(1),
                Arbitraries.of(true, false))
            .as(
                (order, ignore, fallbacks) ->
                    ProviderPreferences.builder()
                        .order(order)
                        .ignore(ignore)
                        .allowFallbacks(fallbacks)
                        .build());
    var key =
        Combinators.combine(Arbitraries.of("alpha", "beta"), Arbitraries.of(true, false))
            .as((provider, fallback) -> new ByokKeyRef("k1", provider, fallback, 0, false, null));
    return Combinators.combine(
            Arbitraries.of(true, false),
            Arbitraries.integers().between(0, 9).list().ofMinSize(1).ofMaxSize(3),
            preferences,
            key.list().ofMaxSize(1),
            EndpointStatisticsProperties.statistics().list().ofMaxSize(6),
            Arbitraries.longs())
        .as(QueryTemplate::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(6);
  }

  @Provide
  Arbitrary<Catalog> catalogs() {
    return Combinators.combine(
            endpoint().list().ofMinSize(1).ofMaxSize(8).uniqueElements(Endpoint::id),
            models(),
            Arbitraries.strings().alpha().ofLength(4))
        .as(
            (endpoints, models, version) -> {
              var byModel = new LinkedHashMap<String, List<Endpoint>>();
              for (Endpoint endpoint : endpoints) {
                byModel.computeIfAbsent(endpoint.model(), m -> new ArrayList<>()).add(endpoint);
              }
              Catalog.Builder catalog = Catalog.builder(version);
              byModel.forEach(
                  (id, ofModel) ->
                      catalog.add(models.getOrDefault(id, ModelInfo.builder(id).build()), ofModel));
              return catalog.build();
            });
  }

  private static Arbitrary<Map<String, ModelInfo>> models() {
    return Combinators.combine(model("a/m"), model("a/n"))
        .as((first, second) -> Map.of("a/m", first, "a/n", second));
  }

  private static Arbitrary<ModelInfo> model(String id) {
    var words = Arbitraries.strings().ofMaxLength(6);
    var flags = Arbitraries.of(true, false);
    return Combinators.combine(
            words,
            words.injectNull(0.5),
            Arbitraries.longs().between(0, 4_102_444_800_000L).injectNull(0.5),
            flags,
            words.list().ofMaxSize(2),
            Arbitraries.doubles().between(0, 1).injectNull(0.5),
            flags)
        .as(
            (name, family, created, hidden, aliases, score, reasons) ->
                ModelInfo.builder(id)
                    .name(name)
                    .family(family)
                    .createdAt(created == null ? null : Instant.ofEpochMilli(created))
                    .isHidden(hidden)
                    .distillable(!hidden)
                    .aliases(aliases)
                    .codingScore(score)
                    .intelligenceScore(reasons ? score : null)
                    .reasoning(new ModelInfo.Reasoning(reasons, aliases, hidden))
                    .build());
  }

  private static Arbitrary<Endpoint> endpoint() {
    var builders =
        Combinators.combine(
                Arbitraries.of("a/m", "a/n"),
                Arbitraries.of("alpha", "beta", "Gamma"),
                Arbitraries.of("x", "y").injectNull(0.5),
                Arbitraries.of(true, false),
                Arbitraries.of("eu", "us").injectNull(0.5))
            .as(
                (model, slug, variant, flag, region) -> {
                  var built =
                      Endpoint.builder(
                          model, new ProviderInfo(slug, slug + "!", flag, !flag, region, flag));
                  return variant == null ? built : built.tag(slug + "/" + variant);
                });
    return Combinators.combine(
            builders,
            pricing(),
            Arbitraries.of(Endpoint.Kind.class),
            Arbitraries.integers().between(0, 1 << 20),
            Arbitraries.of(Parameter.ALL, 0L, 5L),
            Arbitraries.of("priority", "flex").injectNull(0.7),
            Arbitraries.doubles().between(0, 1e6))
        .as(
            (builder, pricing, kind, length, parameters, tier, assumed) ->
                builder
                    .pricing(pricing)
                    .kind(kind)
                    .upstreamModel("up" + length)
                    .contextLength(length)
                    .maxOutputTokens(length / 2)
                    .quantization("fp" + length % 9)
                    .parameters(parameters)
                    .inputModalities(Modality.TEXT.bit() | length % 16)
                    .outputModalities(1)
                    .multiSpeaker(tier != null)
                    .audioFormats(tier == null ? List.of("pcm") : List.of("mp3", "pcm"))
                    .serviceTier(tier)
                    .assumedPerformance(assumed, assumed / 3)
                    .build());
  }

  private static Arbitrary<Pricing> pricing() {
    var prices =
        Arbitraries.maps(
                Arbitraries.of(Price.class),
                Arbitraries.longs().between(0, 1L << 40).map(UnitPrice::new))
            .ofMaxSize(4);
    var overrides =
        Combinators.combine(
                Arbitraries.longs().between(0, 1 << 20).injectNull(0.5),
                Arbitraries.integers().between(0, 2359).injectNull(0.5),
                prices)
            .as(
                (minPromptTokens, hour, replaced) ->
                    new Pricing.Override(
                        minPromptTokens, hour, hour == null ? null : 100, replaced));
    return Combinators.combine(prices, overrides.list().ofMaxSize(2))
        .as(
            (base, more) -> {
              Pricing.Builder pricing = Pricing.builder();
              base.forEach(pricing::set);
              more.forEach(pricing::override);
              return pricing.build();
            });
  }
}
