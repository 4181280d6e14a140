package io.strowger.host.cli;

import java.util.concurrent.CountDownLatch;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/** Serves until a signal ends it: what {@code gateway serve} does once its arguments are read. */
final class ServeRunner {
  private static final int KILLED = 143;

  private ServeRunner() {}

  /**
   * Serves until SIGTERM or SIGINT.
   *
   * @return the exit code
   * @throws CommandException when the gateway cannot be started
   */
  static int run(ServeArguments arguments, CommandContext context)
      throws CommandException, InterruptedException {
    var stop = new CountDownLatch(1);
    try (var log = DecisionFile.open(arguments.decisions(), context.ambient());
        ServedGateway serving =
            ServedGateway.start(
                new ConfigFile(arguments.config(), context, arguments.plugins()),
                new ServedGateway.Options(
                    arguments.host(), arguments.port(), arguments.data(), log.decisions()))) {
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
