package io.strowger.benchmarks;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.UnitPrice;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A catalog of the size of a public one: 400 models with 2,000 endpoints of 60 providers, always
 * the same. One model has exactly as many endpoints as a benchmark asks for; the others share the
 * rest evenly. The data is varied enough that every routing preference and every score range in the
 * benchmarks' requests matches some endpoints and excludes others.
 */
final class LargeCatalog {
  static final String VERSION = "400 models";
  static final int MODELS = 400;
  static final int ENDPOINTS = 2_000;
  static final int PROVIDERS = 60;

  private static final List<String> QUANTIZATIONS = List.of("fp8", "bf16", "fp8", "fp16", "int4");
  private static final int POLICY_INTERVAL = 7; // one in seven trains, another one retains
  private static final long WITHOUT_SEED = Parameter.ALL & ~Parameter.SEED.bit();

  private final SplittableRandom random = new SplittableRandom(7);
  private final List<ProviderInfo> providers = new ArrayList<>();

  private LargeCatalog() {
    for (int i = 0; i < PROVIDERS; i++) {
      boolean trains = i % POLICY_INTERVAL == 3;
      boolean retains = trains || i % POLICY_INTERVAL == 5;
      providers.add(
          new ProviderInfo(providerSlug(i), "Provider " + i, retains, trains, null, false));
    }
  }

  /** Returns the slug of a provider, from 0 to {@link #PROVIDERS}, exclusive. */
  static String providerSlug(int number) {
    return "provider-" + number;
  }

  /** Returns the id of the model that the benchmarks request, in the middle of the catalog. */
  static String requestedModel() {
    return "author-7/model-" + MODELS / 2;
  }

  /**
   * @param requestedModelEndpoints how many endpoints {@link #requestedModel()} has, at most {@link
   *     #PROVIDERS}; its providers are the first ones
   */
  static Catalog withRequestedModelEndpoints(int requestedModelEndpoints) {
    return new LargeCatalog().build(requestedModelEndpoints);
  }

  private Catalog build(int requestedModelEndpoints) {
    Catalog.Builder catalog = Catalog.builder(VERSION);
    int remaining = ENDPOINTS - requestedModelEndpoints;
    for (int i = 0, otherIndex = 0; i < MODELS; i++) {
      if (i == MODELS / 2) {
        catalog.add(
            model(requestedModel()), endpoints(requestedModel(), requestedModelEndpoints, 0));
      } else {
        String id = "author-" + i % 23 + "/model-" + i;
        int count = remaining / (MODELS - 1) + (otherIndex++ < remaining % (MODELS - 1) ? 1 : 0);
        int firstProvider = random.nextInt(PROVIDERS);
        catalog.add(model(id), endpoints(id, count, firstProvider));
      }
    }
    return catalog.build();
  }

  /** Returns a model. Two thirds have scores, in hundredths, so that some are equal. */
  private ModelInfo model(String id) {
    ModelInfo.Builder model = ModelInfo.builder(id);
    if (random.nextInt(3) > 0) {
      model.intelligenceScore(random.nextInt(30, 100) / 100.0);
      model.codingScore(random.nextInt(30, 100) / 100.0);
    }
    return model.build();
  }

  private List<Endpoint> endpoints(String model, int count, int fromProvider) {
    var endpoints = new ArrayList<Endpoint>();
    for (int i = 0; i < count; i++) {
      endpoints.add(
          Endpoint.builder(model, providers.get((fromProvider + i) % PROVIDERS))
              .pricing(pricing())
              .contextLength(128_000)
              .maxOutputTokens(random.nextInt(10) == 0 ? 4_096 : 16_384)
              .quantization(QUANTIZATIONS.get(random.nextInt(QUANTIZATIONS.size())))
              .parameters(random.nextInt(8) == 0 ? WITHOUT_SEED : Parameter.ALL)
              .build());
    }
    return endpoints;
  }

  private Pricing pricing() {
    long prompt = 50_000L * (1 + random.nextInt(60)); // 0.05 to 3 dollars per million tokens
    return Pricing.builder()
        .set(Price.PROMPT, new UnitPrice(prompt))
        .set(Price.COMPLETION, new UnitPrice(prompt * 4))
        .build();
  }
}
