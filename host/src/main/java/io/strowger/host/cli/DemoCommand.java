package io.strowger.host.cli;

import io.strowger.host.demo.CatalogDemo;
import io.strowger.host.demo.Demo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gateway demo}: shows the gateway at work, without a key and without a network. */
@Command(
    name = "demo",
    description =
        "Shows the gateway at work against simulated providers on this machine; needs no key and no"
            + " network.",
    footerHeading = "%nExample:%n",
    footer = {"  ./gateway demo", "  ./gateway demo --catalog models.json"},
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
  private final CommandContext context;

  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      description =
          "A models.dev price list: explains decisions over it instead, nothing is dispatched"
              + " (default: none).")
  private @Nullable Path catalog;

  DemoCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException, IOException, InterruptedException {
    Path file = catalog;
    if (file == null) {
      new Demo(context.out(), context.ambient()).run();
    } else {
      new CatalogDemo(context.out(), context.ambient())
          .run(file.getFileName().toString(), content(file));
    }
    return CommandLines.DONE;
  }

  private static byte[] content(Path file) throws CommandException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw CommandException.unreadable(file, e);
    }
  }
}
