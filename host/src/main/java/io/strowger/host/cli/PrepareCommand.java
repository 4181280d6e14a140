package io.strowger.host.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code gateway prepare}: listed for help only. The script {@code ./gateway} builds, before there
 * is a program that could.
 */
@Command(
    name = "prepare",
    description = {
      "Builds what is missing, which takes minutes in a fresh checkout, and keeps the loaded"
          + " classes for quick starts.",
      "Every other command builds what it needs as well; this one does nothing else, for images and"
          + " units that are built once. STROWGER_QUICK_START=off leaves the classes out."
    },
    footerHeading = "%nExample:%n",
    footer = "  ./gateway prepare",
    mixinStandardHelpOptions = true)
final class PrepareCommand implements Callable<Integer> {
  private final CommandContext context;

  PrepareCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    context.err().println("gateway: this is done by the script: ./gateway prepare");
    return CommandLines.USAGE;
  }
}
