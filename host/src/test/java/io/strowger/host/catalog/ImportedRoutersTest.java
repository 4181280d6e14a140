package io.strowger.host.catalog;

import static io.strowger.host.catalog.ImportJson.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.strowger.core.Routing;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.routing.RoutePlan;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.routing.TraceEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Over the imported public price list")
class ImportedRoutersTest {
  private static final String SCORES =
      """
      {'anthropic/claude-fable-5': {'intelligence': 0.99, 'coding': 0.93},
       'anthropic/claude-opus-4-8': {'intelligence': 0.98, 'coding': 0.97},
       'openai/gpt-5.5': {'intelligence': 0.97, 'coding': 0.95},
       'google/gemini-3.5-flash': {'intelligence': 0.85, 'coding': 0.86},
       'deepseek/deepseek-v4-flash': {'intelligence': 0.70, 'coding': 0.72}}
      """;

  private ImportResult bare;

  @BeforeEach
  void read() throws IOException {
    String file = System.getProperty("strowger.catalog", "");
    assumeTrue(!file.isEmpty(), "no -Dstrowger.catalog");
    bare = CatalogImport.MODELS_DEV.read(ImportJson.parsed(Files.readAllBytes(Path.of(file))));
  }

  private ImportResult scored() {
    return Scores.read(json(SCORES)).applyTo(bare);
  }

  private static Routing.Explanation explain(ImportResult imported, String model, String plugins) {
    String body =
        "{'model':'%s','messages':[{'role':'user','content':'Hello?'}],'plugins':[%s]}"
            .formatted(model, plugins)
            .replace('\'', '"');
    try (var running = RunningGateway.open(ImportJson.config(imported), new SystemAmbient())) {
      return running
          .gateway()
          .routing()
          .explain(Dialect.CHAT, body.getBytes(StandardCharsets.UTF_8), 7);
    }
  }

  /**
   * Returns the planned models in the order of the attempts. Asserts that the provider of the first
   * attempt has a key and a real address.
   */
  private List<String> models(Routing.Explanation decision) {
    assertThat(decision.plan()).isInstanceOf(RoutePlan.Attempts.class);
    String first =
        ((RoutePlan.Attempts) decision.plan()).candidates().getFirst().endpoint().provider().slug();
    assertThat(ImportJson.config(bare).providers())
        .filteredOn(provider -> provider.slug().equals(first))
        .singleElement()
        .satisfies(it -> assertThat(it.credential().isEmpty()).isFalse())
        .satisfies(it -> assertThat(it.baseUri().getHost()).doesNotEndWith(".invalid"));
    return ((RoutePlan.Attempts) decision.plan())
        .candidates().stream().map(candidate -> candidate.endpoint().model()).distinct().toList();
  }

  private List<String> auto(String tier) {
    return models(
        explain(scored(), "router/auto", "{'id':'auto-router','cost_tier':'" + tier + "'}"));
  }

  @Test
  @DisplayName(
      "router/auto chooses the cheapest model with a score at cost tier low and the dearest at max")
  void auto() {
    assertThat(auto("low")).containsExactly("deepseek/deepseek-v4-flash");
    assertThat(auto("max")).containsExactly("anthropic/claude-fable-5");
    assertThat(models(explain(scored(), "router/auto", "")))
        .containsExactly("deepseek/deepseek-v4-flash");
  }

  @Test
  @DisplayName(
      "router/pareto-code chooses the cheapest of the good coders, or the best one below a maximum"
          + " price")
  void pareto() {
    assertThat(models(explain(scored(), "router/pareto-code", "")))
        .startsWith("google/gemini-3.5-flash");
    assertThat(
            models(explain(scored(), "router/pareto-code", "{'id':'pareto-router','max_price':5}")))
        .startsWith("anthropic/claude-opus-4-8");
  }

  @Test
  @DisplayName("without scores the routers report that no model has one")
  void withoutScores() {
    assertThat(explain(bare, "router/auto", "").trace())
        .filteredOn(TraceEntry.Routed.class::isInstance)
        .singleElement()
        .satisfies(
            routed ->
                assertThat(((TraceEntry.Routed) routed).reason())
                    .startsWith(
                        "the cheapest, because none that may be used has an intelligence_score"));
    RoutePlan plan = explain(bare, "router/pareto-code", "").plan();
    assertThat(((RoutePlan.NoRoute) plan).error().message())
        .contains("No model of the configuration has a coding_score");
  }
}
