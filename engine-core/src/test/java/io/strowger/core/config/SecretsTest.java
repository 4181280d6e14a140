package io.strowger.core.config;

import static io.strowger.core.config.TestConfigs.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Secrets of the configuration file")
class SecretsTest {
  private static final String SECRET = "sk-Tell/No?One@All";
  private static final Map<String, String> ENVIRONMENT = Map.of("SECRET", SECRET);

  private static ConfigResult read(Json document) {
    return TestConfigs.read(document, ENVIRONMENT);
  }

  private static String everySecret(String secret) {
    return """
    {'providers': [{'slug': 'alpha', 'protocol': 'simulated', 'base_url': 'http://h',
                    'api_key': '%1$s', 'headers': {'X-Key': '%1$s'}}],
     'models': [{'id': 'm', 'endpoints': [{'provider': 'alpha'}]}],
     'store': {'url': 'jdbc:postgresql://h/d?password=%1$s', 'user': 'u', 'password': '%1$s'},
     'keys': [{'name': 'a', 'key': '%1$s'}],
     'byok_keys': [{'id': 'b', 'provider': 'alpha', 'key': '%1$s'}],
     'plugins': {'defaults': [{'id': 'p', 'token': '%1$s'}], 'settings': {'p': {'token': '%1$s'}}},
     'observability_destinations': [{'id': 'd', 'name': 'n', 'type': 'webhook',
                                     'config': {'url': 'http://h',
                                                'headers': {'X-Key': '%1$s'}}}]}
    """
        .formatted(secret);
  }

  @Test
  @DisplayName("do not occur in the text forms of the configuration")
  void text() {
    GatewayConfig config =
        read(json(everySecret("${SECRET}").replace("?password=${SECRET}", "?password=x")))
            .orThrow();
    assertThat(config.providers().getFirst().credential().reveal()).isEqualTo(SECRET);
    var texts =
        List.of(
            config.toString(),
            config.providers().toString(),
            config.store().toString(),
            config.keys().toString(),
            config.keys().getFirst().label(),
            config.byokKeys().toString(),
            config.plugins().toString(),
            config.unusedMemberWarnings().toString(),
            config.catalog().toString(),
            config.catalog().version());
    assertThat(texts).allSatisfy(text -> assertThat(text).doesNotContain(SECRET));
  }

  @ParameterizedTest
  @DisplayName("do not occur in the problem of any wrong member")
  @ValueSource(strings = {SECRET, "${SECRET}"})
  void problems(String written) {
    var valid = json(everySecret(written));
    int refused = 0;
    for (Json.Obj variant : variants(valid)) {
      var problems = read(variant).problems();
      refused += problems.isEmpty() ? 0 : 1;
      assertThat(problems.toString()).as(variant.toString()).doesNotContain(SECRET);
    }
    assertThat(refused).isGreaterThan(20);
  }

  /**
   * Returns variants of the document. In each, one member is renamed, wrapped in an array, or ends
   * with a line break.
   */
  private static List<Json.Obj> variants(Json.Obj obj) {
    return IntStream.range(0, obj.size())
        .boxed()
        .flatMap(
            i -> {
              String name = obj.name(i);
              Json value = obj.value(i);
              var here =
                  List.of(
                      obj.without(name).with(name + "x", value),
                      obj.with(name, Json.array(value)),
                      obj.with(
                          name, value instanceof Json.Str s ? Json.of(s.text() + "\n") : value));
              var below =
                  switch (value) {
                    case Json.Obj child -> variants(child).stream().map(it -> obj.with(name, it));
                    case Json.Arr items when items.getFirst() instanceof Json.Obj child ->
                        variants(child).stream().map(it -> obj.with(name, Json.array(it)));
                    default -> List.<Json.Obj>of().stream();
                  };
              return Stream.concat(here.stream(), below);
            })
        .toList();
  }

  @Test
  @DisplayName("do not occur in a problem if they are in the wrong place")
  void wrongPlace() {
    var problems =
        read(json(
                "{'keys': ['"
                    + SECRET
                    + "'], 'api_key': '"
                    + SECRET
                    + "', 'models': '"
                    + SECRET
                    + "'}"))
            .problems();
    assertThat(problems).hasSize(4);
    assertThat(problems.toString()).doesNotContain(SECRET);
    assertThat(read(Json.of(SECRET)).problems().toString()).doesNotContain(SECRET);
  }

  @Test
  @DisplayName("do not occur in a problem if a quotation mark is missing")
  void malformed() {
    var reader = new ConfigReader(new JacksonCodec(), ENVIRONMENT::get);
    byte[] file = "{\"keys\": sk_hidden}".getBytes(StandardCharsets.UTF_8);
    assertThat(reader.read(file).problems())
        .singleElement()
        .asString()
        .startsWith("is not JSON at line 1, column 10: ")
        .doesNotContain("sk_hidden");
  }

  @Test
  @DisplayName("from variables are used literally, even if they look like variables")
  void literally() {
    var result =
        TestConfigs.read(
            TestConfigs.withProvider("'api_key': 'a-${ONE}-${TWO}'"),
            Map.of("ONE", "${TWO}", "TWO", "$1"));
    assertThat(result.orThrow().providers().getFirst().credential().reveal())
        .isEqualTo("a-${TWO}-$1");
  }

  @ParameterizedTest
  @DisplayName("are refused if the reference to a variable has no valid name")
  @ValueSource(strings = {"${}", "${A-B}", "${OPEN", "x${ A}"})
  void names(String text) {
    assertThat(TestConfigs.problems(TestConfigs.withProvider("'region': '" + text + "'")))
        .containsExactly(
            "/providers/0/region: must name a variable as ${NAME}, in letters, digits and _");
  }
}
