package io.strowger.core.listing;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.HalfHourSpeeds;
import io.strowger.core.health.Statistics;
import io.strowger.core.plan.Planner;
import io.strowger.core.resource.Queries;
import io.strowger.core.routing.AccountRules;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The listing of the catalog")
class CatalogListingTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final ProviderInfo ALPHA =
      new ProviderInfo("alpha", "Alpha", true, true, "eu", true);
  private static final ProviderInfo BETA =
      new ProviderInfo("beta", "Beta Cloud", false, false, null, false);

  private static Pricing pricing(String prompt, String completion) {
    return Pricing.builder()
        .set(Price.PROMPT, dollars(prompt))
        .set(Price.COMPLETION, dollars(completion))
        .build();
  }

  private static UnitPrice dollars(String text) {
    return UnitPrice.ofDollars(new BigDecimal(text));
  }

  private static final Catalog CATALOG =
      Catalog.builder("v")
          .add(
              ModelInfo.builder("acme/large")
                  .name("Acme Large")
                  .createdAt(Instant.ofEpochSecond(1_700_000_000))
                  .aliases(List.of("acme/big"))
                  .distillable(true)
                  .codingScore(0.5)
                  .reasoning(new ModelInfo.Reasoning(true, List.of("low", "high"), true))
                  .build(),
              List.of(
                  Endpoint.builder("acme/large", ALPHA)
                      .tag("alpha/flex")
                      .serviceTier("flex")
                      .pricing(pricing("0.0000005", "0.000001"))
                      .build(),
                  Endpoint.builder("acme/large", ALPHA)
                      .pricing(
                          Pricing.builder()
                              .set(Price.PROMPT, dollars("0.000001"))
                              .set(Price.COMPLETION, dollars("0.000002"))
                              .set(Price.INPUT_CACHE_READ, dollars("0.0000001"))
                              .override(
                                  new Pricing.Override(
                                      200_000L,
                                      null,
                                      null,
                                      Map.of(Price.PROMPT, dollars("0.000002"))))
                              .override(
                                  new Pricing.Override(
                                      null, 1630, 30, Map.of(Price.PROMPT, dollars("0"))))
                              .build())
                      .contextLength(128_000)
                      .maxOutputTokens(4_096)
                      .quantization("fp8")
                      .parameters(Parameter.TOOLS.bit() | Parameter.TEMPERATURE.bit())
                      .inputModalities(Modality.TEXT.bit() | Modality.IMAGE.bit())
                      .build(),
                  Endpoint.builder("acme/large", BETA)
                      .pricing(pricing("0.000003", "0.000004"))
                      .contextLength(256_000)
                      .build()))
          .add(
              ModelInfo.builder("acme/embed").build(),
              List.of(Endpoint.builder("acme/embed", BETA).kind(Endpoint.Kind.EMBEDDINGS).build()))
          .add(
              ModelInfo.builder("acme/secret").isPrivate(true).build(),
              List.of(Endpoint.builder("acme/secret", ALPHA).build()))
          .add(
              ModelInfo.builder("acme/hidden").isHidden(true).build(),
              List.of(Endpoint.builder("acme/hidden", ALPHA).build()))
          .add(
              ModelInfo.builder("zeta/small")
                  .createdAt(Instant.ofEpochSecond(1_800_000_000))
                  .build(),
              List.of(
                  Endpoint.builder("zeta/small", ALPHA)
                      .pricing(pricing("0.00001", "0.00002"))
                      .contextLength(8_000)
                      .build()))
          .add(ModelInfo.builder("zeta/nobody").build(), List.of())
          .build();

  private static CatalogListing listing(AccountRules rules, Statistics statistics) {
    return new CatalogListing(
        CATALOG, new Planner(CATALOG).viewOf(rules), statistics, any -> HalfHourSpeeds.NONE, NOW);
  }

  private static CatalogListing listing() {
    return listing(AccountRules.NONE, Statistics.NONE);
  }

  private static List<String> ids(
      CatalogListing listing, String query, CatalogListing.EndpointScope endpointScope) {
    var problems = new Problems(10);
    var modelQuery = Queries.models(query, problems);
    assertThat(problems.list()).isEmpty();
    return listing.models(modelQuery, endpointScope).stream()
        .map(model -> Objects.requireNonNull(model.text("id")))
        .toList();
  }

  private static Json.Obj model(String slug) {
    return Objects.requireNonNull(listing().model(slug));
  }

  private static Json.Obj endpoint(CatalogListing listing, String tag) {
    Json.Arr endpoints =
        Objects.requireNonNull(
            Objects.requireNonNull(listing.endpoints("acme/large")).list("endpoints"));
    return endpoints.stream()
        .map(Json.Obj.class::cast)
        .filter(endpoint -> tag.equals(endpoint.text("tag")))
        .findFirst()
        .orElseThrow();
  }

  @Proves("resources.record.model")
  @Test
  @DisplayName("shows a model in the form of the fact sheet, with the price of its top endpoint")
  void model() {
    assertThat(new String(model("acme/large").toBytes(), StandardCharsets.UTF_8))
        .isEqualTo(
            ("{'id':'acme/large','canonical_slug':'acme/large','name':'Acme Large',"
                    + "'created':1700000000,'description':'','architecture':{"
                    + "'input_modalities':['text','image'],'output_modalities':['text'],"
                    + "'modality':'text+image->text','tokenizer':null,'instruct_type':null},"
                    + "'pricing':{'prompt':'0.000001','completion':'0.000002',"
                    + "'input_cache_read':'0.0000001','discount':0,'overrides':["
                    + "{'min_prompt_tokens':200000,'prompt':'0.000002'},"
                    + "{'utc_start':1630,'utc_end':30,'prompt':'0'}]},"
                    + "'top_provider':{'context_length':128000,'max_completion_tokens':4096,"
                    + "'is_moderated':true},'context_length':256000,'supported_parameters':"
                    + ALL_PARAMETERS
                    + ",'default_parameters':null,'per_request_limits':null,"
                    + "'expiration_date':null,'knowledge_cutoff':null,'reasoning':{"
                    + "'mandatory':true,'default_enabled':true,'default_effort':null,"
                    + "'supported_efforts':['low','high'],'supports_max_tokens':true},"
                    + "'supported_voices':null,'alias_target':null,'benchmarks':{"
                    + "'coding_score':0.5,'intelligence_score':null},"
                    + "'links':{'details':'/models/acme/large/endpoints'}}")
                .replace('\'', '"'));
  }

  /**
   * The parameters of acme/large: two of its endpoints list none, which means that they support
   * all.
   */
  private static final String ALL_PARAMETERS =
      Arrays.stream(Parameter.values())
          .map(parameter -> "'" + parameter.wireName() + "'")
          .collect(Collectors.joining(",", "[", "]"));

  @Proves({"resources.record.endpoint", "open.37"})
  @Test
  @DisplayName("shows an endpoint in the form of the fact sheet, with null for what is not known")
  void endpoint() {
    assertThat(endpoint(listing(), "alpha").without("pricing").toString())
        .isEqualTo(
            ("{'name':'Alpha | acme/large','model_id':'acme/large','model_name':'Acme Large',"
                    + "'provider_name':'Alpha','tag':'alpha','quantization':'fp8',"
                    + "'context_length':128000,'max_completion_tokens':4096,"
                    + "'max_prompt_tokens':null,'supported_parameters':['temperature','tools'],"
                    + "'status':0,'uptime_last_5m':null,'uptime_last_30m':null,"
                    + "'uptime_last_1d':null,'latency_last_30m':null,'throughput_last_30m':null,"
                    + "'supports_implicit_caching':true,'supports_voice_cloning':false}")
                .replace('\'', '"'));
    assertThat(endpoint(listing(), "beta").get("max_completion_tokens")).isEqualTo(Json.NULL);
  }

  private static CatalogListing listingWith(EndpointStatistics.Builder statistics) {
    var all = new EndpointStatistics[CATALOG.endpoints().size()];
    Arrays.fill(all, EndpointStatistics.NONE);
    for (Endpoint endpoint : CATALOG.endpoints()) {
      if (endpoint.id().equals("acme/large@alpha")) {
        all[endpoint.ordinal()] = statistics.build();
      }
    }
    return listing(AccountRules.NONE, Statistics.of(1, all, Map.of()));
  }

  @Proves({"routing.draw.uptime.listing", "resources.record.endpoint"})
  @Test
  @DisplayName(
      "shows the uptime of an endpoint in percent, and null where there are too few requests to"
          + " tell")
  void statistics() {
    Json.Obj shown =
        endpoint(
            listingWith(
                EndpointStatistics.builder()
                    .latencyMicros(7, 7, 7, 7)
                    .throughputMicroTokens(7, 7, 7, 7)
                    .requests(100, 300, 99)
                    .failures(1, 100, 0)),
            "alpha");
    assertThat(shown.get("latency_last_30m"))
        .as("latency is not that of five minutes")
        .isEqualTo(Json.NULL);
    assertThat(shown.get("uptime_last_5m")).hasToString("99.00");
    assertThat(shown.get("uptime_last_30m")).hasToString("66.67");
    assertThat(shown.get("uptime_last_1d")).as("fewer than 100 requests").isEqualTo(Json.NULL);
  }

  @Proves("routing.preference.latency.units")
  @Test
  @DisplayName(
      "shows an endpoint's speed in the last half hour in milliseconds and tokens per second")
  void speeds() {
    var measured =
        new HalfHourSpeeds(
            new long[] {1_500, 2_000_000, 3_000_000, 4_000_250},
            new long[] {80_500_000, 60_000_000, 40_000_000, 5_000_000});
    var listing =
        new CatalogListing(
            CATALOG,
            new Planner(CATALOG).viewOf(AccountRules.NONE),
            Statistics.NONE,
            endpoint -> measured,
            NOW);
    Json.Obj shown = endpoint(listing, "alpha");
    assertThat(shown.get("latency_last_30m"))
        .hasToString("{\"p50\":1.5,\"p75\":2000,\"p90\":3000,\"p99\":4000.25}");
    assertThat(shown.get("throughput_last_30m"))
        .hasToString("{\"p50\":80.5,\"p75\":60,\"p90\":40,\"p99\":5}");
  }

  @Proves("resources.record.endpoint")
  @Test
  @DisplayName("shows the worst state of an endpoint as its status")
  void status() {
    long later = NOW.toEpochMilli() + 1;
    var down = EndpointStatistics.builder().uptime(EndpointStatistics.Uptime.DOWN);
    var degraded = EndpointStatistics.builder().uptime(EndpointStatistics.Uptime.DEGRADED);
    assertThat(status(degraded)).isEqualTo(-1);
    assertThat(status(down)).isEqualTo(-2);
    assertThat(status(EndpointStatistics.builder().outage(true))).isEqualTo(-2);
    assertThat(status(down.blockedUntilMillis(later))).isEqualTo(-3);
    assertThat(status(EndpointStatistics.builder().blockedUntilMillis(later - 1)))
        .as("the block is over")
        .isZero();
    assertThat(status(down.breakerOpen(true))).isEqualTo(-5);
  }

  private static long status(EndpointStatistics.Builder statistics) {
    return endpoint(listingWith(statistics), "alpha").longValue("status", 99);
  }

  @Proves("resources.record.model")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "|acme/large zeta/small",
        "output_modalities=all|acme/large acme/embed zeta/small",
        "output_modalities=embeddings,image|acme/embed",
        "min_price=1&max_price=1|acme/large",
        "min_price=1.000001|zeta/small",
        "max_price=0.99|",
        "context=8001|acme/large",
        "zdr=true|acme/large",
        "zdr=false&output_modalities=embeddings|",
        "region=EU|acme/large zeta/small",
        "zdr=true&region=eu|",
        "distillable=true|acme/large",
        "distillable=false|zeta/small",
        "providers=beta,nobody|acme/large",
        "providers=Beta Cloud&zdr=true|acme/large",
        "providers=nobody|",
        "sort=newest|zeta/small acme/large",
        "sort=price|acme/large zeta/small",
        "sort=pricing-high-to-low|zeta/small acme/large",
        "sort=context|acme/large zeta/small",
        "sort=latency|acme/large zeta/small",
        "sort=throughput|acme/large zeta/small",
      })
  @DisplayName("contains the models that a query selects, in its order")
  void filters(String query, String expected) {
    String raw = query == null ? "" : query.replace(" ", "%20");
    List<String> ids = expected == null ? List.of() : List.of(expected.split(" "));
    assertThat(ids(listing(), raw, CatalogListing.EndpointScope.ALL)).isEqualTo(ids);
    var problems = new Problems(10);
    assertThat(listing().count(Queries.models(raw, problems))).isEqualTo(ids.size());
  }

  @Test
  @DisplayName("is sorted by the speed of the endpoints, with models without measurements last")
  void sortedBySpeed() {
    var measured =
        EndpointStatistics.builder().latencyMicros(1, 1, 1, 1).throughputMicroTokens(1, 1, 1, 1);
    var all = new EndpointStatistics[CATALOG.endpoints().size()];
    Arrays.fill(all, EndpointStatistics.NONE);
    all[all.length - 1] = measured.build(); // of zeta/small
    CatalogListing listing = listing(AccountRules.NONE, Statistics.of(1, all, Map.of()));
    for (String sort : List.of("latency", "throughput", "latency-low-to-high")) {
      assertThat(ids(listing, "sort=" + sort, CatalogListing.EndpointScope.ALL))
          .containsExactly("zeta/small", "acme/large");
    }
  }

  @Proves("routing.other.private")
  @Test
  @DisplayName("contains private models only for approved accounts, and hidden models only by name")
  void visibility() {
    assertThat(listing().model("acme/secret")).isNull();
    assertThat(listing().endpoints("acme/secret")).isNull();
    AccountRules approved = AccountRules.builder().privateModels(List.of("ACME/secret")).build();
    CatalogListing approvedListing = listing(approved, Statistics.NONE);
    assertThat(approvedListing.model("acme/secret")).isNotNull();
    assertThat(ids(approvedListing, "", CatalogListing.EndpointScope.ALL)).contains("acme/secret");
    assertThat(listing().model("acme/hidden")).isNotNull();
    assertThat(model("Acme/BIG").text("id")).as("an alias").isEqualTo("acme/large");
    assertThat(listing().model("acme/none")).isNull();
    assertThat(listing().model("zeta/nobody")).as("no endpoint").isNull();
  }

  @Test
  @DisplayName(
      "contains for an account the models that its rules allow, at the price of an allowed"
          + " endpoint")
  void allowed() {
    AccountRules rules =
        AccountRules.builder()
            .ignoreProviders(List.of("alpha"))
            .ignoreModels(List.of("nobody/*"))
            .build();
    CatalogListing listing = listing(rules, Statistics.NONE);
    assertThat(ids(listing, "", CatalogListing.EndpointScope.ALL))
        .containsExactly("acme/large", "zeta/small");
    assertThat(ids(listing, "", CatalogListing.EndpointScope.ALLOWED))
        .containsExactly("acme/large");
    var problems = new Problems(1);
    Json.Obj large =
        listing
            .models(Queries.models("", problems), CatalogListing.EndpointScope.ALLOWED)
            .getFirst();
    assertThat(Objects.requireNonNull(large.object("pricing")).text("prompt"))
        .isEqualTo("0.000003");
  }

  @Proves("resources.record.provider")
  @Test
  @DisplayName("contains the endpoints that retain nothing, and the providers by slug")
  void others() {
    assertThat(listing().zdrEndpoints())
        .extracting(endpoint -> endpoint.text("model_id") + "@" + endpoint.text("tag"))
        .containsExactly("acme/large@beta", "acme/embed@beta");
    assertThat(listing().providers().getFirst().toString())
        .isEqualTo(
            ("{'name':'Alpha','slug':'alpha','privacy_policy_url':null,"
                    + "'terms_of_service_url':null,'status_page_url':null,'headquarters':null,"
                    + "'datacenters':['eu']}")
                .replace('\'', '"'));
    assertThat(listing().providers()).hasSize(2);
  }
}
