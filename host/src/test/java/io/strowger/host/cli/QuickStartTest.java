package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the launcher script with a JDK that only records its arguments. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no shell for the script")
@DisplayName("The launcher script")
class QuickStartTest {
  private static final String PREPARING = "gateway: preparing quick starts, once ...";

  /** A fake JDK: it records its arguments and makes the cache, unless BROKEN is set. */
  private static final String JAVA =
      """
      #!/bin/sh
      printf '%s\\n' "$*" >>"$CALLS"
      case "$* " in *" train "* | *AOTMode=create*) [ -z "${BROKEN:-}" ] || { echo broken; exit 1; } ;; esac
      for option in "$@"; do
        case $option in
          -XX:AOTConfiguration=*.list | -XX:AOTCache=*/new | -XX:ArchiveClassesAtExit=*) echo made >"${option#*=}" ;;
        esac
      done
      """;

  @TempDir private Path home;
  private Path calls;

  /** The exit code and the output of a run of the script. */
  private record Run(int code, String out) {}

  @BeforeEach
  void build() throws IOException {
    calls = home.resolve("calls");
    Files.createDirectories(home.resolve("host/target/lib"));
    Files.createDirectories(home.resolve("target"));
    Files.copy(Path.of("..", "gateway"), home.resolve("gateway"));
    Files.writeString(home.resolve("host/target/lib/b.jar"), "b");
    Files.writeString(home.resolve("host/target/lib/a.jar"), "a");
    Files.writeString(home.resolve("host/target/host.jar"), "host");
    markBuilt(Instant.now().minusSeconds(60));
    jdk("25.0.1");
  }

  private void markBuilt(Instant at) throws IOException {
    Path stamp = home.resolve("target/gateway.host.stamp");
    Files.writeString(stamp, "");
    Files.setLastModifiedTime(stamp, FileTime.from(at));
  }

  private void jdk(String version) throws IOException {
    Path bin = Files.createDirectories(home.resolve("jdk/bin"));
    for (String name : List.of("java", "javac")) {
      Files.writeString(bin.resolve(name), JAVA);
      Files.setPosixFilePermissions(
          bin.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
  }

  private Run run(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Process process = start(environment, arguments);
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Run(process.exitValue(), out.strip());
  }

  private Process start(Map<String, String> environment, String... arguments) throws IOException {
    var command = new ArrayList<>(List.of("sh", home.resolve("gateway").toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.contains("JAVA"));
    builder
        .environment()
        .putAll(Map.of("JAVA_HOME", home.resolve("jdk").toString(), "CALLS", calls.toString()));
    builder.environment().putAll(environment);
    return builder.start();
  }

  private Run serve() throws IOException, InterruptedException {
    return run(Map.of(), "serve", "--config", "x");
  }

  /** Returns the arguments of the calls of the JDK since the last time, and forgets them. */
  private List<String> calls() throws IOException {
    if (!Files.exists(calls)) {
      return List.of();
    }
    List<String> lines = Files.readAllLines(calls);
    Files.delete(calls);
    return lines;
  }

  private List<Path> classCaches() throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("host/target"))) {
      return files.filter(file -> file.getFileName().toString().startsWith("classes-")).toList();
    }
  }

  private static void assertServedWithoutCache(List<String> calls) {
    assertThat(calls).hasSize(1);
    assertThat(calls.getFirst())
        .endsWith("io.strowger.host.Main serve --config x")
        .doesNotContain("AOT", "Shared", "Archive", "-Xlog");
  }

  private void assertServedWith(String option) throws IOException {
    String last = calls().getLast();
    assertThat(last)
        .contains(option + classCaches().getFirst(), "-Xlog:cds*=off", "lib/a.jar:", "lib/b.jar:")
        .endsWith("io.strowger.host.Main serve --config x");
  }

  @Test
  @DisplayName(
      "makes a cache of classes at the first start, and uses it for that and all later ones")
  void first() throws Exception {
    assertThat(serve()).isEqualTo(new Run(0, PREPARING));
    List<String> recorded = calls();
    assertThat(recorded).hasSize(3);
    assertThat(recorded.get(0)).contains("AOTMode=record").endsWith("io.strowger.host.Main train");
    assertThat(recorded.get(1)).contains("AOTMode=create");
    assertThat(serve()).isEqualTo(new Run(0, ""));
    assertServedWith("-XX:AOTCache=");
    assertThat(classCaches()).hasSize(1);
  }

  @Test
  @DisplayName("makes the cache by prepare without a start, and uses it for short commands, too")
  void prepare() throws Exception {
    assertThat(run(Map.of(), "check")).isEqualTo(new Run(0, ""));
    assertThat(calls()).hasSize(1).noneMatch(call -> call.contains("AOT"));
    assertThat(run(Map.of(), "prepare")).isEqualTo(new Run(0, PREPARING));
    assertThat(calls()).hasSize(2);
    run(Map.of(), "check");
    assertThat(calls()).hasSize(1).allMatch(call -> call.contains("-XX:AOTCache="));
  }

  @Test
  @DisplayName("makes the cache again after a build, and for another JDK")
  void again() throws Exception {
    serve();
    Path before = classCaches().getFirst();
    markBuilt(Instant.now().plusSeconds(60));
    assertThat(serve().out()).isEqualTo(PREPARING);
    markBuilt(Instant.now().minusSeconds(60));
    jdk("26");
    assertThat(serve().out()).isEqualTo(PREPARING);
    assertThat(classCaches()).hasSize(2).contains(before); // both JDKs may be used in turn
    markBuilt(Instant.now().plusSeconds(60));
    serve();
    assertThat(classCaches()).hasSize(1).doesNotContain(before);
  }

  @Test
  @DisplayName("makes a class archive instead for a JDK that has no such cache")
  void older() throws Exception {
    jdk("21.0.4");
    serve();
    List<String> recorded = calls();
    assertThat(recorded).hasSize(2);
    assertThat(recorded.getFirst()).contains("-XX:ArchiveClassesAtExit=").doesNotContain("AOT");
    assertThat(recorded.getLast()).contains("-XX:SharedArchiveFile=").doesNotContain("AOT");
  }

  @Test
  @DisplayName("starts without a cache if it cannot be made, and tries to make it only once")
  void broken() throws Exception {
    assertThat(run(Map.of("BROKEN", "yes"), "serve", "--config", "x"))
        .isEqualTo(new Run(0, PREPARING));
    assertServedWithoutCache(calls().stream().filter(call -> !call.contains("train")).toList());
    assertThat(serve()).isEqualTo(new Run(0, ""));
    assertServedWithoutCache(calls());
  }

  @Test
  @DisplayName("starts without a cache where nothing can be written")
  void readOnly() throws Exception {
    Path target = home.resolve("host/target");
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assumeThat(Files.isWritable(target)).as("not root, who may write anywhere").isFalse();
      assertThat(serve()).isEqualTo(new Run(0, ""));
      assertServedWithoutCache(calls());
    } finally {
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  @DisplayName("starts without a cache while another start makes it")
  void atOnce() throws Exception {
    serve();
    Path file = classCaches().getFirst();
    Files.delete(file);
    calls();
    lock(file, Long.toString(ProcessHandle.current().pid()));
    assertThat(serve()).isEqualTo(new Run(0, ""));
    assertServedWithoutCache(calls());
  }

  @Test
  @DisplayName("makes the cache again if the start that was making it was killed")
  void killed() throws Exception {
    serve();
    Path file = classCaches().getFirst();
    Files.delete(file);
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    lock(file, Long.toString(dead.pid()));
    assertThat(serve()).isEqualTo(new Run(0, PREPARING));
    assertServedWith("-XX:AOTCache=");
  }

  private static void lock(Path file, String owner) throws IOException {
    Path lock = Files.createDirectory(Path.of(file + ".lock"));
    Files.writeString(lock.resolve("pid"), owner);
    Files.writeString(lock.resolve("new"), "half");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xshare:off",
        "-XX:SharedArchiveFile=a",
        "-XX:AOTCache=a",
        "-Xmx1g -XX:AOTMode=off"
      })
  @DisplayName("uses no cache beside options for shared classes, or if quick starts are off")
  void ownOptions(String options) throws Exception {
    assertThat(run(Map.of("STROWGER_JAVA_OPTS", options), "serve", "--config", "x"))
        .isEqualTo(new Run(0, ""));
    assertThat(calls()).hasSize(1).allMatch(call -> call.contains(options));
    assertThat(classCaches()).isEmpty();
    assertThat(run(Map.of("STROWGER_QUICK_START", "off"), "serve", "--config", "x"))
        .isEqualTo(new Run(0, ""));
    assertServedWithoutCache(calls());
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "empty", "garbage"})
  @DisplayName(
      "passes options with which the JDK of this test silently ignores a cache that it cannot use")
  void unusable(String content) throws Exception {
    Path file = home.resolve("classes");
    if (!content.equals("none")) {
      Files.writeString(file, content.equals("empty") ? "" : content.repeat(10_000));
    }
    List<String> options =
        Runtime.version().feature() >= 25
            ? List.of("-XX:AOTCache=" + file, "-Xlog:aot*=off", "-Xlog:cds*=off")
            : List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds*=off");
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("--version");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(out.lines().findFirst().orElseThrow()).doesNotContain("[", "rror", "arning");
  }

  @Test
  @DisplayName("trains the cache without output, and leaves no files behind")
  void training() throws IOException {
    List<Path> before = trainingFolders();
    assertThat(new GatewayCommands(Map.of()).run("train"))
        .isEqualTo(new GatewayCommands.Outcome(0, "", ""));
    assertThat(trainingFolders()).isEqualTo(before);
  }

  private static List<Path> trainingFolders() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("strowger-train"))
          .toList();
    }
  }

  @Test
  @DisplayName("passes on which streams are terminals, for colours: here none is")
  void terminals() throws IOException, InterruptedException {
    run(Map.of("STROWGER_QUICK_START", "off"), "check", "--config", "x");
    assertThat(calls()).singleElement().asString().contains(" -Dstrowger.terminal= ");
  }
}
