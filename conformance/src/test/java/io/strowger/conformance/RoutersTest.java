package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.RoutedGateway.TestResponse;
import io.strowger.core.config.Plugins;
import io.strowger.simulated.Script;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests requests for routers, with simulated providers. */
@DisplayName("A request for a router")
class RoutersTest {
  private static final Script RATE_LIMITED =
      Script.responding(
          429, Map.of("Retry-After", "60"), "{\"error\":{\"message\":\"slow down\"}}");

  private static String data(TestResponse response, String plugin, String name) {
    Json.Obj stage =
        Objects.requireNonNull(response.stage(plugin), () -> response.body().toString());
    return Objects.requireNonNull(
        Objects.requireNonNull(stage.object("data"), "data").text(name), name);
  }

  private static Json.Obj first(TestResponse response, String list) {
    return (Json.Obj) Objects.requireNonNull(response.metadata().list(list)).getFirst();
  }

  @Nested
  @DisplayName("that chooses by task")
  class Auto {
    @Proves({"plugins.pipeline.strategy", "plugins.auto.1"})
    @ParameterizedTest(name = "{0}")
    @CsvSource({"router/auto, auto-router", "router/auto-beta, auto-beta-router"})
    @DisplayName("is answered by a concrete model, with the reason in the metadata")
    void answered(String slug, String plugin) throws IOException {
      try (var routed = new RoutedGateway()) {
        TestResponse response =
            routed.post(
                RoutedGateway.chat(
                    slug,
                    "Debug this function: it throws a NullPointerException, fix the bug",
                    "'plugins':[{'id':'" + plugin + "','allowed_models':['acme/m*']}]"));
        assertThat(response.status()).as(response.body().toString()).isEqualTo(200);
        assertThat(response.text("model")).startsWith("acme/m");
        Json.Obj metadata = response.metadata();
        assertThat(metadata.text("requested")).isEqualTo(slug);
        assertThat(metadata.text("strategy")).isEqualTo("auto");
        assertThat(metadata.longValue("attempt", 0)).isEqualTo(1);
        assertThat(data(response, plugin, "task_type")).startsWith("code:");
        assertThat(first(response, "attempts").text("model")).isEqualTo(response.text("model"));
        assertThat(Objects.requireNonNull(metadata.object("endpoints")).longValue("total", 0))
            .isGreaterThanOrEqualTo(1);
      }
    }

    @Proves("plugins.auto.4")
    @Test
    @DisplayName("respects wildcards, tiers and exclusions")
    void wildcards() throws IOException {
      try (var routed = new RoutedGateway()) {
        String only =
            "'plugins':[{'id':'auto-router','cost_tier':'max','allowed_models':['*/m*'],"
                + "'excluded_models':['acme/m0']}]";
        assertThat(routed.ask("router/auto", only).text("model")).isEqualTo("acme/m1");
        String one = "'plugins':[{'id':'auto-router','allowed_models':['*/m3']}]";
        assertThat(routed.ask("router/auto", one).text("model")).isEqualTo("acme/m3");
      }
    }

    @Proves({"plugins.auto.6", "plugins.auto.AR-2"})
    @Test
    @DisplayName("gets a 404 in the contract's words if no model matches (AR-2)")
    void nothing() throws IOException {
      try (var routed = new RoutedGateway()) {
        TestResponse response =
            routed.ask(
                "router/auto", "'plugins':[{'id':'auto-router','allowed_models':['nobody/*']}]");
        assertThat(response.status()).isEqualTo(404);
        assertThat(response.message())
            .isEqualTo("No models match your request and model restrictions");
        assertThat(response.metadata().text("strategy")).isEqualTo("auto");
        assertThat(routed.alpha.requests() + routed.beta.requests()).isZero();
      }
    }

    @Proves({"plugins.auto.own-entry", "plugins.auto.AR-5"})
    @Test
    @DisplayName("depends only on the entry of the router's own plugin (AR-5)")
    void otherEntry() throws IOException {
      try (var routed = new RoutedGateway()) {
        String other = "'plugins':[{'id':'auto-router','allowed_models':['nobody/*']}]";
        assertThat(routed.ask("router/auto-beta", other).status()).isEqualTo(200);
      }
    }

    @Proves({"routing.fallback.fallbacks", "plugins.auto.5", "open.49"})
    @Test
    @DisplayName("continues with the next model if the first one fails")
    void fallback() throws IOException {
      try (var routed = new RoutedGateway()) {
        String members = "'plugins':[{'id':'auto-router','cost_quality_tradeoff':0}]";
        String best = routed.ask("router/auto", members).text("model");
        routed.alpha.script(best.substring(best.indexOf('/') + 1), Script.status(503));
        TestResponse response = routed.ask("router/auto", members);
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text("model")).startsWith("acme/").isNotEqualTo(best);
        assertThat(first(response, "attempts").longValue("status", 0)).isEqualTo(503);
        assertThat(response.metadata().longValue("attempt", 0)).isEqualTo(2);
      }
    }
  }

  @Nested
  @DisplayName("that chooses by coding score")
  class Pareto {
    @Proves("plugins.pareto.PA-1")
    @Test
    @DisplayName("gets the cheapest model of its tier")
    void tier() throws IOException {
      try (var routed = new RoutedGateway()) {
        TestResponse response = routed.ask("router/pareto-code", "");
        assertThat(response.text("model")).isEqualTo("acme/m2");
        assertThat(response.metadata().text("strategy")).isEqualTo("pareto");
        assertThat(data(response, "pareto-router", "tier")).isEqualTo("high");
        TestResponse low =
            routed.ask(
                "router/pareto-code", "'plugins':[{'id':'pareto-router','min_coding_score':0.4}]");
        assertThat(low.text("model")).isEqualTo("acme/m5");
        assertThat(data(low, "pareto-router", "tier")).isEqualTo("medium");
      }
    }

    @Proves({"error.404", "plugins.pareto.price-mode"})
    @Test
    @DisplayName("gets the best model within its price, and a 404 below every price")
    void price() throws IOException {
      try (var routed = new RoutedGateway()) {
        String at = "'plugins':[{'id':'pareto-router','max_price':%s}]";
        assertThat(routed.ask("router/pareto-code", at.formatted("7")).text("model"))
            .isEqualTo("acme/m2");
        assertThat(routed.ask("router/pareto-code", at.formatted("6.99")).text("model"))
            .isEqualTo("acme/m3");
        TestResponse nothing = routed.ask("router/pareto-code", at.formatted("0.4"));
        assertThat(nothing.status()).isEqualTo(404);
        assertThat(nothing.message())
            .isEqualTo(
                "No coding model that meets the request's constraints costs at most $0.4 per"
                    + " million input tokens");
      }
    }

    @Proves("plugins.pareto.PA-2")
    @Test
    @DisplayName("with :nitro gets the fastest model of its tier")
    void nitro() throws IOException {
      try (var routed = new RoutedGateway()) {
        TestResponse response = routed.ask("router/pareto-code:nitro", "");
        assertThat(response.status()).as(response.body().toString()).isEqualTo(200);
        assertThat(response.text("model")).isIn("acme/m0", "acme/m1", "acme/m2");
        assertThat(response.metadata().text("requested")).isEqualTo("router/pareto-code:nitro");
        assertThat(Objects.requireNonNull(response.stage("pareto-router")).text("summary"))
            .contains("fastest");
      }
    }

    @Proves("plugins.auto.4")
    @Test
    @DisplayName("respects the request's own preferences for providers")
    void preferences() throws IOException {
      try (var routed = new RoutedGateway()) {
        TestResponse response = routed.ask("router/pareto-code", "'provider':{'only':['beta']}");
        assertThat(response.text("model")).isEqualTo("acme/m5");
        assertThat(first(response, "attempts").text("provider")).isEqualTo("Beta");
      }
    }
  }

  @Proves("plugins.other.free")
  @Test
  @DisplayName("that chooses free models costs nothing")
  void free() throws IOException {
    try (var routed = new RoutedGateway()) {
      TestResponse response = routed.ask("router/free", "");
      assertThat(response.text("model")).isEqualTo("acme/gift:free");
      assertThat(response.metadata().text("strategy")).isEqualTo("free");
      assertThat(Objects.requireNonNull(response.body().object("usage")).get("cost"))
          .hasToString("0");
      TestResponse none = routed.ask("router/free", "'provider':{'only':['beta']}");
      assertThat(none.status()).isEqualTo(404);
      assertThat(none.message()).isEqualTo("No free model meets the request's constraints");
    }
  }

  @Nested
  @DisplayName("while some endpoint cools down")
  class Cooldowns {
    private void coolDown(RoutedGateway routed, String model) throws IOException {
      routed.alpha.script(model.substring(model.indexOf('/') + 1), RATE_LIMITED);
      assertThat(routed.ask(model, "").status()).isEqualTo(429);
    }

    @ParameterizedTest(name = "{0} with {1}")
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '"',
        value = {
          "router/auto | 'plugins':[{'id':'auto-router','allowed_models':['nobody/*']}]",
          "router/auto-beta | 'plugins':[{'id':'auto-beta-router','excluded_models':['*']}]",
          "router/pareto-code | 'plugins':[{'id':'pareto-router','max_price':0.4}]",
          "router/free | 'provider':{'only':['beta']}",
        })
    @DisplayName(
        "that the router could not choose, gets the same 404 as before, which names no provider")
    void unrelated(String slug, String members) throws IOException {
      try (var routed = new RoutedGateway()) {
        TestResponse without = routed.ask(slug, members);
        coolDown(routed, "acme/m0");
        TestResponse response = routed.ask(slug, members);
        assertThat(response.status()).isEqualTo(404).isEqualTo(without.status());
        assertThat(response.message()).isEqualTo(without.message()).doesNotContain("alpha", "m0");
        assertThat(response.error().toString()).doesNotContain("affected_providers");
      }
    }

    @Test
    @DisplayName("that is the only one it could choose, gets a 429 with the time to retry")
    void related() throws IOException {
      try (var routed = new RoutedGateway()) {
        routed.alpha.script("gift", RATE_LIMITED);
        coolDown(routed, "acme/m0");
        assertThat(routed.ask("acme/gift:free", "").status()).isEqualTo(429);
        TestResponse response = routed.ask("router/free", "");
        assertThat(response.status()).isEqualTo(429);
        assertThat(response.message()).contains("acme/gift:free").doesNotContain("m0");
        assertThat(response.error().toString()).contains("\"retry_after\":60");
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"router/auto", "acme/m0"})
  @DisplayName("with invalid settings of a plugin gets a 400 with their place, whatever its model")
  void badConfiguration(String model) throws IOException {
    try (var routed = new RoutedGateway()) {
      TestResponse response =
          routed.ask(
              model,
              "'plugins':[{'id':'web'},{'id':'auto-router','cost_tier':'tiny',"
                  + "'cost_quality_tradeoff':11}]");
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.message())
          .contains("/plugins/1/cost_tier: must be one of low")
          .contains(
              "/plugins/1/cost_quality_tradeoff: must be a whole number from 0 to 10, was 11");
      assertThat(routed.alpha.requests()).isZero();
    }
  }

  @Nested
  @DisplayName("of an account with saved defaults")
  class Defaults {
    private static final String SAVED =
        """
        { "defaults": [ { "id": "pareto-router", "max_price": 5.5 %s } ],
          "settings": { "pareto-router": { "high_tier": 95 } } }
        """;

    @Test
    @DisplayName("gets the defaults for the members that it does not set itself")
    void defaults() throws IOException {
      try (var routed = new RoutedGateway(SAVED.formatted(""), Plugins.none())) {
        assertThat(routed.ask("router/pareto-code", "").text("model")).isEqualTo("acme/m4");
        String own = "'plugins':[{'id':'pareto-router','max_price':8}]";
        assertThat(routed.ask("router/pareto-code", own).text("model")).isEqualTo("acme/m1");
      }
    }

    @Proves("plugins.common.prevent-overrides")
    @Test
    @DisplayName("cannot override the defaults if they prevent overrides")
    void last() throws IOException {
      String saved = SAVED.formatted(", \"prevent_overrides\": true");
      try (var routed = new RoutedGateway(saved, Plugins.none())) {
        String own = "'plugins':[{'id':'pareto-router','max_price':8}]";
        assertThat(routed.ask("router/pareto-code", own).text("model")).isEqualTo("acme/m4");
      }
    }

    @Proves("open.52")
    @Test
    @DisplayName("uses the tiers of the settings, until a reload changes them")
    void settings() throws IOException {
      String tiers = "{ \"settings\": { \"pareto-router\": { \"high_tier\": %d } } }";
      try (var routed = new RoutedGateway(tiers.formatted(95), Plugins.none())) {
        assertThat(routed.ask("router/pareto-code", "").text("model")).isEqualTo("acme/m0");
        routed.gateway.reload(routed.config(tiers.formatted(90)));
        assertThat(routed.ask("router/pareto-code", "").text("model")).isEqualTo("acme/m1");
      }
    }
  }
}
