package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Help")
class HelpTest {
  private static final String[] COMMANDS = {
    "demo",
    "init",
    "check",
    "serve",
    "explain",
    "replay",
    "catalog",
    "nodes",
    "lines",
    "prepare",
    "bench",
    "completion",
    "help"
  };

  @TempDir private Path folder;
  private final GatewayCommands commands = new GatewayCommands(Map.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo",
        "init",
        "check",
        "serve",
        "explain",
        "replay",
        "catalog import",
        "nodes",
        "lines",
        "bench",
        "completion"
      })
  @DisplayName(
      "on a command has usage, options, exit codes and an example, however it is asked for")
  void command(String command) {
    GatewayCommands.Outcome help = commands.run(("help " + command).split(" "));
    assertThat(help.code()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.out())
        .startsWith("Usage: gateway " + command)
        .contains("--help", "Exit codes:", "70", "Example:", "gateway " + command);
    assertThat(help.out().lines()).allSatisfy(line -> assertThat(line.length()).isLessThan(101));
    assertThat(commands.run((command + " --help").split(" ")).out()).isEqualTo(help.out());
    assertThat(commands.run((command + " -h").split(" ")).out()).isEqualTo(help.out());
  }

  @Test
  @DisplayName("lists every command except those that only the launcher script calls")
  void root() {
    String all = commands.run("--help").out();
    for (String command : COMMANDS) {
      assertThat(all).contains("\n  " + command + " ");
    }
    assertThat(all).doesNotContain("train");
    assertThat(commands.run("help").out()).isEqualTo(all);
  }

  @ParameterizedTest
  @CsvSource({
    "chekc --config x, gateway check",
    "help chekc, gateway has no command chekc",
    "help catalog export, gateway catalog has no command export",
    "init --ot x, --out",
    "replay --what x log, --what-if"
  })
  @DisplayName("for a misspelt word names what was probably meant, and exits with 2")
  void misspelt(String line, String suggestion) {
    GatewayCommands.Outcome outcome = commands.run(line.split(" "));
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).contains(suggestion).doesNotContain("Exception");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  @DisplayName("for shells is a script that knows every command and option")
  void completion(String name) {
    GatewayCommands.Outcome outcome = commands.run("completion", name);
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains(COMMANDS).contains("what-if", "scores", "import", "config");
    assertThat(outcome.out()).contains("models-dev");
  }

  @Test
  @DisplayName("for an unknown shell is refused")
  void otherShell() {
    assertThat(commands.run("completion", "tcsh").code()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "gateway rep, replay",
    "gateway replay --wh, --what-if",
    "gateway catalog imp, import",
    "gateway catalog import --from mod, models-dev"
  })
  @DisplayName("completes words in bash")
  void inBash(String words, String completed) throws Exception {
    Path script = script("bash");
    String[] all = words.split(" ");
    String ask =
        "source %s; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE='%s'; COMP_POINT=%d; COMP_TYPE=9; _complete_gateway; printf '%%s\\n' \"${COMPREPLY[@]}\""
            .formatted(script, words, all.length - 1, words, words.length());
    assertThat(run("bash", "-c", ask)).contains(completed);
  }

  @ParameterizedTest
  @CsvSource({
    "gateway rep, gateway replay",
    "./gateway replay --wh, ./gateway replay --what-if",
    "gateway catalog imp, gateway catalog import",
    "gateway catalog import --from mod, gateway catalog import --from models-dev"
  })
  @DisplayName("completes words in an interactive zsh")
  void inZsh(String words, String completed) throws Exception {
    assumeInstalled("zsh");
    String ask =
        """
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell 'source %s; bindkey "^I" complete-word; echo rea""dy'
        zpty -r shell output '*ready*'
        zpty -w -n shell '%s'$'\t'
        zpty -r shell output '*%s*' && echo completed
        """
            .formatted(script("zsh"), words, completed);
    assertThat(run("zsh", "-f", "-c", ask)).contains("completed");
  }

  @ParameterizedTest
  @CsvSource({
    "gateway rep, replay",
    "gateway replay --wh, --what-if",
    "gateway catalog imp, import",
    "gateway catalog import --from mod, models-dev",
    "gateway completion f, fish"
  })
  @DisplayName("completes words in fish")
  void inFish(String words, String completed) throws Exception {
    assumeInstalled("fish");
    String ask = "source %s; complete -C '%s'".formatted(script("fish"), words);
    assertThat(run("fish", "--no-config", "-c", ask).lines())
        .anyMatch(line -> line.equals(completed) || line.startsWith(completed + "\t"));
  }

  private Path script(String name) throws IOException {
    return Files.writeString(folder.resolve("s"), commands.run("completion", name).out());
  }

  private static void assumeInstalled(String name) {
    boolean isInstalled =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
    Assumptions.assumeTrue(isInstalled, name + " is not installed");
  }

  private String run(String... words) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).as(Arrays.toString(words)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(output);
  }
}
