package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.host.cli.CommandLines;
import io.strowger.host.cli.Terminal;
import io.strowger.spi.plugin.PluginProvider;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A command with a directory of plugins")
class PluginCommandsTest {
  private static final String CONFIG =
      """
      { %s
        "server": { "drain_seconds": 0 },
        "providers": [ { "slug": "alpha", "protocol": "simulated", "base_url": "http://127.0.0.1:9/a" } ],
        "models": [
          { "id": "acme/one", "endpoints": [ { "provider": "alpha" } ] },
          { "id": "acme/two", "endpoints": [ { "provider": "alpha" } ] } ],
        "keys": [ { "name": "app", "key": "sk-app" },
          { "name": "admin", "key": "sk-admin", "management": true } ] }
      """;

  private static final String SOURCE =
      """
      package com.acme;

      import io.strowger.spi.catalog.Catalog;
      import io.strowger.spi.plugin.*;
      import java.util.List;

      public final class Pick implements PluginProvider {
        @Override public Descriptor descriptor() {
          return Descriptor.router("%s").slug("acme/pick").build();
        }

        @Override public Plugin create(PluginConfig config, Catalog catalog) {
          RouterPlugin router =
              candidates -> new Selection.Models(List.of("%s"), "always this one");
          return router;
        }
      }
      """;

  @TempDir private Path folder;
  private Path jars;
  private Path config;

  @BeforeEach
  void place() throws IOException {
    jars = Files.createDirectory(folder.resolve("plugins"));
    config = Files.writeString(folder.resolve("gateway.json"), CONFIG.formatted(""));
  }

  private void write(String id, String model) throws IOException {
    PluginJar.write(
        jars.resolve("pick.jar"),
        Map.of("com.acme.Pick", SOURCE.formatted(id, model)),
        Map.of("META-INF/services/" + PluginProvider.class.getName(), "com.acme.Pick"));
  }

  private record Outcome(int code, String out, String err) {}

  private static Terminal terminal(PrintStream out, PrintStream err) {
    return new Terminal(
        new ByteArrayInputStream(new byte[0]), out, err, name -> null, new SystemAmbient());
  }

  private static Outcome run(Object... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int code =
        CommandLines.run(
            terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8)),
            Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
    return new Outcome(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static HttpResponse<String> post(HttpClient http, String url, String key, String body)
      throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(url))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  @DisplayName("serves a replaced jar after the admin call, and its decisions replay with the jar")
  void served() throws Exception {
    write("pick", "acme/one");
    Path log = folder.resolve("decisions.log");
    String chat = RoutedGateway.chat("acme/pick", "Hello", "");
    try (var read = new PipedInputStream();
        var lines = new BufferedReader(new InputStreamReader(read, StandardCharsets.UTF_8));
        var out = new PrintStream(new PipedOutputStream(read), true, StandardCharsets.UTF_8);
        HttpClient http = HttpClient.newHttpClient()) {
      Thread serve =
          Thread.ofPlatform()
              .start(
                  () ->
                      CommandLines.run(
                          terminal(out, out),
                          "serve",
                          "--config",
                          config.toString(),
                          "--port",
                          "0",
                          "--plugins",
                          jars.toString(),
                          "--decisions",
                          log.toString()));
      try {
        String line = Objects.requireNonNull(lines.readLine());
        assertThat(line).startsWith("listening on ");
        String api = line.substring("listening on ".length());
        assertThat(post(http, api + "/chat/completions", "sk-app", chat).body())
            .contains("acme/one");
        write("pick", "acme/two");
        assertThat(post(http, api + "/chat/completions", "sk-app", chat).body())
            .as("before the reload")
            .contains("acme/one");
        assertThat(post(http, api + "/admin/reload", "sk-admin", "").statusCode()).isEqualTo(200);
        assertThat(post(http, api + "/chat/completions", "sk-app", chat).body())
            .contains("acme/two");
        Files.writeString(jars.resolve("bad.jar"), "bad");
        HttpResponse<String> refused = post(http, api + "/admin/reload", "sk-admin", "");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("--plugins: bad.jar").doesNotContain("/plugins_dir");
        Files.delete(jars.resolve("bad.jar"));
      } finally {
        serve.interrupt();
        serve.join();
      }
    }
    assertThat(run("replay", "--plugins", jars, log).out())
        .as("the log has a decision of each jar")
        .contains("3 decisions", "1 identical");
    assertThat(run("replay", log).out()).as("without the jar").doesNotContain("1 identical");
  }

  @Test
  @DisplayName("takes plugins_dir from the directory of the file, and the option wins over it")
  void pluginsDir() throws Exception {
    write("pick", "acme/one");
    Files.writeString(
        config,
        CONFIG.formatted(
            "\"plugins_dir\": \"plugins\", \"plugins\": { \"defaults\": [ { \"id\": \"pick\" } ]"
                + " },"));
    assertThat(run("check", "--config", config)).extracting(Outcome::err).isEqualTo("");
    Path none = Files.createDirectory(folder.resolve("none"));
    Outcome other = run("check", "--config", config, "--plugins", none);
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.err()).contains("/plugins/defaults/0");
    Files.writeString(jars.resolve("bad.jar"), "bad");
    assertThat(run("check", "--config", config).err()).contains("/plugins_dir: bad.jar");
    assertThat(run("check", "--config", config, "--plugins", jars).err())
        .contains("--plugins: bad.jar")
        .doesNotContain("/plugins_dir");
  }

  @Test
  @DisplayName("refuses a plugin that the gateway has itself in one sentence with the jar")
  void conflict() throws Exception {
    write("web", "acme/one");
    String sentence =
        "--plugins: pick.jar: brings the plugin web, which the gateway has already; rename it, or"
            + " take the jar away";
    for (Outcome outcome :
        List.of(
            run("check", "--config", config, "--plugins", jars),
            run("replay", "--plugins", jars, folder.resolve("no.log")))) {
      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.err()).contains(sentence).doesNotContain("two plugins");
    }
  }
}
