package io.strowger.host.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.ambient.SystemAmbient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The demo")
class DemoTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String shown() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName(
      "shows answers, fallback, dialects, preferences, routers, a conversation, plugins, refusals,"
          + " limits, a client that disconnects and a restart, in 100 columns")
  void everything() throws Exception {
    new Demo(out, new SystemAmbient()).run();
    assertThat(shown())
        .contains(
            "failed: 500 unavailable", "dropped by provider.only", "dropped by provider.ignore")
        .contains(
            "auto-router for router/auto: ranked for code:debugging", "\"This is acme/mini.\"")
        .contains("pareto-router for router/pareto-code: the best coding models for at most $0.9")
        .contains("\"This is acme/coder.\"")
        .contains("dropped by provider.max_price: completion costs", "110.0 tokens/s")
        .contains("dropped by provider.zdr: may keep prompts")
        .contains("\"[EMAIL]\"", "Wait, and ", "pay 42 dollars by Friday.")
        .doesNotContain("ann.lee@example.com")
        .contains("It opens at six.", "At six, says the harbour.", "$0.002")
        .contains("The harbour opens at six.", "Its page says: at six.")
        .contains("same as before")
        .contains("← 401 after", "← 402 after", "← 400 after", "/temperature", "/messages")
        .contains("/messages {", ":generateContent {", "/responses {", "dropped seed")
        .contains("\"type\":\"message\"", "\"object\":\"response\"", "tool_result")
        .contains("output_capped_by_budget")
        .contains("200 audio/mpeg, the first bytes after", "ff fb 18 c4", "3312 bytes after")
        .contains("for 23 characters at acme/voice@alpha")
        .contains("alpha saw its request cancelled")
        .containsSubsequence(
            "POST /keys {\"name\":\"visitor\"",
            "\"usage\":0.000978,\"limit\":0.001,\"limit_remaining\":0.000022",
            "Another one starts",
            "\"usage\":0.000978,\"limit\":0.001,\"limit_remaining\":0.000022",
            "← 402 after",
            "\"I was told: You are a pirate.\"")
        .containsSubsequence(
            "A stream that breaks after content", "began to answer in", "and broke off")
        .doesNotContain("did not notice", "sk-demo-", "\u001b");
    assertThat(shown().lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
  }

  @Test
  @DisplayName("explains decisions over a price list")
  void catalog() throws IOException {
    var demo = new CatalogDemo(out, new SystemAmbient());
    String model =
        "{ \"id\": \"m\", \"name\": \"M\", \"base_model\": \"acme/m\", \"cost\": { \"input\": %s,"
            + " \"output\": 2 } }";
    String provider =
        "\"%s\": { \"id\": \"%s\", \"name\": \"P\", \"api\": \"https://p.example/v1\", \"models\":"
            + " { \"m\": %s } }";
    String list =
        "{"
            + provider.formatted("alpha", "alpha", model.formatted("1"))
            + ","
            + provider.formatted("beta", "beta", model.formatted("2"))
            + ","
            + provider.formatted("gamma", "gamma", model.formatted("3"))
            + "}";
    demo.run("list.json", list.getBytes(StandardCharsets.UTF_8));
    assertThat(shown())
        .contains(
            "Decisions over list.json",
            "Without the cheapest provider",
            "1 dropped by provider.ignore")
        .contains("error 404");
  }

  @Test
  @DisplayName("reports a file that is not a price list")
  void noCatalog() {
    var demo = new CatalogDemo(out, new SystemAmbient());
    assertThatThrownBy(() -> demo.run("list.json", "[]".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("list.json is not a models.dev list");
  }

  @Test
  @DisplayName("explains decisions over the public price list")
  void publicCatalog() throws IOException {
    String file = System.getProperty("strowger.catalog", "");
    if (file.isEmpty()) {
      System.err.println("no -Dstrowger.catalog: the demo over a public price list was not tested");
      return;
    }
    new CatalogDemo(out, new SystemAmbient()).run("public", Files.readAllBytes(Path.of(file)));
    assertThat(shown()).contains("1 dropped by provider.ignore", "dropped by provider.only");
  }
}
