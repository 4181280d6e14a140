package io.strowger.host.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code gateway bench}: listed for help only. The benchmarks are another program, which the script
 * {@code ./gateway} starts.
 */
@Command(
    name = "bench",
    description =
        "Lists the benchmarks, or runs one of them (./gateway bench explains what there is).",
    footerHeading = "%nExample:%n",
    footer = "  ./gateway bench decide --config gateway.json --request request.json",
    mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
  private final CommandContext context;

  @Parameters(arity = "0..*", paramLabel = "OPTION", description = "Options of the benchmarks.")
  private List<String> options = List.of();

  BenchCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    context
        .err()
        .println(
            "gateway: benchmarks are started by the script: ./gateway bench "
                + String.join(" ", options));
    return CommandLines.USAGE;
  }
}
