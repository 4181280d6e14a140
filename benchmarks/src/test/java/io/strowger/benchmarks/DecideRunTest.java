package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.model.Dialect;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecideRunTest {
  private static final String CONFIG =
      """
      providers:
        - { slug: alpha, protocol: simulated, base_url: "http://localhost" }
        - { slug: beta, protocol: simulated, base_url: "http://localhost" }
      models:
        - id: acme/large
          endpoints: [ { provider: alpha }, { provider: beta } ]
      """;
  private static final String REQUEST =
      """
      { "model": "acme/large", "messages": [ { "role": "user", "content": "Hello?" } ],
        "provider": { "order": [ "beta", "alpha" ] } }
      """;

  @TempDir private Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private static String output(int code, String... args) throws Exception {
    var out = new ByteArrayOutputStream();
    assertThat(DecideRun.run(args, new PrintStream(out, true, StandardCharsets.UTF_8)))
        .isEqualTo(code);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName(
      "The command line needs a configuration and a request, and errors explain its options")
  void options() throws Exception {
    assertThat(DecideRun.Options.of("--config", "c", "--request", "r", "--dialect", "messages"))
        .isEqualTo(new DecideRun.Options(Path.of("c"), Path.of("r"), Dialect.MESSAGES, 1));
    assertThat(output(2, "--config", "c")).contains("decide takes --config FILE");
    assertThat(output(2, "--confg", "c")).contains("unknown option --confg");
    assertThat(output(2, "--config")).contains("--config needs a value");
    assertThat(output(2, "--seed", "x")).contains("--seed must be a whole number");
    assertThat(output(2, "--dialect", "speech")).contains("chat or messages");
  }

  @Test
  @DisplayName("The output begins with what is measured; an invalid input is reported instead")
  void decided() throws Exception {
    String config = file("gateway.yaml", CONFIG).toString();
    Path request = file("r.json", REQUEST);
    var options = new DecideRun.Options(Path.of(config), request, Dialect.CHAT, 7);
    assertThat(DecideRun.decide(options))
        .containsExactly(
            "acme/large, seed 7, over 2 endpoints of 1 models",
            "decides: acme/large@beta, acme/large@alpha");
    String bad = file("bad.json", "{ \"model\": 1 }").toString();
    assertThat(output(1, "--config", config, "--request", bad)).contains("/model: ", "/messages: ");
    String none = file("none.json", "{}").toString();
    assertThat(output(1, "--config", none, "--request", request.toString()))
        .contains("/providers: ");
    String missing = folder.resolve("missing.json").toString();
    assertThat(output(1, "--config", config, "--request", missing))
        .contains("cannot read " + missing + ": no such file");
  }

  @Test
  @DisplayName("Every benchmark makes the decision for the request")
  void benchmarks() throws Exception {
    Map<String, String> properties =
        Map.of(
            DecideBenchmark.CONFIG,
            file("gateway.yaml", CONFIG).toString(),
            DecideBenchmark.REQUEST,
            file("r.json", REQUEST).toString(),
            DecideBenchmark.DIALECT,
            "chat",
            DecideBenchmark.SEED,
            "7");
    properties.forEach(System::setProperty);
    var benchmark = new DecideBenchmark();
    try {
      benchmark.setUp();
      assertThat(benchmark.decide())
          .isInstanceOfSatisfying(
              RoutePlan.Attempts.class,
              attempts ->
                  assertThat(attempts.candidates())
                      .extracting(candidate -> candidate.endpoint().id())
                      .containsExactly("acme/large@beta", "acme/large@alpha"));
      assertThat(benchmark.decideAndExplain()).isNotEmpty();
      assertThat(benchmark.readAndExplain().plan()).isEqualTo(benchmark.decide());
      assertThat(benchmark.roundRobinPick()).isNotEqualTo(benchmark.roundRobinPick());
    } finally {
      properties.keySet().forEach(System::clearProperty);
      benchmark.close();
    }
  }

  @Test
  @DisplayName("bench jmh leaves out the benchmarks that need a request")
  void leftOut() {
    assertThat(JmhRun.list()).noneMatch(name -> name.startsWith("DecideBenchmark"));
    assertThatThrownBy(() -> new DecideBenchmark().setUp()).isInstanceOf(RuntimeException.class);
  }
}
