package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The command init")
class InitTest {
  private static final Pattern KEY = Pattern.compile("shown this once: (sk-[A-Za-z0-9_-]{32})");

  @TempDir private Path folder;

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private static String key(GatewayCommands.Outcome outcome) {
    Matcher key = KEY.matcher(outcome.out());
    assertThat(key.find()).as(outcome.out() + outcome.err()).isTrue();
    return key.group(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gateway.json", "gateway.yaml", "gateway.yml"})
  @DisplayName(
      "writes a configuration for the provider keys that it finds, without the keys, that check"
          + " accepts")
  void keys(String name) throws Exception {
    var commands =
        new GatewayCommands(
            Map.of(
                "OPENAI_API_KEY", "secret-openai",
                "ANTHROPIC_API_KEY", "secret-anthropic",
                "GOOGLE_API_KEY", "secret-google",
                "GROQ_API_KEY", "secret-groq",
                "CEREBRAS_API_KEY", "secret-cerebras",
                "VENICE_API_KEY", "secret-venice",
                "MISTRAL_API_KEY", "",
                "XAI_API_KEY", "no key at all"));
    GatewayCommands.Outcome outcome = commands.run("init", "--out", path(name));
    assertThat(outcome.code()).as(outcome.err()).isZero();
    String file = Files.readString(folder.resolve(name));
    assertThat(file)
        .contains("${OPENAI_API_KEY}", "${ANTHROPIC_API_KEY}", "${GOOGLE_API_KEY}", "key_sha256")
        .doesNotContain(key(outcome), "secret-", "MISTRAL", "XAI_API_KEY", "VENICE", "simulated");
    assertThat(outcome.out())
        .contains(
            "Keys found: ANTHROPIC_API_KEY, CEREBRAS_API_KEY, GOOGLE_API_KEY, GROQ_API_KEY,"
                + " OPENAI_API_KEY",
            "2 providers offer this one",
            "catalog import --only: VENICE_API_KEY",
            "./gateway serve --config " + path(name),
            "curl http://127.0.0.1:8080/api/v1/chat/completions")
        .doesNotContain("secret-");
    assertThat(outcome.out().lines().filter(line -> line.contains(key(outcome))))
        .as("the line that shows the key, and the request to run")
        .hasSize(2);
    GatewayCommands.Outcome checked = commands.run("check", "--config", path(name));
    assertThat(checked.err()).isEmpty();
    assertThat(checked.out()).contains("5: openai (openai-chat), anthropic (anthropic-messages)");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name))))
        .isEqualTo("rw-------");
  }

  @Test
  @DisplayName("explains each part in comments of the YAML it writes")
  void comments() throws Exception {
    assertThat(new GatewayCommands(Map.of()).run("init", "--out", path("g.yaml")).code()).isZero();
    assertThat(Files.readString(folder.resolve("g.yaml")))
        .contains(
            "# Where the gateway listens",
            "# Who answers. No key of a vendor was found, so these two are simulated",
            "# What callers may ask for",
            "# Who may call",
            "# The dialect it speaks",
            "# What that provider calls it",
            "# The most US dollars the key may spend");
  }

  @Test
  @DisplayName("without a key writes simulated providers, which serve at once")
  void simulated() throws Exception {
    var commands = new GatewayCommands(Map.of());
    GatewayCommands.Outcome outcome = commands.run("init", "--out", path("gateway.json"));
    assertThat(outcome.out())
        .contains("No key of a vendor is in the environment", "which says, as YAML:");
    var context = commands.context(new ByteArrayOutputStream(), new ByteArrayOutputStream());
    var options = new ServedGateway.Options(null, 0, null, null);
    Matcher body = Pattern.compile("-d '(.*)'").matcher(outcome.out());
    assertThat(body.find()).isTrue();
    try (ServedGateway serving =
            ServedGateway.start(new ConfigFile(folder.resolve("gateway.json"), context), options);
        HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create(serving.uri() + "/chat/completions"))
                  .POST(HttpRequest.BodyPublishers.ofString(body.group(1)))
                  .header("Authorization", "Bearer " + key(outcome))
                  .header("Content-Type", "application/json")
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(answer.body()).contains("\"model\":\"acme/large\"");
    }
  }

  @Test
  @DisplayName("makes another key each time, and does not overwrite a file")
  void again() throws Exception {
    var commands = new GatewayCommands(Map.of());
    GatewayCommands.Outcome first = commands.run("init", "--out", path("a.json"));
    GatewayCommands.Outcome second = commands.run("init", "--out", path("b.json"));
    assertThat(key(first)).isNotEqualTo(key(second));
    String before = Files.readString(folder.resolve("a.json"));
    GatewayCommands.Outcome refused = commands.run("init", "--out", path("a.json"));
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("a.json exists already", "--out");
    assertThat(Files.readString(folder.resolve("a.json"))).isEqualTo(before);
    assertThat(commands.run("init", "--yaml", "--out", path("c.json")).err())
        .contains(".yaml or .yml");
    assertThat(commands.run("init", "--out", path("no/c.json")).err()).contains("cannot write");
  }
}
