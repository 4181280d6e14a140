package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The command line")
class CommandsTest {
  static final String CONFIG =
      """
      { "providers": [
          { "slug": "alpha", "protocol": "openai-chat", "base_url": "http://127.0.0.1:9/alpha/v1", "api_key": "${UPSTREAM_KEY}" },
          { "slug": "beta", "protocol": "openai-chat", "base_url": "http://127.0.0.1:9/beta/v1" } ],
        "models": [
          { "id": "acme/large", "endpoints": [
            { "provider": "alpha", "tag": "alpha/fp16", "pricing": { "prompt": "0.000001", "completion": "0.000002" } },
            { "provider": "beta", "pricing": { "prompt": "0.000003", "completion": "0.000015" } } ] } ],
        "keys": [ { "name": "app", "key": "sk-app" }, { "name": "admin", "key": "sk-admin", "management": true } ] }
      """;
  private static final String REQUEST =
      """
      { "model": "acme/large", "messages": [ { "role": "user", "content": "Hello?" } ],
        "provider": { "ignore": [ "beta" ] } }
      """;

  @TempDir private Path folder;
  private final GatewayCommands commands =
      new GatewayCommands(Map.of("UPSTREAM_KEY", "upstream-secret"));
  private String config;

  @BeforeEach
  void write() throws IOException {
    config = file("gateway.json", CONFIG);
  }

  private String file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  private static Json.Obj json(String text) throws Exception {
    return (Json.Obj) new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo",
        "serve",
        "check",
        "explain",
        "replay",
        "catalog",
        "catalog import",
        "bench"
      })
  @DisplayName("has help on each command")
  void help(String command) {
    GatewayCommands.Outcome outcome = commands.run((command + " --help").split(" "));
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).startsWith("Usage: gateway " + command);
  }

  @Test
  @DisplayName("refers to the script that runs benchmarks, with the options that were given")
  void bench() {
    GatewayCommands.Outcome outcome =
        commands.run("bench", "decide", "--config", "gateway.json", "--request", "request.json");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("./gateway bench decide --config gateway.json --request request.json");
  }

  @Test
  @DisplayName("lists its commands and prints its version")
  void root() {
    assertThat(commands.run("--help").out())
        .contains("demo", "serve", "check", "explain", "replay", "catalog", "bench");
    assertThat(commands.run("--version").out()).startsWith("strowger ");
    assertThat(commands.run().code()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "check",
        "check --confg x",
        "serve --config x --port 70000",
        "serve --config x --port -1",
        "serve --config x --port x",
        "explain --config x --dialect speech r.json",
        "catalog import --from elsewhere f"
      })
  @DisplayName("exits with 2 on wrong usage, without a stack trace")
  void usage(String line) {
    GatewayCommands.Outcome outcome = commands.run(line.split(" "));
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).isNotBlank().doesNotContain("\tat ", "Exception");
  }

  @ParameterizedTest
  @CsvSource({
    "check --confg x, --confg, --config",
    "serve --conf x --port 1, --conf, --config",
    "serve --config x --ports 1, --ports, --port",
    "explain --config x --sead 1 r.json, --sead, --seed",
    "replay --jsn log, --jsn, --json"
  })
  @DisplayName("suggests the option that was probably meant by a misspelt one")
  void misspelt(String line, String given, String meant) {
    GatewayCommands.Outcome outcome = commands.run(line.split(" "));
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err())
        .isEqualToNormalizingNewlines(
            "Unknown option: '" + given + "'\nPossible solutions: " + meant + "\n");
  }

  @Nested
  @DisplayName("check")
  class Check {
    @Test
    @DisplayName("sums up a good configuration")
    void good() {
      GatewayCommands.Outcome outcome = commands.run("check", "--config", config);
      assertThat(outcome.code()).isZero();
      assertThat(outcome.out())
          .contains("is valid", "alpha (openai-chat)", "acme/large", "admin (management)")
          .doesNotContain("secret", "sk-app");
    }

    @ParameterizedTest
    @CsvSource({
      "response-healing, '', true",
      "response-healing, '\"prevent_overrides\": true', false",
      "response-healing, '\"enabled\": false', false",
      "auto-router, '', false"
    })
    @DisplayName("notes an interceptor of the defaults that a request may switch off")
    void optionalDefault(String id, String member, boolean noted) throws IOException {
      String entry = "{ \"id\": \"" + id + "\"" + (member.isEmpty() ? "" : ", " + member) + " }";
      String defaults =
          CONFIG.replaceFirst("\\{", "{ \"plugins\": { \"defaults\": [ " + entry + " ] },");
      GatewayCommands.Outcome outcome =
          commands.run("check", "--config", file("defaults.json", defaults));
      assertThat(outcome.code()).as(outcome.err()).isZero();
      assertThat(outcome.out().contains("note: plugins.defaults: a request may switch " + id))
          .isEqualTo(noted);
    }

    @Test
    @DisplayName("reports an unknown protocol, and how to load an adapter from a jar")
    void unknownProtocol() throws IOException {
      String unknown = CONFIG.replaceFirst("openai-chat", "acme-prompt");
      GatewayCommands.Outcome outcome =
          commands.run("check", "--config", file("unknown.json", unknown));
      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.err())
          .contains("/providers/0/protocol: must be one of ")
          .contains("to load jars, set --plugins or plugins_dir, was \"acme-prompt\"");
    }

    @Test
    @DisplayName("names every problem with its place, and exits with 1")
    void bad() throws IOException {
      String bad = file("bad.json", "{ \"providers\": 1, \"modls\": [] }");
      GatewayCommands.Outcome outcome = commands.run("check", "--config", bad);
      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.out()).isEmpty();
      assertThat(outcome.err().lines())
          .anySatisfy(line -> assertThat(line).contains("/providers: "))
          .anySatisfy(line -> assertThat(line).contains("/models: "))
          .anySatisfy(line -> assertThat(line).contains("/modls: "));
    }

    @Test
    @DisplayName("reports by line and column where a file is not JSON, without revealing a secret")
    void brokenJson() throws IOException {
      String bad = file("bad.json", CONFIG.replace("\"sk-app\" }", "\"sk-app\" ]"));
      GatewayCommands.Outcome outcome = commands.run("check", "--config", bad);
      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.err().lines())
          .containsExactly(
              "gateway: " + bad + " has a problem",
              "  is not JSON at line 8, column 46: expected ',' or '}', found ']'");
    }

    @Test
    @DisplayName("names an environment variable that is not set")
    void variable() {
      GatewayCommands.Outcome outcome =
          new GatewayCommands(Map.of()).run("check", "--config", config);
      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.err()).contains("/providers/0/api_key", "UPSTREAM_KEY");
    }

    @Test
    @DisplayName("reports a missing file in one sentence")
    void noFile() {
      GatewayCommands.Outcome outcome =
          commands.run("check", "--config", folder.resolve("none").toString());
      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.err())
          .isEqualToIgnoringNewLines(
              "gateway: cannot read " + folder.resolve("none") + ": no such file or directory");
    }
  }

  @Nested
  @DisplayName("explain")
  class Explain {
    @Test
    @DisplayName("shows as a table which endpoints would be tried and which were dropped")
    void table() throws IOException {
      GatewayCommands.Outcome outcome =
          commands.run("explain", "--config", config, "--seed", "7", file("r.json", REQUEST));
      assertThat(outcome.code()).isZero();
      assertThat(outcome.out())
          .startsWith("acme/large · direct · seed 7 · catalog ")
          .contains("alpha/fp16", "dropped by provider.ignore");
      assertThat(outcome.err()).isEmpty();
    }

    @Test
    @DisplayName("writes the same decision as JSON, and reads the request from standard input")
    void asJson() throws Exception {
      Json.Obj decision =
          json(
              commands
                  .input(REQUEST)
                  .run("explain", "--config", config, "--seed", "7", "--json", "-")
                  .out());
      assertThat(decision.get("seed")).isEqualTo(Json.of(7));
      assertThat(decision.text("strategy")).isEqualTo("direct");
      assertThat(decision.get("error")).isEqualTo(Json.NULL);
      assertThat(decision.list("attempts"))
          .containsExactly(
              Json.object()
                  .put("model", "acme/large")
                  .put("provider", "alpha")
                  .put("tag", "alpha/fp16")
                  .put("rank", 0)
                  .put("byok", Json.NULL)
                  .put("probe", false)
                  .put("by", "price")
                  .put("score", Json.of(new BigDecimal("5000000.0")))
                  .build());
      assertThat(decision.list("excluded"))
          .singleElement()
          .satisfies(
              dropped -> {
                assertThat(((Json.Obj) dropped).text("provider")).isEqualTo("beta");
                assertThat(((Json.Obj) dropped).text("rule")).isEqualTo("provider.ignore");
              });
    }

    @Test
    @DisplayName("decides the same for the same seed")
    void seeded() throws IOException {
      String request = file("r.json", REQUEST.replace("\"beta\"", ""));
      String first =
          commands.run("explain", "--config", config, "--seed", "3", "--json", request).out();
      assertThat(
              commands.run("explain", "--config", config, "--seed", "3", "--json", request).out())
          .isEqualTo(first);
    }

    @Test
    @DisplayName(
        "shows the error that the request would get when no endpoint is left, and exits with 0")
    void noEndpointLeft() throws Exception {
      String request = file("r.json", REQUEST.replace("\"beta\"", "\"alpha\", \"beta\""));
      GatewayCommands.Outcome outcome =
          commands.run("explain", "--config", config, "--json", request);
      assertThat(outcome.code()).isZero();
      Json.Obj decision = json(outcome.out());
      assertThat(decision.list("attempts")).isEmpty();
      assertThat(String.valueOf(decision.get("error"))).contains("\"code\": 404");
    }

    @Test
    @DisplayName("names every problem of a bad request, and exits with 1")
    void badRequest() throws IOException {
      String request = file("r.json", "{ \"model\": 1, \"messages\": [], \"temperature\": 9 }");
      GatewayCommands.Outcome outcome = commands.run("explain", "--config", config, request);
      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.err()).contains("/model: ", "/messages: ", "/temperature: ");
    }

    @Test
    @DisplayName("decides for a request in the messages dialect")
    void messages() throws Exception {
      String request =
          """
          { "model": "acme/large", "max_tokens": 10, "system": "Be brief.",
            "messages": [ { "role": "user", "content": [ { "type": "text", "text": "Hello?" } ] } ],
            "provider": { "order": [ "beta" ] } }
          """;
      GatewayCommands.Outcome outcome =
          commands.run(
              "explain", "--config", config, "--dialect", "messages", file("m.json", request));
      assertThat(outcome.code()).isZero();
      assertThat(outcome.out()).contains("order 1", "alpha/fp16");
      String bad = file("bad.json", request.replace("\"Be brief.\"", "5"));
      GatewayCommands.Outcome refused =
          commands.run("explain", "--config", config, "--dialect", "messages", bad);
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.err()).contains("/system: ");
    }
  }

  @Test
  @DisplayName("refuses a demo over a price list without a model")
  void demoWithoutModels() throws IOException {
    GatewayCommands.Outcome outcome = commands.run("demo", "--catalog", file("list.json", "{}"));
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err()).contains("list.json has no model").doesNotContain("Exception");
  }

  @Nested
  @DisplayName("catalog import")
  class CatalogImport {
    private static final String LIST =
        """
        { "alpha": { "id": "alpha", "name": "Alpha", "api": "https://alpha.example/v1", "models": {
            "large": { "id": "large", "name": "Large", "cost": { "input": 1, "output": 2 }, "limit": { "context": 1000, "output": 100 } } } } }
        """;

    @Test
    @DisplayName("makes a configuration that check accepts")
    void roundTrip() throws IOException {
      String out = folder.resolve("imported.json").toString();
      GatewayCommands.Outcome outcome =
          commands.run(
              "catalog",
              "import",
              "--from",
              "models-dev",
              "--all",
              "--out",
              out,
              file("list.json", LIST));
      assertThat(outcome.err()).contains("1 model, 1 endpoint of 1 provider");
      assertThat(outcome.code()).isZero();
      assertThat(commands.run("check", "--config", out).code()).isZero();
    }

    @Test
    @DisplayName(
        "writes the configuration to standard output if no file is named, and its summary to"
            + " standard error")
    void toStandardOutput() throws Exception {
      GatewayCommands.Outcome outcome =
          commands.run(
              "catalog", "import", "--from", "models-dev", "--all", file("list.json", LIST));
      assertThat(json(outcome.out()).list("models")).hasSize(1);
      assertThat(outcome.err()).contains("1 model, 1 endpoint of 1 provider");
    }

    @ParameterizedTest
    @ValueSource(strings = {"price-map", "litellm"})
    @DisplayName("reads a price map by either name")
    void priceMap(String form) throws IOException {
      String list =
          file(
              "map.json",
              "{ \"acme/large\": { \"litellm_provider\": \"acme\", \"mode\": \"chat\","
                  + " \"input_cost_per_token\": 1e-6, \"output_cost_per_token\": 2e-6 } }");
      String out = folder.resolve("map-out.json").toString();
      assertThat(
              commands.run("catalog", "import", "--from", form, "--all", "--out", out, list).code())
          .isZero();
      assertThat(commands.run("check", "--config", out).out()).contains("1: acme/large");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{", "3"})
    @DisplayName("refuses a document that is not such a list, in one sentence")
    void noList(String content) throws IOException {
      GatewayCommands.Outcome outcome =
          commands.run("catalog", "import", "--from", "models-dev", file("list.json", content));
      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.out()).isEmpty();
      assertThat(outcome.err()).startsWith("gateway: ").doesNotContain("\tat ");
    }
  }
}
