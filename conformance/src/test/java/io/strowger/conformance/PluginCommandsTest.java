package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.host.cli.CommandContext;
import io.strowger.host.cli.CommandLines;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
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
  void writeConfig() throws IOException {
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

  private static CommandContext terminal(PrintStream out, PrintStream err) {
    return new CommandContext(
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
  @DisplayName(
      "serves a replaced jar after the admin call, and its decisions can be replayed with the jar")
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
        String line = readUntil(lines, "listening on ").getLast();
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

  /** Reads lines until one has the text, and returns them all. */
  private static List<String> readUntil(BufferedReader lines, String text) throws IOException {
    var read = new ArrayList<String>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      read.add(line);
      if (line.contains(text)) {
        return read;
      }
    }
    throw new AssertionError("no line has " + text + ": " + read);
  }

  private static void sendHangUp(Process process) throws Exception {
    assertThat(new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start().waitFor())
        .isZero();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  @DisplayName(
      "serves a replaced jar after SIGHUP; a jar that is refused is logged and changes nothing")
  void hangUp() throws Exception {
    write("pick", "acme/one");
    String chat = RoutedGateway.chat("acme/pick", "Hello", "");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.strowger.host.Main",
                "serve",
                "--config",
                config.toString(),
                "--port",
                "0",
                "--plugins",
                jars.toString())
            .redirectErrorStream(true)
            .start();
    try (var lines = process.inputReader(StandardCharsets.UTF_8);
        HttpClient http = HttpClient.newHttpClient()) {
      List<String> started = readUntil(lines, "listening on ");
      assumeThat(started)
          .as("under nohup there is no SIGHUP")
          .noneMatch(line -> line.contains("SIGHUP is ignored"));
      String api = started.getLast().substring("listening on ".length());
      assertThat(post(http, api + "/chat/completions", "sk-app", chat).body()).contains("acme/one");
      write("pick", "acme/two");
      sendHangUp(process);
      assertThat(readUntil(lines, "reloaded, catalog"))
          .anyMatch(line -> line.contains("pick.jar provides the plugin pick"));
      assertThat(post(http, api + "/chat/completions", "sk-app", chat).body()).contains("acme/two");
      write("pick", "acme/one");
      Files.writeString(jars.resolve("bad.jar"), "bad");
      sendHangUp(process);
      List<String> refused = readUntil(lines, "--plugins: bad.jar: is not a jar");
      assertThat(refused)
          .anyMatch(
              line ->
                  line.contains("the configuration was not reloaded: " + jars + " has 1 problem:"))
          .noneMatch(line -> line.contains(" brings "));
      assertThat(post(http, api + "/chat/completions", "sk-app", chat).body())
          .as("nothing has changed")
          .contains("acme/two");
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  @Test
  @DisplayName("resolves plugins_dir against the directory of the file, and prefers the option")
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
  @DisplayName("opens no jar if it uses only the store, whatever the file says about plugins")
  void maintenance() throws Exception {
    Files.writeString(jars.resolve("bad.jar"), "bad");
    Files.writeString(
        config,
        CONFIG
            .formatted(
                "\"plugins_dir\": \"plugins\", \"plugins\": { \"defaults\": [ { \"id\": \"pick\" }"
                    + " ], \"settings\": { \"pick\": { \"a\": 1 } } },")
            .replace("simulated", "acme-rpc"));
    for (String command : List.of("lines", "nodes")) {
      Outcome outcome = run(command, "--config", config);
      assertThat(outcome.err())
          .contains("is in memory, which")
          .doesNotContain("bad.jar", "pick", "acme-rpc");
    }
    Files.writeString(config, "{ \"providers\": 3 }");
    assertThat(run("lines", "--config", config).err()).contains("/providers");
  }

  @Test
  @DisplayName("refuses a plugin that the gateway already has, in one sentence that names the jar")
  void conflict() throws Exception {
    write("web", "acme/one");
    String sentence =
        "--plugins: pick.jar: provides the plugin web, which the gateway has already; rename it, or"
            + " remove the jar";
    for (Outcome outcome :
        List.of(
            run("check", "--config", config, "--plugins", jars),
            run("replay", "--plugins", jars, folder.resolve("no.log")))) {
      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.err()).contains(sentence).doesNotContain("two plugins");
    }
  }

  @Test
  @DisplayName("refuses a jar that fails while the configuration is checked, and closes it")
  void failingJar() throws Exception {
    PluginJar.write(
        jars.resolve("moody.jar"),
        Map.of(
            "com.acme.Moody",
            """
            package com.acme;
            public final class Moody implements io.strowger.spi.provider.ProviderFactory {
              private int asked;
              @Override public String protocol() {
                if (asked++ > 0) {
                  throw new NoClassDefFoundError("com/acme/Gone");
                }
                return "moody";
              }
              @Override public io.strowger.spi.provider.ChatProvider create(
                  io.strowger.spi.provider.ProviderSettings settings) { return null; }
              @Override public void close() { System.setProperty("closed.moody", "yes"); }
            }
            """),
        Map.of("META-INF/services/io.strowger.spi.provider.ProviderFactory", "com.acme.Moody"));
    try {
      Outcome outcome = run("check", "--config", config, "--plugins", jars);
      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.err())
          .contains(
              "--plugins: a plugin failed while the configuration was checked:"
                  + " java.lang.NoClassDefFoundError: com/acme/Gone");
      assertThat(System.getProperty("closed.moody")).isEqualTo("yes");
    } finally {
      System.clearProperty("closed.moody");
    }
  }
}
