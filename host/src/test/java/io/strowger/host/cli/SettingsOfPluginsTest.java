package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.host.server.ReloadResult;
import io.strowger.spi.error.Problem;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Settings of plugins in the configuration")
class SettingsOfPluginsTest {
  private static final String CONFIG =
      """
      { "providers": [ { "slug": "alpha", "protocol": "simulated", "base_url": "http://127.0.0.1:9/a" } ],
        "models": [
          { "id": "acme/best", "coding_score": 0.9, "endpoints": [
            { "provider": "alpha", "pricing": { "prompt": "0.000009", "completion": "0.000009" } } ] },
          { "id": "acme/good", "coding_score": 0.8, "endpoints": [
            { "provider": "alpha", "pricing": { "prompt": "0.000001", "completion": "0.000001" } } ] } ],
        "plugins": { "settings": { "pareto-router": %s } },
        "keys": [ { "name": "app", "key": "sk-app" } ] }
      """;
  private static final String REQUEST =
      """
      { "model": "router/pareto-code", "messages": [ { "role": "user", "content": "Hello?" } ] }
      """;

  @TempDir private Path folder;
  private final GatewayCommands commands = new GatewayCommands(Map.of());
  private Path config;

  @BeforeEach
  void write() throws IOException {
    config = settings("{}");
  }

  private Path settings(String text) throws IOException {
    return Files.writeString(folder.resolve("gateway.json"), CONFIG.formatted(text));
  }

  private String explainOutput() {
    GatewayCommands.Outcome outcome =
        commands.input(REQUEST).run("explain", "--config", config.toString(), "--seed", "1", "-");
    assertThat(outcome.err()).isEmpty();
    return outcome.out();
  }

  @Test
  @DisplayName("take effect in explain")
  void explain() throws IOException {
    assertThat(explainOutput()).contains("price 9.0000").doesNotContain("price 1.0000");
    settings("{ \"high_tier\": 80 }");
    assertThat(explainOutput().lines())
        .filteredOn(line -> line.contains("price "))
        .as("both are in the high tier now, the cheaper one comes first")
        .satisfiesExactly(
            first -> assertThat(first).contains("price 1.0000"),
            second -> assertThat(second).contains("price 9.0000"));
  }

  @Test
  @DisplayName(
      "are checked with the rest of the configuration, and each problem is reported with its place")
  void check() throws IOException {
    settings("{ \"high_tier\": 101, \"top\": 1 }");
    GatewayCommands.Outcome outcome = commands.run("check", "--config", config.toString());
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err())
        .contains(
            "/plugins/settings/pareto-router/high_tier: must be a whole number from 0 to 100, was"
                + " 101",
            "/plugins/settings/pareto-router/top: is not a setting; allowed: high_tier,"
                + " medium_tier, low_tier");
    settings("{ \"high_tier\": 70 }");
    assertThat(commands.run("check", "--config", config.toString()).err())
        .contains("/plugins/settings/pareto-router: must have 0 <= low < medium < high <= 100");
    settings("{ \"high_tier\": 71 }");
    GatewayCommands.Outcome good = commands.run("check", "--config", config.toString());
    assertThat(good.code()).isZero();
    assertThat(good.out()).doesNotContain("no effect");
  }

  @Test
  @DisplayName("are checked together with network and search, and appear in the summary")
  void sections() throws IOException {
    String sections =
        "\"network\": { \"allow_private\": [\"127.0.0.1\"] }, \"search\": %s, \"keys\": [";
    String text = CONFIG.formatted("{}");
    Files.writeString(
        config, text.replace("\"keys\": [", sections.formatted("{ \"engine\": 1 }") + "7, "));
    assertThat(commands.run("check", "--config", config.toString()).err())
        .contains("/keys/0: must be an object", "/search/engine: is not a setting");
    String unset =
        "{ \"engines\": [ { \"name\": \"house\", \"kind\": \"exa\", \"api_key\": \"${GONE}\" } ] }";
    Files.writeString(config, text.replace("\"keys\": [", sections.formatted(unset)));
    assertThat(commands.run("check", "--config", config.toString()).err())
        .containsOnlyOnce("/search/engines/0/api_key")
        .contains("GONE, which is not set");
    String engines =
        "{ \"engines\": [ { \"name\": \"house\", \"kind\": \"exa\", \"api_key\": \"hidden-word\" }"
            + " ] }";
    Files.writeString(config, text.replace("\"keys\": [", sections.formatted(engines)));
    GatewayCommands.Outcome good = commands.run("check", "--config", config.toString());
    assertThat(good.out())
        .contains("1: 127.0.0.1", "1: house (exa)", "pareto-router, web")
        .doesNotContain("hidden-word");
  }

  private static String ask(HttpClient http, URI api) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(api + "/chat/completions"))
            .POST(HttpRequest.BodyPublishers.ofString(REQUEST))
            .header("Authorization", "Bearer sk-app")
            .header("Content-Type", "application/json")
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test
  @DisplayName(
      "take effect in a server, survive a reload that is refused, and are needed by replay")
  void served() throws Exception {
    Path log = folder.resolve("decisions.log");
    settings("{ \"high_tier\": 80 }");
    var terminal = commands.context(new ByteArrayOutputStream(), new ByteArrayOutputStream());
    try (DecisionFile file = DecisionFile.open(log, TestAmbient.realTime());
        ServedGateway serving =
            ServedGateway.start(
                new ConfigFile(config, terminal),
                new ServedGateway.Options(null, 0, null, file.decisions()));
        HttpClient http = HttpClient.newHttpClient()) {
      assertThat(ask(http, serving.uri())).contains("\"model\":\"acme/good\"");
      settings("{ \"high_tier\": -1 }");
      assertThat(serving.reload())
          .isInstanceOfSatisfying(
              ReloadResult.Refused.class,
              refused ->
                  assertThat(refused.problems())
                      .extracting(Problem::toString)
                      .first()
                      .asString()
                      .startsWith("/plugins/settings/pareto-router/high_tier"));
      assertThat(ask(http, serving.uri())).contains("\"model\":\"acme/good\"");
    }
    assertThat(commands.run("replay", log.toString()).out()).contains("2 differ");
    settings("{ \"high_tier\": 80 }");
    GatewayCommands.Outcome same =
        commands.run("replay", "--settings", config.toString(), log.toString());
    assertThat(same.out()).contains("2 identical");
    assertThat(same.code()).isZero();
  }
}
