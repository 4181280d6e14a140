package io.strowger.host.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code gateway serve}: serves the API over HTTP. */
@Command(
    name = "serve",
    description = {
      "Serves the API over HTTP until it is told to stop.",
      "SIGHUP, or POST /api/v1/admin/reload with a management key, reads the configuration "
          + "and the plugins again. "
          + "SIGTERM and SIGINT let running requests end; a second one does not wait."
    },
    footerHeading = "%nExample:%n",
    footer = "  ./gateway serve --config gateway.json --data data --decisions decisions.log",
    mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  static final int LARGEST_PORT = 65_535;

  private final CommandContext context;

  @Mixin private final SharedOptions.Config config = new SharedOptions.Config();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--host",
      paramLabel = "H",
      description = "Address to listen on (default: the file's, which is 127.0.0.1 if not given).")
  private @Nullable String host;

  @Option(
      names = "--port",
      paramLabel = "P",
      description =
          "Port to listen on; 0 picks a free one (default: the file's, which is 8080 if not"
              + " given).")
  private @Nullable Integer port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = {
        "A directory of this node alone: its journal lives there, and an embedded store unless the "
            + "file names another (default: none; without a store in the file everything is "
            + "forgotten at the end)."
      })
  private @Nullable Path data;

  @Option(
      names = "--decisions",
      paramLabel = "FILE",
      description =
          "Appends every decision to this decision log, for gateway replay (default: none is"
              + " written).")
  private @Nullable Path decisions;

  ServeCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException, InterruptedException {
    if (port != null && (port < 0 || port > LARGEST_PORT)) {
      throw new ParameterException(spec.commandLine(), "--port must be 0 to 65535, was " + port);
    }
    return ServeRunner.run(arguments(), context);
  }

  ServeArguments arguments() {
    return new ServeArguments(config.path(), host, port, data, config.plugins(), decisions);
  }
}
