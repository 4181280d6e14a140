package io.strowger.host.cli;

import io.strowger.spi.ambient.Ambient;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The streams, environment and ambient of a command.
 *
 * @param in standard input
 * @param out standard output, for results
 * @param err standard error, for error messages and notes
 * @param environment returns the value of an environment variable; null when it is not set
 * @param ambient the source of time, random numbers and threads
 * @param terminal the properties of the terminal that shows the output
 */
public record CommandContext(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Function<String, @Nullable String> environment,
    Ambient ambient,
    Terminal terminal) {
  /** Creates the context of a command whose output does not go to a terminal. */
  public CommandContext(
      InputStream in,
      PrintStream out,
      PrintStream err,
      Function<String, @Nullable String> environment,
      Ambient ambient) {
    this(in, out, err, environment, ambient, Terminal.NONE);
  }

  /** Returns a context with the streams, the environment and the terminal of this process. */
  public static CommandContext standard(Ambient ambient) {
    return new CommandContext(
        System.in,
        System.out,
        System.err,
        System::getenv,
        ambient,
        Terminal.of(System.getProperty("strowger.terminal"), System::getenv));
  }
}
