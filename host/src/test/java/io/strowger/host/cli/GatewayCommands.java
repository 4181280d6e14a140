package io.strowger.host.cli;

import io.strowger.core.ambient.SystemAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Runs commands of the gateway in this process and captures their output. */
final class GatewayCommands {
  private final Map<String, String> environment;
  private String input = "";

  /** The exit code and the output of a command. */
  record Outcome(int code, String out, String err) {}

  GatewayCommands(Map<String, String> environment) {
    this.environment = environment;
  }

  GatewayCommands input(String text) {
    input = text;
    return this;
  }

  Outcome run(String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int code = CommandLines.run(context(out, err), arguments);
    return new Outcome(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  CommandContext context(ByteArrayOutputStream out, ByteArrayOutputStream err) {
    return new CommandContext(
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        environment::get,
        new SystemAmbient());
  }
}
