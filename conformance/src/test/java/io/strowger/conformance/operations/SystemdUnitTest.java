package io.strowger.conformance.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The systemd unit")
class SystemdUnitTest {
  private static final Path UNIT = ContainerFiles.ROOT.resolve("host/systemd/strowger.service");
  private static final String TOOL = "systemd-analyze";

  @TempDir private Path folder;

  private static List<String> lines() throws IOException {
    return Files.readAllLines(UNIT).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .toList();
  }

  /** Runs a command, and returns its exit code in the first line and then its output. */
  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + "\n" + output;
  }

  private static void assumeToolIsInstalled() {
    boolean installed =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(path -> Files.isExecutable(Path.of(path, TOOL)));
    assumeThat(installed).as(TOOL + " is not installed on this machine").isTrue();
  }

  /** Returns a copy of the unit with the path of this JVM, since /usr/bin/java need not exist. */
  private Path unitWithThisJvm() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String text =
        Files.readString(UNIT).replace("ExecStart=/usr/bin/java ", "ExecStart=" + java + " ");
    return Files.writeString(folder.resolve("strowger.service"), text);
  }

  @Test
  @DisplayName("runs the same command as the image")
  void command() throws IOException {
    var command =
        new ArrayList<>(
            ContainerFiles.command(ContainerFiles.list(ContainerFiles.last("CMD").words())));
    command.set(0, "/usr/bin/java");
    assertThat(lines()).contains("ExecStart=" + String.join(" ", command));
  }

  @Test
  @DisplayName(
      "drops privileges, reads keys from a file of root, and has a state directory of its own")
  void hardened() throws IOException {
    assertThat(lines())
        .contains(
            "DynamicUser=yes",
            "NoNewPrivileges=yes",
            "ProtectSystem=strict",
            "ProtectHome=yes",
            "PrivateTmp=yes",
            "CapabilityBoundingSet=",
            "StateDirectory=strowger",
            "StateDirectoryMode=0700",
            "EnvironmentFile=/etc/strowger/keys.env",
            "SystemCallFilter=@system-service")
        .noneMatch(line -> line.startsWith("Environment="));
  }

  @Test
  @DisplayName("passes systemd's verification without a warning")
  void verified() throws Exception {
    assumeToolIsInstalled();
    assertThat(run(TOOL, "verify", "--man=no", unitWithThisJvm().toString())).isEqualTo("0\n");
  }

  @Test
  @DisplayName("has an exposure level of at most 2 of 10 in systemd's security analysis")
  void exposure() throws Exception {
    assumeToolIsInstalled();
    assumeThat(run(TOOL, "security", "--help")).as("an old " + TOOL).contains("--offline");
    String output =
        run(
            TOOL,
            "security",
            "--offline=yes",
            "--threshold=20",
            "--no-pager",
            unitWithThisJvm().toString());
    assertThat(output).startsWith("0\n").contains("Overall exposure level");
  }
}
