package io.strowger.plugins.pareto;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.PerCatalog;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;

/**
 * Chooses a coding model by score and price, for requests to {@code router/pareto-code}: the
 * cheapest three of a tier of scores, or with {@code max_price} the best three at that price.
 * Prices are those of input tokens at the cheapest endpoint the request may use.
 *
 * <p>{@code price_source: weighted_avg} means the average price paid, or the list price if there
 * was no traffic. Routers see no traffic in this version, so the list price is always used.
 *
 * <p>Contract: "Plugins", {@code pareto-router}; plugins fact sheet, section 3.
 */
public final class ParetoRouterProvider implements PluginProvider.Configurable {
  public static final Field<UnitPrice> MAX_PRICE =
      Fields.pricePerMillion(
          "max_price",
          null,
          "The maximum price in US dollars per million input tokens. If set, "
              + "min_coding_score is not used.");

  public static final Field<BigDecimal> MIN_CODING_SCORE =
      Fields.number(
          "min_coding_score",
          BigDecimal.ZERO,
          BigDecimal.ONE,
          null,
          "The wanted quality, from 0 to 1: at least 0.66 selects the high tier, at least"
              + " 0.33 the medium tier, less the low tier. If absent, the high tier.");

  private static final Field<String> PRICE_SOURCE =
      Fields.oneOf(
          "price_source",
          List.of("prompt", "weighted_avg"),
          "prompt",
          "The price that max_price is compared with: the list price or the average price"
              + " paid.");

  /** Settings: the lowest coding scores of the tiers, times 100. */
  public static final Field<Long> HIGH_TIER = tier("high_tier", CodingTiers.DEFAULT.high());

  public static final Field<Long> MEDIUM_TIER = tier("medium_tier", CodingTiers.DEFAULT.medium());

  public static final Field<Long> LOW_TIER = tier("low_tier", CodingTiers.DEFAULT.low());

  private static final ConfigSchema SETTINGS =
      new ConfigSchema(List.of(HIGH_TIER, MEDIUM_TIER, LOW_TIER), false);

  private static Field<Long> tier(String name, int fallback) {
    return Fields.integer(
        name,
        0,
        100,
        (long) fallback,
        "The lowest coding_score of a model in this tier, times 100.");
  }

  static final String SLUG = "router/pareto-code";

  private static final Descriptor DESCRIPTOR =
      Descriptor.router("pareto-router")
          .order(12)
          .fields(MAX_PRICE, MIN_CODING_SCORE, PRICE_SOURCE)
          .slug(SLUG)
          .build();

  private static final BigDecimal HIGH = new BigDecimal("0.66");
  private static final BigDecimal MEDIUM = new BigDecimal("0.33");

  private final PerCatalog<CodingModels> models;

  /** Creates a provider with the tiers of {@link CodingTiers#DEFAULT}. */
  public ParetoRouterProvider() {
    this(CodingTiers.DEFAULT);
  }

  public ParetoRouterProvider(CodingTiers tiers) {
    Objects.requireNonNull(tiers, "tiers");
    models = new PerCatalog<>(catalog -> CodingModels.of(catalog, tiers));
  }

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public ConfigSchema settings() {
    return SETTINGS;
  }

  @Override
  public PluginProvider with(PluginConfig settings) {
    return new ParetoRouterProvider(
        new CodingTiers(
            settings.get(HIGH_TIER).intValue(),
            settings.get(MEDIUM_TIER).intValue(),
            settings.get(LOW_TIER).intValue()));
  }

  @Override
  public RouterPlugin create(PluginConfig config, Catalog catalog) {
    CodingModels coding = models.of(catalog);
    if (config.isSet(MAX_PRICE)) {
      return new FrontierRouter(coding, config.get(MAX_PRICE));
    }
    return new TierRouter(coding, config.isSet(MIN_CODING_SCORE) ? tier(config) : 0);
  }

  private static int tier(PluginConfig config) {
    BigDecimal minScore = config.get(MIN_CODING_SCORE);
    if (minScore.compareTo(HIGH) >= 0) {
      return 0;
    }
    return minScore.compareTo(MEDIUM) >= 0 ? 1 : 2;
  }
}
