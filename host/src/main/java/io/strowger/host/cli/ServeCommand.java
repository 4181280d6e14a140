package io.strowger.host.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import sun.misc.Signal;
import sun.misc.SignalHandler;

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
  private static final int LARGEST_PORT = 65_535;
  private static final int KILLED = 143;

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
    var stop = new CountDownLatch(1);
    try (var log = DecisionFile.open(decisions, context.ambient());
        ServedGateway serving =
            ServedGateway.start(
                config.file(context),
                new ServedGateway.Options(host, port, data, log.decisions()))) {
      if (!onSignal("HUP", () -> context.ambient().startService("reload", serving::reload))) {
        context
            .err()
            .println(
                "gateway: SIGHUP is ignored, as it is under nohup; reload with POST"
                    + " /api/v1/admin/reload");
      }
      onSignal("TERM", () -> stopOrHalt(stop));
      onSignal("INT", () -> stopOrHalt(stop));
      serving.onStartFailure(stop::countDown);
      context.out().println("listening on " + serving.uri());
      context.out().flush();
      stop.await();
      serving.throwStartFailure();
    }
    return CommandLines.DONE;
  }

  private static void stopOrHalt(CountDownLatch stop) {
    if (stop.getCount() == 0) {
      Runtime.getRuntime().halt(KILLED);
    }
    stop.countDown();
  }

  /**
   * Runs the action whenever the signal arrives; does nothing on systems that have no such signal.
   * Uses {@code sun.misc.Signal}, since the JDK has no public API for signals.
   *
   * @return false when the process ignores the signal, as one started under {@code nohup} does
   *     SIGHUP: the action never runs then
   */
  private static boolean onSignal(String name, Runnable action) {
    try {
      return Signal.handle(new Signal(name), signal -> action.run()) != SignalHandler.SIG_IGN;
    } catch (IllegalArgumentException unknown) {
      return true; // the system has no such signal, so it never arrives
    }
  }
}
