package io.strowger.host;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.host.cli.CommandContext;
import io.strowger.host.cli.CommandLines;

/** The main class of {@code ./gateway}: runs one command and exits with its exit code. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    CarrierThreads.setCarriers(System.getProperties(), Runtime.getRuntime().availableProcessors());
    Logs.quietLibraries();
    CommandContext context = CommandContext.standard(new SystemAmbient());
    int code = CommandLines.run(context, args);
    context.out().flush();
    System.exit(code);
  }
}
