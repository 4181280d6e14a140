package io.strowger.host.cli;

import io.strowger.spi.ambient.Ambient;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a command has to do with the world.
 *
 * @param in standard input
 * @param out results
 * @param err complaints and notes
 * @param environment a variable's value; null when it is not set
 * @param ambient clock, random numbers and threads
 * @param terminal how people see the output
 */
public record CommandContext(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Function<String, @Nullable String> environment,
    Ambient ambient,
    Terminal terminal) {
  /** Creates the context of a command whose output goes to no terminal. */
  public CommandContext(
      InputStream in,
      PrintStream out,
      PrintStream err,
      Function<String, @Nullable String> environment,
      Ambient ambient) {
    this(in, out, err, environment, ambient, Terminal.NONE);
  }

  /** Returns the process's own. */
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
