package io.strowger.benchmarks.quality;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A configuration with a model for each learned one, served by one endpoint with its price. Its ids
 * are numbers in the order of the names, because a name in a file may be no valid id.
 */
final class LearnedCatalog {
  private static final String PROVIDER = "recorded";

  private final Map<String, String> namesById = new HashMap<>();
  private final List<Json> models = new ArrayList<>();

  LearnedCatalog(LearnedModels learned) {
    List<LearnedModel> byName =
        learned.models().stream().sorted(Comparator.comparing(LearnedModel::name)).toList();
    for (int i = 0; i < byName.size(); i++) {
      String id = "%s/model-%05d".formatted(PROVIDER, i);
      namesById.put(id, byName.get(i).name());
      models.add(toJson(id, byName.get(i)));
    }
  }

  private static Json toJson(String id, LearnedModel model) {
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

  GatewayConfig config() {
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

  /** Returns the name in the file of a model of the catalog. */
  String name(String id) {
    return Objects.requireNonNull(namesById.get(id), id);
  }
}
