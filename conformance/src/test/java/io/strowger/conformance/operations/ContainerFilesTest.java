package io.strowger.conformance.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.operations.ContainerFiles.Instruction;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The files for containers")
class ContainerFilesTest {
  private static final List<String> GATEWAYS = List.of("gateway-1", "gateway-2");
  private static final String SECRET_KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

  private static List<Instruction> named(String name) {
    return ContainerFiles.dockerfile().stream()
        .filter(instruction -> instruction.name().equals(name))
        .toList();
  }

  private static GatewayConfig config() {
    return new ConfigReader(
            new JacksonCodec(),
            name ->
                switch (name) {
                  case "SECRET_KEY" -> SECRET_KEY;
                  case "UPSTREAM_URL" -> "https://api.acme.example/v1";
                  default -> "value-of-" + name;
                })
        .read(ContainerFiles.text("gateway.json").getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  /**
   * Returns whether the build may read a path; the last matching line of the ignore file decides.
   */
  private static boolean isInContext(String path) {
    boolean in = true;
    for (String line : ContainerFiles.text("Dockerfile.dockerignore").lines().toList()) {
      boolean isException = line.startsWith("!");
      String pattern = isException ? line.substring(1) : line;
      if (!pattern.isBlank() && !pattern.startsWith("#") && covers(pattern, path)) {
        in = isException;
      }
    }
    return in;
  }

  private static boolean covers(String pattern, String path) {
    if (pattern.startsWith("**/")) {
      return ("/" + path + "/").contains("/" + pattern.substring(3) + "/");
    }
    return pattern.equals("*") || path.equals(pattern) || path.startsWith(pattern + "/");
  }

  @Test
  @DisplayName("copy only files that exist and that the build may read")
  void copies() {
    int files = 0;
    for (Instruction copy : named("COPY")) {
      List<String> words =
          Arrays.stream(copy.text().split(" ")).filter(word -> !word.startsWith("--")).toList();
      String source = words.getFirst();
      if (copy.text().contains("--from=build")) {
        assertThat(source).startsWith("/source/host/target/");
        assertThat(ContainerFiles.ROOT.resolve("host/pom.xml"))
            .content()
            .contains(
                source.endsWith(".jar")
                    ? "<finalName>host</finalName>"
                    : "${project.build.directory}/lib");
      } else if (!source.equals(".")) {
        assertThat(ContainerFiles.ROOT.resolve(source)).exists();
        assertThat(isInContext(source)).as(source).isTrue();
        files++;
      }
    }
    assertThat(files).isEqualTo(2);
  }

  @Test
  @DisplayName("let the build read every module's sources, and no secret, history or earlier build")
  void context() throws Exception {
    String pom = Files.readString(ContainerFiles.ROOT.resolve("pom.xml"));
    List<String> modules =
        Pattern.compile("<module>([^<]+)</module>")
            .matcher(pom)
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(modules).hasSizeGreaterThan(10);
    assertThat(modules).allMatch(module -> isInContext(module + "/pom.xml"));
    String script = Files.readString(ContainerFiles.ROOT.resolve("gateway"));
    Pattern needed = Pattern.compile("(?m)^needed=\"([^\"]+)\"");
    var built = needed.matcher(script);
    assertThat(built.find()).isTrue();
    assertThat(built.group(1).split(" "))
        .allMatch(module -> isInContext(module + "/src/main/java"));
    assertThat(List.of("gateway", "pom.xml", "host/container/healthcheck"))
        .allMatch(ContainerFilesTest::isInContext);
    assertThat(
            List.of(
                ".git/config",
                "host/container/.env",
                "host/target/host.jar",
                "engine-core/src/test/java/Any.java",
                "gateway.json",
                "data/gateway.mv.db"))
        .noneMatch(ContainerFilesTest::isInContext);
  }

  @Test
  @DisplayName("take no secret into a layer: the build has no arguments, and no variables are set")
  void layers() {
    assertThat(ContainerFiles.dockerfile())
        .extracting(Instruction::name)
        .doesNotContain("ARG", "ENV", "ADD");
  }

  @Test
  @DisplayName("run as a numeric user that is not root and owns only the data directory")
  void user() {
    assertThat(ContainerFiles.last("USER").text()).matches("[1-9]\\d{3,}:[1-9]\\d{3,}");
    String[] ids = ContainerFiles.last("USER").text().split(":");
    String data = ContainerFiles.last("VOLUME").text();
    assertThat(ContainerFiles.last("RUN").text())
        .isEqualTo("install -d -m 0700 -o %s -g %s %s".formatted(ids[0], ids[1], data));
    assertThat(ContainerFiles.dockerfile())
        .extracting(Instruction::name)
        .containsSubsequence("RUN", "USER", "VOLUME", "ENTRYPOINT");
    assertThat(ContainerFiles.dockerfile().stream().dropWhile(one -> !one.name().equals("USER")))
        .extracting(Instruction::name)
        .doesNotContain("RUN", "COPY");
  }

  @Test
  @DisplayName("start the JVM directly, with the launcher's options and the AOT cache of the build")
  void entryPoint() throws Exception {
    assertThat(ContainerFiles.last("ENTRYPOINT").words())
        .startsWith("java", "@/opt/strowger/java.options")
        .endsWith("-jar", "/opt/strowger/host.jar");
    String training =
        named("RUN").stream()
            .map(Instruction::text)
            .filter(run -> run.contains("train"))
            .findFirst()
            .orElseThrow();
    String cache = training.replaceAll(".*-XX:AOTCacheOutput=(\\S+) .*", "$1");
    assertThat(ContainerFiles.last("ENTRYPOINT").words()).contains("-XX:AOTCache=" + cache);
    String launcher = Files.readString(ContainerFiles.ROOT.resolve("gateway"));
    List<String> options =
        ContainerFiles.text("java.options")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();
    assertThat(options)
        .filteredOn(option -> !option.startsWith("-XX:MaxRAMPercentage"))
        .hasSize(6)
        .allMatch(launcher::contains);
  }

  @Test
  @DisplayName("serve the mounted configuration, with keys only from the environment")
  void configuration() {
    GatewayConfig config = config();
    assertThat(config.unusedMemberWarnings()).isEmpty();
    assertThat(ContainerFiles.last("EXPOSE").text())
        .isEqualTo(
            config.server().port() + " " + Objects.requireNonNull(config.server().admin()).port());
    for (String gateway : GATEWAYS) {
      assertThat(ContainerFiles.service(gateway))
          .containsEntry("command", Objects.requireNonNull(ContainerFiles.last("CMD").words()))
          .containsEntry("read_only", true)
          .containsEntry("cap_drop", List.of("ALL"));
      var command =
          new ArrayList<>(ContainerFiles.list(ContainerFiles.service(gateway).get("command")));
      String file = command.get(command.indexOf("--config") + 1);
      String data = command.get(command.indexOf("--data") + 1);
      assertThat(ContainerFiles.mounted(gateway, file)).isEqualTo("./gateway.json");
      assertThat(ContainerFiles.mounted(gateway, data)).isEqualTo(gateway);
      assertThat(data).isEqualTo(ContainerFiles.last("VOLUME").text());
      assertThat(ContainerFiles.object(ContainerFiles.compose().get("volumes")))
          .containsKey(gateway);
      assertThat(ContainerFiles.object(ContainerFiles.service(gateway).get("environment")).keySet())
          .containsExactlyInAnyOrderElementsOf(
              ContainerFiles.variables(ContainerFiles.text("gateway.json")));
    }
  }

  @Test
  @DisplayName("require the variables of example.env, which has a value for no secret")
  void variables() {
    var example = new TreeMap<String, String>();
    ContainerFiles.text("example.env")
        .lines()
        .filter(line -> line.contains("=") && !line.startsWith("#"))
        .forEach(line -> example.put(line.split("=", 2)[0], line.split("=", 2)[1]));
    assertThat(example.keySet())
        .containsExactlyInAnyOrderElementsOf(
            ContainerFiles.variables(ContainerFiles.text("compose.yaml")));
    assertThat(example).allSatisfy((name, value) -> assertThat(value).matches("|https://.*"));
    assertThat(ContainerFiles.text("compose.yaml")).doesNotContainPattern("\\$\\{\\w+}");
  }

  @Test
  @DisplayName("give a gateway more time to stop than its drain delay and drain timeout")
  void stopping() {
    GatewayConfig config = config();
    Duration drain = config.server().drainTimeout().plus(config.server().drainDelay());
    for (String gateway : GATEWAYS) {
      String period = String.valueOf(ContainerFiles.service(gateway).get("stop_grace_period"));
      assertThat(Duration.ofSeconds(Long.parseLong(period.replace("s", ""))))
          .isGreaterThan(drain.plusSeconds(5));
    }
    assertThat(ContainerFiles.last("STOPSIGNAL").text()).isEqualTo("SIGTERM");
  }

  @Test
  @DisplayName(
      "let the balancer see a stopping gateway in time, wait for long answers, and publish only its"
          + " port")
  void balancer() {
    String balancer = ContainerFiles.text("haproxy.cfg");
    GatewayConfig config = config();
    long interval = Long.parseLong(balancer.replaceAll("(?s).* inter (\\d+)ms .*", "$1"));
    assertThat(config.server().drainDelay()).isGreaterThan(Duration.ofMillis(2 * interval));
    long timeout = Long.parseLong(balancer.replaceAll("(?s).*timeout server (\\d+)s\n.*", "$1"));
    assertThat(Duration.ofSeconds(timeout)).isGreaterThan(config.timeouts().total());
    int port = config.server().port();
    assertThat(balancer)
        .contains("check port " + Objects.requireNonNull(config.server().admin()).port() + " ");
    assertThat(GATEWAYS)
        .allSatisfy(
            name -> assertThat(balancer).contains("server %1$s %1$s:%2$d\n".formatted(name, port)));
    assertThat(ContainerFiles.list(ContainerFiles.service("balancer").get("ports")))
        .containsExactly("8080:8080");
    assertThat(balancer).contains("bind :8080\n");
    Map<String, Object> network =
        ContainerFiles.object(
            ContainerFiles.object(ContainerFiles.compose().get("networks")).get("inside"));
    assertThat(network.toString())
        .contains(
            "subnet="
                + ContainerFiles.text("gateway.json")
                    .replaceAll("(?s).*\"trusted_proxies\": \\[\"([^\"]+)\"].*", "$1"));
    assertThat(ContainerFiles.service("database")).doesNotContainKey("ports");
    assertThat(GATEWAYS)
        .allSatisfy(name -> assertThat(ContainerFiles.service(name)).doesNotContainKey("ports"));
  }

  /** Runs the health check against a server with this answer, and returns its exit code. */
  private static int check(String answer) throws Exception {
    try (var server = new ServerSocket(0)) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket client = server.accept()) {
                  var request = new Scanner(client.getInputStream(), StandardCharsets.US_ASCII);
                  assertThat(request.nextLine()).isEqualTo("GET /readyz HTTP/1.0");
                  assertThat(request.nextLine()).isEmpty();
                  client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                } catch (IOException closed) {
                  // the check has closed the connection
                }
              });
      return check(server.getLocalPort());
    }
  }

  private static int check(int port) throws Exception {
    Path script = ContainerFiles.FOLDER.resolve("healthcheck");
    var builder =
        new ProcessBuilder(script.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("STROWGER_ADMIN_PORT", Integer.toString(port));
    return builder.start().waitFor();
  }

  static boolean hasBash() {
    return Files.isExecutable(Path.of("/bin/bash"));
  }

  @ParameterizedTest
  @CsvSource({"HTTP/1.0 200 OK,0", "HTTP/1.0 503 Service Unavailable,1", "'',1"})
  @EnabledIf("hasBash")
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no shell for the script")
  @DisplayName("call a gateway healthy when its probe answers 200, and only then")
  void health(String answer, int code) throws Exception {
    assertThat(check(answer.isEmpty() ? "" : answer + "\r\n\r\n")).isEqualTo(code);
  }

  @Test
  @EnabledIf("hasBash")
  @DisplayName("call a gateway unhealthy when it does not listen")
  void notListening() throws Exception {
    int port;
    try (var server = new ServerSocket(0)) {
      port = server.getLocalPort();
    }
    assertThat(check(port)).isEqualTo(1);
    List<String> words = ContainerFiles.last("HEALTHCHECK").words();
    assertThat(words).containsExactly("/opt/strowger/healthcheck");
    assertThat(named("COPY"))
        .extracting(Instruction::text)
        .contains("--chmod=0555 host/container/healthcheck /opt/strowger/healthcheck");
    assertThat(ContainerFiles.text("healthcheck"))
        .contains(":-" + Objects.requireNonNull(config().server().admin()).port() + "}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"compose.yaml", "Dockerfile", "gateway.json", "haproxy.cfg"})
  @DisplayName("contain no key:")
  void secrets(String file) {
    assertThat(ContainerFiles.text(file)).doesNotContainPattern("sk-[A-Za-z0-9]{6,}");
  }
}
