package io.strowger.benchmarks.quality;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.routing.RoutePlan;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Lets a gateway choose a model for each question: that of the first endpoint it would try. Nothing
 * is sent. Its catalog has a model for each learned one, served by one endpoint with its price; the
 * ids are numbers in the order of the names, because a name in a file may be no valid id. Confined
 * to one thread.
 */
final class RouterChooser implements AutoCloseable {
  private static final String PROVIDER = "recorded";

  private final Map<String, String> namesById = new HashMap<>();
  private final long seed;
  private final RunningGateway gateway;

  /**
   * @param seed the seed of the random choices; every question has random choices of its own, which
   *     follow from the seed and its id
   */
  RouterChooser(LearnedModels learned, long seed) {
    this.seed = seed;
    this.gateway =
        RunningGateway.open(
            config(learned), new SystemAmbient(), RunningGateway.HostResources.NONE);
  }

  private GatewayConfig config(LearnedModels learned) {
    List<LearnedModels.LearnedModel> byName =
        learned.models().stream()
            .sorted(Comparator.comparing(LearnedModels.LearnedModel::name))
            .toList();
    var models = new ArrayList<Json>();
    for (LearnedModels.LearnedModel model : byName) {
      String id = "%s/model-%05d".formatted(PROVIDER, models.size());
      namesById.put(id, model.name());
      models.add(toJson(id, model));
    }
    Json provider =
        Json.object()
            .put("slug", PROVIDER)
            .put("protocol", "simulated")
            .put("base_url", "http://localhost")
            .build();
    return ConfigReader.standard()
        .read(
            Json.object()
                .put("providers", Json.array(provider))
                .put("models", Json.array(models))
                .build())
        .orThrow();
  }

  private static Json toJson(String id, LearnedModels.LearnedModel model) {
    String price = model.price().dollars().toPlainString();
    Json pricing = Json.object().put("prompt", price).put("completion", price).build();
    Json endpoint = Json.object().put("provider", PROVIDER).put("pricing", pricing).build();
    return Json.object()
        .put("id", id)
        .put("intelligence_score", Json.of(model.intelligenceScore()))
        .put("coding_score", Json.of(model.codingScore()))
        .put("endpoints", Json.array(endpoint))
        .build();
  }

  /** Adds the gateway's decision about a question to a tally. */
  void choose(RouterSettings.RouterSetting setting, Question question, ChoiceTally tally) {
    RoutePlan plan;
    try {
      plan =
          gateway
              .gateway()
              .routing()
              .explain(Dialect.CHAT, setting.body(question.prompt()), seed ^ question.idHash())
              .plan();
    } catch (GatewayException e) { // such as a prompt that no request may have
      tally.addRefusal(e.error().message());
      return;
    }
    switch (plan) {
      case RoutePlan.Attempts attempts -> {
        String id = attempts.candidates().getFirst().endpoint().model();
        String name = Objects.requireNonNull(namesById.get(id), id);
        tally.addChoice(name, question.outcome(name));
      }
      case RoutePlan.NoRoute none -> tally.addRefusal(none.error().message());
    }
  }

  @Override
  public void close() {
    gateway.close();
  }
}
