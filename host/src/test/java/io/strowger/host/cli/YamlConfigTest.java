package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A configuration in YAML")
class YamlConfigTest {
  private static final String CONFIG =
      """
      # two providers of one model
      providers:
        - slug: alpha
          protocol: openai-chat
          base_url: http://127.0.0.1:9/alpha/v1
          api_key: ${UPSTREAM_KEY}
        - { slug: beta, protocol: openai-chat, base_url: "http://127.0.0.1:9/beta/v1" }
      models:
        - id: acme/large
          endpoints:
            - provider: alpha
              pricing: { prompt: "0.000001", completion: "0.000002" }
            - provider: beta
              pricing: { prompt: "0.000003", completion: "0.000015" }
      keys:
        - { name: app, key: sk-app }
      """;

  @TempDir private Path folder;
  private final GatewayCommands commands =
      new GatewayCommands(Map.of("UPSTREAM_KEY", "upstream-secret"));

  private String file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  private static String json(String yaml) throws YamlDocument.UnreadableException {
    byte[] content = yaml.getBytes(StandardCharsets.UTF_8);
    return new String(YamlDocument.parse(content).json(), StandardCharsets.UTF_8);
  }

  private static String problem(String yaml) {
    var thrown = catchThrowableOfType(YamlDocument.UnreadableException.class, () -> json(yaml));
    return thrown.problem().toString();
  }

  @ParameterizedTest
  @CsvSource({"gateway.yaml", "gateway.yml", "GATEWAY.YAML"})
  @DisplayName("is read by every command that reads a configuration")
  void commands(String name) throws IOException {
    String config = file(name, CONFIG);
    GatewayCommands.Outcome checked = commands.run("check", "--config", config);
    assertThat(checked.err()).isEmpty();
    assertThat(checked.out()).contains("is valid", "2: alpha (openai-chat), beta", "1: acme/large");
    String request =
        file(
            "r.json",
            "{\"model\":\"acme/large\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}");
    GatewayCommands.Outcome explained =
        commands.run("explain", "--config", config, "--seed", "1", request);
    assertThat(explained.out()).contains("alpha", "beta");
    assertThat(commands.run("nodes", "--config", config).err()).contains("is in memory");
    assertThat(commands.run("lines", "--config", config).err()).contains("is in memory");
  }

  @Test
  @DisplayName("has its problems named by pointer and line, without secrets")
  void problems() throws IOException {
    String bad =
        CONFIG
            .replace("protocol: openai-chat\n", "protocol: tin-can\n")
            .replace("name: app", "nme: app");
    GatewayCommands.Outcome outcome = commands.run("check", "--config", file("bad.yaml", bad));
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err().lines())
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("/providers/0/protocol: must be one of")
                    .endsWith("was \"tin-can\" (line 4)"))
        .anySatisfy(line -> assertThat(line).contains("/keys/0/nme: ").endsWith("(line 16)"))
        .as("a missing member is reported where its object begins")
        .anySatisfy(line -> assertThat(line).contains("/keys/0/name: ").endsWith("(line 16)"));
    assertThat(outcome.err()).doesNotContain("sk-app", "upstream-secret");
    GatewayCommands.Outcome store = commands.run("nodes", "--config", file("bad2.yaml", bad));
    assertThat(store.err()).contains("/keys/0/nme: ", "(line 16)");
  }

  @Test
  @DisplayName("that is not valid YAML is reported by line and column, without quoting it")
  void broken() throws IOException {
    String bad = file("bad.yaml", CONFIG.replace("key: sk-app }", "key: sk-app"));
    GatewayCommands.Outcome outcome = commands.run("check", "--config", bad);
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err()).contains(bad + " has a problem", "is not YAML: ", "at line 1");
    assertThat(outcome.err()).doesNotContain("sk-app", "Exception");
    assertThat(problem("api_key: *sk-secret"))
        .contains("at line 1, column 10")
        .doesNotContain("sk-");
  }

  @Test
  @DisplayName("means what the same JSON means, and JSON is YAML")
  void json() throws Exception {
    assertThat(
            json(
                "a: 0.10\n"
                    + "b: -1.5e3\n"
                    + "c: 007\n"
                    + "d: 1_000\n"
                    + "e: 0x10\n"
                    + "f: \"2\"\n"
                    + "g: 12345678901234567890\n"))
        .isEqualTo(
            "{\"a\":0.10,\"b\":-1.5e3,\"c\":\"007\",\"d\":\"1_000\",\"e\":\"0x10\",\"f\":\"2\",\"g\":12345678901234567890}");
    assertThat(json("[true, false, null, yes, no, on, True, ~, '', 2026-11-26, 12:30]"))
        .isEqualTo(
            "[true,false,null,\"yes\",\"no\",\"on\",\"True\",\"~\",\"\",\"2026-11-26\",\"12:30\"]");
    assertThat(json("text: |\n  one\n  \"two\"\n"))
        .isEqualTo("{\"text\":\"one\\n\\\"two\\\"\\n\"}");
    assertThat(json("1: a\ntrue: b")).isEqualTo("{\"1\":\"a\",\"true\":\"b\"}");
    assertThat(json(CommandsTest.CONFIG)).contains("\"prompt\":\"0.000001\"", "${UPSTREAM_KEY}");
    assertThat(json("")).isEqualTo("null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: 1¶b: 2¶a: 3 | /a: is a duplicate name at line 3, column 1",
        "a: {b: 1, 'b': 2} | /a/b: is a duplicate name at line 1, column 11",
        "a: .inf | /a: must be a number as JSON spells it, or text in quotes at line 1, column 4",
        "a: !!binary aGk= | /a: has a tag, which a configuration cannot have at line 1, column 4",
        "a: !secret x | /a: has a tag, which a configuration cannot have at line 1, column 4",
        "a: &x {b: 1}¶c: {<<: *x} | /c: has <<, which YAML 1.2 does not know: write the members out"
            + " at line 2, column 5",
        "? [a, b]¶: c | has a member whose name is not text at line 1, column 3",
        "a: &x [*x] | /a",
        "a: 1¶---¶b: 2 | is not YAML",
        "a: !!bool yes | /a: has a tag"
      })
  @DisplayName("may contain nothing that JSON cannot express")
  void unlikeJson(String yaml, String problem) {
    assertThat(problem(yaml.strip().replace('¶', '\n'))).contains(problem.strip());
  }

  @Test
  @DisplayName("may repeat parts by anchors, but must not become large by them")
  void anchors() throws Exception {
    assertThat(json("a: &x { b: 1 }\nc: *x\n")).isEqualTo("{\"a\":{\"b\":1},\"c\":{\"b\":1}}");
    var laughs = new StringBuilder("a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n");
    for (int i = 1; i < 10; i++) {
      String before = "*a" + (i - 1);
      laughs.append("a%d: &a%d [".formatted(i, i));
      laughs.append(String.join(", ", Collections.nCopies(10, before))).append("]\n");
    }
    assertThat(problem(laughs.toString()))
        .contains("is larger than 32 MiB when its aliases are expanded");
    assertThat(problem("[".repeat(101) + "]".repeat(101))).contains("nested too deeply");
    assertThat(problem("[".repeat(200_000))).contains("is not YAML");
    assertThatThrownBy(() -> YamlDocument.parse(new byte[] {'a', ':', ' ', (byte) 0xff}))
        .hasMessageContaining("not UTF-8");
  }

  @Test
  @DisplayName("can be written by catalog import, too")
  void imported() throws IOException {
    String list =
        """
        { "alpha": { "id": "alpha", "name": "Alpha", "api": "https://alpha.example/v1", "models": {
            "large": { "id": "large", "name": "Large", "cost": { "input": 1, "output": 2 }, "limit": { "context": 1000, "output": 100 } } } } }
        """;
    String out = folder.resolve("imported.yaml").toString();
    String[] words = {
      "catalog", "import", "--from", "models-dev", "--all", "--out", out, file("list.json", list)
    };
    assertThat(commands.run(words).code()).isZero();
    assertThat(commands.run("check", "--config", out).out()).contains("1: alpha/large");
  }
}
