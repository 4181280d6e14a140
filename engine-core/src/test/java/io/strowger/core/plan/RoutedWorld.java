package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatistics.Exacto;
import io.strowger.core.health.EndpointStatistics.Uptime;
import io.strowger.core.health.Statistics;
import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.ByokKeyRef;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.ServiceTier;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.PercentilePreferences;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A random catalog with statistics of its endpoints and a query, all derived from one seed: the
 * same seed gives the same world on every machine, since the sequence of {@link Random} is
 * specified. Everything that affects the order of candidates occurs in some worlds.
 */
final class RoutedWorld {
  static final long NOW = 1_800_000_000_000L;

  private static final List<String> MODELS = List.of("acme/m", "acme/m:free", "openai/n", "zeta/o");
  private static final List<String> PROVIDERS = List.of("a", "b", "c", "d", "e");
  private static final List<String> SUFFIXES = List.of("", "/priority", "/flex", "/turbo");
  private static final List<String> NAMES =
      List.of("a", "B Cloud", "c", "d", "a/priority", "b/flex", "c/turbo", "nobody");
  private static final List<String> REQUESTED_MODELS =
      List.of(
          "acme/m", "Acme/M:nitro", "acme/m:free", "openai/n:floor", "n-alias", "zeta/o:exacto");
  private static final List<ServiceTier> TIERS = List.of(ServiceTier.values());
  private static final String SLUG = "router/house";

  private final Map<String, List<Endpoint>> endpoints = new TreeMap<>();
  private final Map<String, EndpointStatistics> statistics = new TreeMap<>();
  private final Map<String, Long> keyBlockedUntil = new HashMap<>();
  private final RoutingQuery query;

  RoutedWorld(long seed) {
    var random = new Random(seed);
    for (String model : MODELS) {
      endpoints.put(model, endpoints(model, random));
    }
    boolean hasTrouble = random.nextInt(4) != 0;
    endpoints.values().stream()
        .flatMap(List::stream)
        .filter(endpoint -> hasTrouble && random.nextBoolean())
        .forEach(endpoint -> statistics.put(endpoint.id(), statistics(random)));
    for (String key : List.of("k0", "k1", "k2")) {
      if (hasTrouble && random.nextInt(4) == 0) {
        keyBlockedUntil.put(key, NOW + random.nextInt(3) - 1);
      }
    }
    query = query(random);
  }

  private static <T> T oneOf(List<T> items, Random random) {
    return items.get(random.nextInt(items.size()));
  }

  private static <T> List<T> someOf(List<T> items, int maxCount, Random random) {
    var chosen = new ArrayList<T>();
    for (int left = random.nextInt(maxCount + 1); left > 0; left--) {
      chosen.add(oneOf(items, random));
    }
    return chosen;
  }

  private static List<Endpoint> endpoints(String model, Random random) {
    var endpointsOfModel = new ArrayList<Endpoint>();
    for (String provider : PROVIDERS) {
      for (String suffix : SUFFIXES) {
        if (random.nextInt(3) == 0) {
          endpointsOfModel.add(endpoint(model, provider, suffix, random));
        }
      }
    }
    return endpointsOfModel;
  }

  private static Endpoint endpoint(String model, String slug, String suffix, Random random) {
    boolean isPrivate = slug.equals("a") || slug.equals("b");
    var provider =
        new ProviderInfo(
            slug,
            slug.toUpperCase(Locale.ROOT) + " Cloud",
            !isPrivate,
            !isPrivate,
            isPrivate ? "eu" : null,
            false);
    String price = oneOf(List.of("0", "0.5", "1", "1", "2", "3"), random);
    boolean tier = suffix.equals("/priority") || suffix.equals("/flex");
    return Endpoint.builder(model, provider)
        .tag(slug + suffix)
        .pricing(TestPlans.perMillion(price, price))
        .serviceTier(tier ? suffix.substring(1) : null)
        .quantization(oneOf(List.of("fp8", "bf16", "unknown"), random))
        .contextLength(oneOf(List.of(0, 1000, 4000), random))
        .maxOutputTokens(oneOf(List.of(0, 100, 1000), random))
        .parameters(
            oneOf(List.of(Parameter.ALL, Parameter.ALL & ~Parameter.TOOLS.bit(), 0L), random))
        .assumedPerformance(oneOf(List.of(0, 20, 80), random), oneOf(List.of(0, 300, 900), random))
        .build();
  }

  private static EndpointStatistics statistics(Random random) {
    var builder =
        EndpointStatistics.builder()
            .uptime(
                oneOf(List.of(Uptime.NORMAL, Uptime.NORMAL, Uptime.DEGRADED, Uptime.DOWN), random))
            .outage(random.nextInt(4) == 0)
            .exacto(oneOf(List.of(Exacto.values()), random))
            .breakerOpen(random.nextInt(3) == 0)
            .blockedUntilMillis(oneOf(List.of(0L, 0L, NOW - 1, NOW, NOW + 1, NOW + 5000), random))
            .recoveredAtMillis(oneOf(List.of(0L, 0L, NOW, NOW - 10_000, NOW - 40_000), random));
    long speed = (1 + random.nextInt(5)) * 20_000_000L;
    return random.nextBoolean()
        ? builder.build()
        : builder
            .samples(oneOf(List.of(19, 20, 500), random))
            .throughputMicroTokens(speed, speed / 2, speed / 3, speed / 4)
            .latencyMicros(speed / 100, speed / 90, speed / 80, speed / 50)
            .build();
  }

  private static RoutingQuery query(Random random) {
    var models = new ArrayList<>(List.of(oneOf(REQUESTED_MODELS, random)));
    models.addAll(someOf(REQUESTED_MODELS, 3, random));
    var steps = new ArrayList<RouterStep>();
    if (random.nextInt(3) == 0) {
      int index = random.nextInt(models.size());
      models.set(index, SLUG + oneOf(List.of("", ":nitro", ":floor"), random));
      steps.add(step(index, random));
    }
    if (random.nextInt(4) == 0) {
      steps.add(step(RouterStep.EVERY_REQUEST, random));
    }
    return RoutingQuery.builder(TestPlans.VERSION)
        .models(models.stream().map(ModelRef::parse).toList())
        .preferences(random.nextInt(4) == 0 ? ProviderPreferences.NONE : preferences(random))
        .account(account(random))
        .parameters(
            oneOf(List.of(0L, 0L, Parameter.TOOLS.bit(), Parameter.RESPONSE_FORMAT.bit()), random))
        .promptTokens(oneOf(List.of(10, 999, 1000, 1001), random))
        .maxPromptTokens(100)
        .outputLimit(oneOf(List.of(0, 0, 100, 101), random))
        .budget(random.nextInt(4) == 0 ? new Usd(random.nextInt(2_000_000)) : null)
        .tier(oneOf(List.of(ServiceTier.UNSET, ServiceTier.UNSET, oneOf(TIERS, random)), random))
        .region(random.nextInt(6) == 0 ? "EU" : null)
        .byokKeys(random.nextInt(3) == 0 ? keys(random) : List.of())
        .stickyEndpoints(random.nextInt(3) == 0 ? sticky(random) : List.of())
        .routers(steps)
        .at(Instant.ofEpochMilli(NOW))
        .seed(random.nextLong())
        .statisticsSequence(1)
        .build();
  }

  private static RouterStep step(int model, Random random) {
    Json facts = Json.of(random.nextInt(1000));
    return new RouterStep("house", "1", model, Json.Obj.EMPTY, facts);
  }

  private static List<ByokKeyRef> keys(Random random) {
    var keys = new ArrayList<ByokKeyRef>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      keys.add(
          new ByokKeyRef(
              "k" + i,
              oneOf(PROVIDERS, random),
              random.nextInt(4) == 0,
              random.nextInt(2),
              random.nextInt(4) == 0,
              random.nextBoolean() ? null : someOf(MODELS, 3, random)));
    }
    return keys;
  }

  private static List<String> sticky(Random random) {
    return List.of(
        oneOf(MODELS, random) + "@" + oneOf(PROVIDERS, random),
        oneOf(MODELS, random) + "@" + oneOf(PROVIDERS, random) + oneOf(SUFFIXES, random));
  }

  private static ProviderPreferences preferences(Random random) {
    var keys = new ArrayList<>(Collections.<ProviderSort.Key>nCopies(4, null));
    keys.addAll(List.of(ProviderSort.Key.values()));
    var sort =
        new ProviderSort(
            oneOf(keys, random), oneOf(List.of(ProviderSort.Partition.values()), random));
    boolean hasOrder = random.nextInt(3) == 0;
    PercentilePreferences percentilePreferences =
        random.nextInt(4) == 0
            ? new PercentilePreferences(50_000_000L, null, 20_000_000L, null)
            : PercentilePreferences.NONE;
    return ProviderPreferences.builder()
        .order(hasOrder ? someOf(NAMES, 3, random) : List.of())
        .only(random.nextInt(6) == 0 ? someOf(NAMES, 6, random) : null)
        .ignore(random.nextInt(4) == 0 ? someOf(NAMES, 2, random) : List.of())
        .zdr(random.nextInt(8) == 0)
        .allowFallbacks(random.nextInt(3) != 0)
        .sort(sort)
        .preferredMinThroughput(percentilePreferences)
        .build();
  }

  private static AccountRules account(Random random) {
    var rules = AccountRules.builder();
    if (random.nextInt(6) == 0) {
      rules.ignoreProviders(someOf(NAMES, 1, random));
    }
    if (random.nextInt(4) == 0) {
      rules.defaultSort(oneOf(List.of(ProviderSort.Key.values()), random));
    }
    return rules.build();
  }

  RoutingQuery query() {
    return query;
  }

  Catalog catalog() {
    return catalog(MODELS, endpoints);
  }

  /** Returns a catalog of the same models and endpoints in another order. */
  Catalog shuffled(Random random) {
    var models = new ArrayList<>(MODELS);
    Collections.shuffle(models, random);
    var others = new TreeMap<String, List<Endpoint>>();
    endpoints.forEach(
        (model, endpointsOfModel) -> {
          var list = new ArrayList<>(endpointsOfModel);
          Collections.shuffle(list, random);
          others.put(model, list);
        });
    return catalog(models, others);
  }

  private static Catalog catalog(List<String> models, Map<String, List<Endpoint>> endpoints) {
    Catalog.Builder catalog = Catalog.builder(TestPlans.VERSION);
    for (String model : models) {
      var aliases = model.equals("openai/n") ? List.of("n-alias") : List.<String>of();
      catalog.add(
          ModelInfo.builder(model).aliases(aliases).build(),
          endpoints.getOrDefault(model, List.of()));
    }
    return catalog.build();
  }

  Statistics statistics(Catalog catalog) {
    return Statistics.of(
        1,
        catalog.endpoints().stream()
            .map(e -> statistics.getOrDefault(e.id(), EndpointStatistics.NONE))
            .toArray(EndpointStatistics[]::new),
        keyBlockedUntil);
  }

  RoutePlan plan() {
    return plan(catalog(), query);
  }

  RoutePlan plan(Catalog catalog, RoutingQuery other) {
    return new Planner(catalog, step -> HOUSE).plan(other, statistics(catalog));
  }

  /** A router that chooses by the ids of the offered models and the number in its facts. */
  static final RouterPlugin HOUSE = RoutedWorld::choose;

  private static Selection choose(Candidates candidates) {
    int choice = Integer.parseInt(candidates.facts().toString());
    var ids = new ArrayList<String>();
    for (int i = 0; i < candidates.size(); i++) {
      if (candidates.isUsable(i)) {
        ids.add(candidates.model(i).id());
      }
    }
    Collections.sort(ids);
    Collections.shuffle(ids, new Random(choice));
    return switch (choice % 4) {
      case 0 -> Selection.PASS;
      case 1 -> new Selection.Models(ids.subList(0, Math.min(2, ids.size())), "two of them");
      default -> new Selection.Models(ids, "all of them");
    };
  }
}
