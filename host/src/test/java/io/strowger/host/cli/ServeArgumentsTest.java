package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@DisplayName("The arguments of serve")
class ServeArgumentsTest {
  private static ServeArguments readByPicocli(String[] args) {
    var out = new ByteArrayOutputStream();
    var command = new ServeCommand(new GatewayCommands(Map.of()).context(out, out));
    new CommandLine(command).parseArgs(Arrays.copyOfRange(args, 1, args.length));
    return command.arguments();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serve --config gateway.json",
        "serve --config /etc/strowger/gateway.json --data /var/lib/strowger",
        "serve --port 0 --config a=b.yaml --host ::1",
        "serve --decisions d --plugins p --data x/../y --port 65535 --host 0.0.0.0 --config g.json"
      })
  @DisplayName("are read in their usual form as picocli reads them")
  void plain(String line) {
    String[] args = line.split(" ");
    assertThat(ServeArguments.read(args)).isNotNull().isEqualTo(readByPicocli(args));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "check --config g.json",
        "serve",
        "serve --help",
        "serve --port 1",
        "serve --config",
        "serve --config=g.json",
        "serve --config @arguments",
        "serve --config g.json --config h.json",
        "serve --config --data",
        "serve --config g.json --port -1",
        "serve --config g.json --port 65536",
        "serve --config g.json --port 080",
        "serve --config g.json --port http",
        "serve --config g.json --dta x",
        "serve --config g.json extra"
      })
  @DisplayName("are left to picocli in every other form")
  void others(String line) {
    assertThat(ServeArguments.read(line.split(" "))).isNull();
  }

  @Test
  @DisplayName("may be empty, which is left to picocli, too")
  void empty() {
    assertThat(ServeArguments.read()).isNull();
    assertThat(ServeArguments.read("serve", "--config", "")).isNull();
    assertThat(ServeArguments.read("serve", "--config", " "))
        .extracting("config")
        .isEqualTo(Path.of(" "));
  }
}
