package io.strowger.benchmarks.quality;

import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The built-in routers, each with its main settings. */
final class RouterSettings {
  static final String AUTO = "router/auto";
  static final String AUTO_BETA = "router/auto-beta";
  static final String PARETO = "router/pareto-code";
  static final String FREE = "router/free";

  /** The names of the routers, in the order of the table. */
  static final List<String> ROUTERS = List.of(AUTO, AUTO_BETA, PARETO, FREE);

  private static final String AUTO_PLUGIN = "auto-router";
  private static final String PARETO_PLUGIN = "pareto-router";
  private static final List<String> COST_TIERS = List.of("low", "medium", "high", "xhigh", "max");
  private static final List<Integer> TRADEOFFS = List.of(0, 5, 10);
  private static final List<String> CODING_TIERS = List.of("0.66", "0.33", "0"); // best first
  private static final int QUARTERS = 4;

  private RouterSettings() {}

  /**
   * Returns the settings of some routers in the order of the table. The maximum prices are those of
   * the models at the quarters of the order of prices.
   */
  static List<RouterSetting> of(List<String> routers, LearnedModels models) {
    var settings = new ArrayList<RouterSetting>();
    if (routers.contains(AUTO)) {
      settings.add(RouterSetting.plain(AUTO, AUTO_PLUGIN));
      for (String tier : COST_TIERS) {
        settings.add(new RouterSetting(AUTO, AUTO_PLUGIN, "cost_tier", Json.of(tier)));
      }
      for (int tradeoff : TRADEOFFS) {
        settings.add(
            new RouterSetting(AUTO, AUTO_PLUGIN, "cost_quality_tradeoff", Json.of(tradeoff)));
      }
    }
    if (routers.contains(AUTO_BETA)) {
      settings.add(RouterSetting.plain(AUTO_BETA, "auto-beta-router"));
    }
    if (routers.contains(PARETO)) {
      for (String score : CODING_TIERS) {
        settings.add(pareto("min_coding_score", new BigDecimal(score)));
      }
      quarters(models).forEach(price -> settings.add(pareto("max_price", price)));
    }
    if (routers.contains(FREE) && hasFreeModel(models)) {
      settings.add(RouterSetting.plain(FREE, "free-router"));
    }
    return settings;
  }

  private static RouterSetting pareto(String member, BigDecimal value) {
    return new RouterSetting(PARETO, PARETO_PLUGIN, member, Json.of(value));
  }

  /** Returns the different prices at the quarters, in US dollars for a million tokens. */
  private static List<BigDecimal> quarters(LearnedModels models) {
    var prices = new ArrayList<BigDecimal>();
    int count = models.models().size();
    for (int quarter = 1; quarter < QUARTERS; quarter++) {
      LearnedModels.LearnedModel model = models.models().get((quarter * count - 1) / QUARTERS);
      BigDecimal price = model.price().dollarsPerMillion();
      if (!prices.contains(price)) {
        prices.add(price);
      }
    }
    return prices;
  }

  /** Returns whether a model costs nothing, which is what {@code router/free} chooses from. */
  static boolean hasFreeModel(LearnedModels models) {
    return models.models().stream().anyMatch(model -> model.price().equals(UnitPrice.FREE));
  }

  /**
   * A router with a setting, as a request names them.
   *
   * @param router the model name of the request, such as {@code router/auto}
   * @param plugin the id of the router's plugin
   * @param member the member of the plugin's entry that is set; empty for none
   * @param value the value of the member; ignored when there is none
   */
  record RouterSetting(String router, String plugin, String member, Json value) {
    /** Creates a setting without any member. */
    static RouterSetting plain(String router, String plugin) {
      return new RouterSetting(router, plugin, "", Json.NULL);
    }

    /** Returns the router and its member, as shown in the report. */
    String label() {
      return member.isEmpty() ? router : router + " " + member + " " + valueText();
    }

    private String valueText() {
      return switch (value) {
        case Json.Str word -> word.text();
        case Json.Num number -> number.decimal().toPlainString();
        default -> value.toString();
      };
    }

    /** Returns the body of a chat request, JSON in UTF-8. */
    byte[] body(String prompt) {
      Json message = Json.object().put("role", "user").put("content", prompt).build();
      var body = Json.object().put("model", router).put("messages", Json.array(message));
      if (!member.isEmpty()) {
        Json entry = Json.object().put("id", plugin).put(member, value).build();
        body.put("plugins", Json.array(entry));
      }
      return body.build().toBytes();
    }
  }
}
