package io.strowger.plugins.pareto;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Objects;

/**
 * Chooses a coding model by score and price, for requests to {@code router/pareto-code}: the
 * cheapest three of a tier of scores, or with {@code max_price} the best three at that price.
 * Prices are those of input tokens at the cheapest endpoint the request may use.
 *
 * <p>{@code price_source} {@code weighted_avg} stands for the average paid, and for the list price
 * where there was no traffic; routers see no traffic in this version, so it is the list price.
 *
 * <p>Contract: "Plugins", {@code pareto-router}; plugins fact sheet, section 3.
 */
public final class ParetoRouterProvider implements PluginProvider.Configurable {
  public static final Field<BigDecimal> MAX_PRICE =
      Fields.number(
          "max_price",
          BigDecimal.ZERO,
          null,
          null,
          "Most to pay, USD per million input tokens. When set, min_coding_score is not used.");

  public static final Field<BigDecimal> MIN_CODING_SCORE =
      Fields.number(
          "min_coding_score",
          BigDecimal.ZERO,
          BigDecimal.ONE,
          null,
          "0 to 1: from 0.66 the high tier, from 0.33 the medium one, else the low one; absent:"
              + " high.");

  public static final Field<String> PRICE_SOURCE =
      Fields.oneOf(
          "price_source",
          List.of("prompt", "weighted_avg"),
          "prompt",
          "What max_price is compared with: the list price or the average paid.");

  /** Settings: where the tiers begin. */
  public static final Field<Long> HIGH_TIER = tier("high_tier", CodingTiers.DEFAULT.high());

  public static final Field<Long> MEDIUM_TIER = tier("medium_tier", CodingTiers.DEFAULT.medium());

  public static final Field<Long> LOW_TIER = tier("low_tier", CodingTiers.DEFAULT.low());

  private static final ConfigSchema SETTINGS =
      new ConfigSchema(List.of(HIGH_TIER, MEDIUM_TIER, LOW_TIER), false);

  private static Field<Long> tier(String name, int fallback) {
    return Fields.whole(
        name, 0, 100, (long) fallback, "Least percentile of the coding score in this tier.");
  }

  static final String SLUG = "router/pareto-code";

  private static final Descriptor DESCRIPTOR =
      new Descriptor(
          "pareto-router",
          "1",
          12,
          ConfigSchema.of(MAX_PRICE, MIN_CODING_SCORE, PRICE_SOURCE),
          List.of(SLUG),
          Descriptor.Status.ACTIVE);

  private static final BigDecimal HIGH = new BigDecimal("0.66");
  private static final BigDecimal MEDIUM = new BigDecimal("0.33");

  /** Picodollars per token that a dollar per million tokens is. */
  private static final BigDecimal PICOS = BigDecimal.valueOf(1_000_000);

  /** In dollars per million tokens; dearer than any price there is. */
  private static final BigDecimal BOUNDLESS = BigDecimal.valueOf(9_000_000_000_000L);

  private final CodingTiers tiers;

  /** With the tiers of {@link CodingTiers#DEFAULT}. */
  public ParetoRouterProvider() {
    this(CodingTiers.DEFAULT);
  }

  public ParetoRouterProvider(CodingTiers tiers) {
    this.tiers = Objects.requireNonNull(tiers, "tiers");
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
  public Prepared prepare(Catalog catalog) {
    return CodingModels.of(catalog, tiers);
  }

  @Override
  public Plugin create(PluginConfig config, Prepared prepared) {
    var models = (CodingModels) prepared;
    if (config.isSet(MAX_PRICE)) {
      BigDecimal price = config.get(MAX_PRICE);
      return new FrontierRouter(models, picos(price), shown(price));
    }
    return new TierRouter(models, config.isSet(MIN_CODING_SCORE) ? tier(config) : 0);
  }

  private static int tier(PluginConfig config) {
    BigDecimal least = config.get(MIN_CODING_SCORE);
    if (least.compareTo(HIGH) >= 0) {
      return 0;
    }
    return least.compareTo(MEDIUM) >= 0 ? 1 : 2;
  }

  /** Rounded down. Compares first: a caller's exponent may be too large to compute with. */
  private static long picos(BigDecimal dollarsPerMillion) {
    if (dollarsPerMillion.compareTo(BOUNDLESS) >= 0) {
      return Long.MAX_VALUE - 1;
    }
    boolean least = dollarsPerMillion.compareTo(BigDecimal.ONE.divide(PICOS)) < 0;
    return least ? 0 : dollarsPerMillion.multiply(PICOS).longValue();
  }

  private static String shown(BigDecimal price) {
    return price.signum() == 0 ? "0" : price.round(new MathContext(6)).toString();
  }
}
