package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.decisionlog.DecisionLogWriter;
import io.strowger.core.decisionlog.LoggedDecision;
import io.strowger.core.health.Statistics;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.ModelRef;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The command replay")
class ReplayTest {
  private static final String CONFIG =
      """
      { "providers": [
          { "slug": "alpha", "protocol": "simulated", "base_url": "http://127.0.0.1:9/a" },
          { "slug": "beta", "protocol": "simulated", "base_url": "http://127.0.0.1:9/b" } ],
        "models": [
          { "id": "acme/large", "endpoints": [
            { "provider": "alpha", "pricing": { "prompt": "0.000001", "completion": "0.000002" } },
            { "provider": "beta", "pricing": { "prompt": "0.000001", "completion": "0.000003" } } ] } ],
        "keys": [ { "name": "app", "key": "sk-app" } ] }
      """;

  @TempDir private Path folder;
  private final GatewayCommands commands = new GatewayCommands(Map.of());
  private final Ambient ambient = TestAmbient.realTime();
  private Path log;
  private Path config;

  @BeforeEach
  void writeConfig() throws IOException {
    log = folder.resolve("decisions.log");
    config = Files.writeString(folder.resolve("gateway.json"), CONFIG);
  }

  private static void ask(HttpClient http, URI api, String model) throws Exception {
    String body =
        """
        { "model": "%s", "messages": [ { "role": "user", "content": "Hello?" } ] }
        """
            .formatted(model);
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(api + "/chat/completions"))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .header("Authorization", "Bearer sk-app")
                .header("Content-Type", "application/json")
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 400);
  }

  /** Serves 21 requests and logs their decisions, over two catalogs. */
  private void serveRequests() throws Exception {
    var terminal = commands.context(new ByteArrayOutputStream(), new ByteArrayOutputStream());
    try (DecisionFile file = DecisionFile.open(log, ambient);
        ServedGateway serving =
            ServedGateway.start(
                new ConfigFile(config, terminal),
                new ServedGateway.Options(null, 0, null, file.decisions()));
        HttpClient http = HttpClient.newHttpClient()) {
      for (int i = 0; i < 10; i++) {
        ask(http, serving.uri(), "acme/large");
      }
      ask(http, serving.uri(), "acme/nothing");
      Files.writeString(config, CONFIG.replace("0.000003", "0.000009"));
      serving.reload();
      for (int i = 0; i < 10; i++) {
        ask(http, serving.uri(), "acme/large");
      }
    }
  }

  @Test
  @DisplayName("finds the decisions of a server identical, across a change of its catalog")
  void identical() throws Exception {
    serveRequests();
    GatewayCommands.Outcome outcome = commands.run("replay", log.toString());
    assertThat(outcome.out())
        .contains("21 decisions over 2 catalogs and ")
        .contains("21 identical");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
    assertThat(commands.run("replay", "--settings", config.toString(), log.toString()).code())
        .isZero();
  }

  @Test
  @DisplayName("reports what other preferences change, in decisions, money and latency")
  void whatIf() throws Exception {
    serveRequests();
    String ignore = "{\"sort\":\"price\",\"ignore\":[\"alpha\"]}";
    GatewayCommands.Outcome outcome =
        commands.run("replay", log.toString(), "--what-if", ignore, "--show", "1");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .contains(": 21 decisions", "acme/large@alpha", "1 unchanged")
        .contains("What cannot be known", "cheapest", "first listed")
        .containsOnlyOnce("then ");
    assertThat(outcome.out().lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
    Json.Obj report =
        (Json.Obj)
            new JacksonCodec()
                .parse(
                    commands
                        .run("replay", log.toString(), "--what-if", ignore, "--json")
                        .out()
                        .getBytes(StandardCharsets.UTF_8));
    assertThat(report.longValue("decisions", -1)).isEqualTo(21);
    assertThat(report.longValue("priced", -1)).as("all but the refusal have a usage").isEqualTo(20);
  }

  @Test
  @DisplayName("reports what another configuration changes")
  void otherConfig() throws Exception {
    serveRequests();
    // the log has two catalogs: beta costs 0.000003 in the first and 0.000009 in the second
    String cheap = CONFIG.replace("0.000003", "0.0000001");
    Path other = Files.writeString(folder.resolve("other.yaml"), cheap);
    GatewayCommands.Outcome outcome =
        commands.run(
            "replay",
            log.toString(),
            "--config",
            other.toString(),
            "--what-if",
            "{\"sort\":\"price\"}");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .contains("acme/large@beta", "those of the new configuration")
        .doesNotContain("not comparable");
  }

  @Test
  @DisplayName(
      "refuses preferences that no request could have, and names each problem with its place")
  void wrongPreferences() throws Exception {
    serveRequests();
    GatewayCommands.Outcome problems =
        commands.run("replay", log.toString(), "--what-if", "{\"sort\":\"beauty\"}");
    assertThat(problems.code()).isEqualTo(1);
    assertThat(problems.err()).contains("--what-if has a problem", "/sort: must be");
    assertThat(commands.run("replay", log.toString(), "--what-if", "sort").err())
        .contains("--what-if must be a JSON object");
    assertThat(commands.run("replay", "--show", "-1", log.toString()).code()).isEqualTo(2);
    assertThat(
            commands
                .run("replay", "--config", config.toString(), "--settings", "x", log.toString())
                .code())
        .isEqualTo(2);
  }

  @Test
  @DisplayName("reports where a log is damaged, and exits with 1")
  void damaged() throws Exception {
    serveRequests();
    byte[] content = Files.readAllBytes(log);
    content[content.length - 5] ^= 1;
    Files.write(log, content);
    GatewayCommands.Outcome outcome = commands.run("replay", log.toString());
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out()).contains("bytes are damaged", "20 identical", "1 damaged");
    GatewayCommands.Outcome whatIf = commands.run("replay", log.toString(), "--what-if", "{}");
    assertThat(whatIf.code()).isEqualTo(1);
    assertThat(whatIf.out())
        .contains("20 unchanged (100.0 %)", "1 place of the log cannot be read");
  }

  private void write(List<LoggedDecision> decisions) throws IOException {
    try (var writer = DecisionLogWriter.open(log, ambient)) {
      decisions.forEach(writer::accept);
    }
  }

  /** Returns a wrong decision: that no endpoint can serve the request. */
  private static LoggedDecision wrongDecision(List<RouterStep> routers) {
    Catalog catalog =
        ConfigReader.standard().read(CONFIG.getBytes(StandardCharsets.UTF_8)).orThrow().catalog();
    RoutingQuery query =
        RoutingQuery.builder(catalog.version())
            .models(List.of(ModelRef.parse("acme/large")))
            .routers(routers)
            .build();
    return new LoggedDecision(
        "gen-wrong",
        catalog,
        Statistics.NONE,
        query,
        new RoutePlan.NoRoute(GatewayError.of(ErrorCode.NO_ENDPOINTS), List::of),
        new LoggedDecision.Ending(List.of(), CallRecord.Outcome.ERROR, ErrorCode.NO_ENDPOINTS));
  }

  @Test
  @DisplayName("shows what a decision was and what it is now, and exits with 1")
  void different() throws Exception {
    write(List.of(wrongDecision(List.of())));
    GatewayCommands.Outcome outcome = commands.run("replay", log.toString());
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out())
        .contains("gen-wrong is decided differently", "then NO_ENDPOINTS", "now  acme/large@")
        .contains(": 1 decision over 1 catalog and 0 statistics snapshots")
        .contains("0 identical, 1 different");
    assertThat(outcome.out().lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
  }

  @Test
  @DisplayName("reports a router that is not installed, instead of a difference")
  void plugin() throws Exception {
    write(
        List.of(
            wrongDecision(
                List.of(
                    new RouterStep(
                        "house", "2.1", RouterStep.EVERY_REQUEST, Json.Obj.EMPTY, Json.NULL)))));
    GatewayCommands.Outcome outcome = commands.run("replay", log.toString());
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out())
        .contains("gen-wrong was decided with house 2.1, which is not installed")
        .contains("0 different, 1 not comparable");
  }

  @Test
  @DisplayName("writes the report as JSON with both plans, and the number of findings left out")
  void json() throws Exception {
    LoggedDecision wrong = wrongDecision(List.of());
    write(Collections.nCopies(60, wrong));
    GatewayCommands.Outcome outcome = commands.run("replay", "--json", log.toString());
    var report =
        (Json.Obj) new JacksonCodec().parse(outcome.out().getBytes(StandardCharsets.UTF_8));
    assertThat(report.get("clean")).isEqualTo(Json.FALSE);
    assertThat(report.get("different")).isEqualTo(Json.of(60));
    assertThat(report.get("findings_left_out")).isEqualTo(Json.of(10));
    assertThat(report.list("findings")).hasSize(50);
    assertThat(outcome.out())
        .contains("\"refused\":\"NO_ENDPOINTS\"", "\"candidates\":[{\"endpoint\":\"acme/large@");
  }

  @Test
  @DisplayName("reports in a sentence that a file does not exist, or is no log")
  void none() throws Exception {
    GatewayCommands.Outcome missing = commands.run("replay", folder.resolve("none").toString());
    assertThat(missing.code()).isEqualTo(1);
    assertThat(missing.err()).contains("no such file");
    GatewayCommands.Outcome foreign = commands.run("replay", config.toString());
    assertThat(foreign.code()).isEqualTo(1);
    assertThat(foreign.out()).contains("is not a decision log");
  }

  @Test
  @DisplayName("reads only decision logs, and serve overwrites no file that is not one")
  void serveElsewhere() throws Exception {
    GatewayCommands.Outcome outcome =
        commands.run("serve", "--config", config.toString(), "--decisions", config.toString());
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err()).contains("exists and is not a decision log");
    assertThat(config).hasContent(CONFIG);
  }
}
