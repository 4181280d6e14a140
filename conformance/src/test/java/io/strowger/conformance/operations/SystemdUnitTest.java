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

@DisplayName("The unit of systemd")
class SystemdUnitTest {
  private static final Path UNIT = ContainerFiles.ROOT.resolve("host/systemd/strowger.service");
  private static final String TOOL = "systemd-analyze";

  @TempDir private Path folder;

  private static List<String> lines() throws IOException {
    return Files.readAllLines(UNIT).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .toList();
  }

  /** What a command said; the first line is its exit code. */
  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + "\n" + said;
  }

  private static void assumeTool() {
    boolean there =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(path -> Files.isExecutable(Path.of(path, TOOL)));
    assumeThat(there).as(TOOL + " is not installed on this machine").isTrue();
  }

  /** The unit with the JVM of this test, for there need not be one at the path it names. */
  private Path here() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String text =
        Files.readString(UNIT).replace("ExecStart=/usr/bin/java ", "ExecStart=" + java + " ");
    return Files.writeString(folder.resolve("strowger.service"), text);
  }

  @Test
  @DisplayName("starts the same program as the image, with its configuration and data elsewhere")
  void command() throws IOException {
    var command =
        new ArrayList<>(
            ContainerFiles.command(ContainerFiles.list(ContainerFiles.last("CMD").words())));
    command.set(0, "/usr/bin/java");
    assertThat(lines()).contains("ExecStart=" + String.join(" ", command));
  }

  @Test
  @DisplayName("takes rights away, keeps keys in a file of root's, and has a directory of its own")
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
  @DisplayName("is one that systemd has nothing to say about")
  void verified() throws Exception {
    assumeTool();
    assertThat(run(TOOL, "verify", "--man=no", here().toString())).isEqualTo("0\n");
  }

  @Test
  @DisplayName("exposes less than 2 of 10 by systemd's own measure")
  void exposure() throws Exception {
    assumeTool();
    assumeThat(run(TOOL, "security", "--help")).as("an old " + TOOL).contains("--offline");
    String said =
        run(TOOL, "security", "--offline=yes", "--threshold=20", "--no-pager", here().toString());
    assertThat(said).startsWith("0\n").contains("Overall exposure level");
  }
}
