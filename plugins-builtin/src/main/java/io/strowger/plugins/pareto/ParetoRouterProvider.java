package io.strowger.plugins.pareto;

import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import java.math.BigDecimal;
import java.util.List;

/**
 * Chooses a coding model by score and price, for requests to {@code router/pareto-code}. Its
 * entries are checked; the choosing itself is not part of this version.
 *
 * <p>Contract: "Plugins", {@code pareto-router}; plugins fact sheet, section 3.
 */
public final class ParetoRouterProvider implements PluginProvider {
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

  private static final Descriptor DESCRIPTOR =
      new Descriptor(
          "pareto-router",
          "0",
          12,
          ConfigSchema.of(MAX_PRICE, MIN_CODING_SCORE, PRICE_SOURCE),
          List.of("router/pareto-code"),
          Descriptor.Status.INACTIVE);

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Plugin create(PluginConfig config, Prepared prepared) {
    return new Plugin.Inactive("choosing by score is not part of this version");
  }
}
