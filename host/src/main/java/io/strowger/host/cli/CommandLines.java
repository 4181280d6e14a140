package io.strowger.host.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Runs commands. Exit codes: 0 done, 1 it cannot be done (said in a sentence on standard error), 2
 * wrongly asked, 70 an error of this program.
 */
public final class CommandLines {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int INTERNAL = 70;

  private static final Logger LOG = LoggerFactory.getLogger(CommandLines.class);

  private CommandLines() {}

  /** Runs the command the arguments name; returns the exit code, never throws. */
  public static int run(CommandContext terminal, String... args) {
    CommandLine line = new CommandLine(new RootCommand());
    Map<String, Supplier<Object>> commands = commands(terminal);
    // reading all of them takes longer than a start should
    boolean isOne = args.length > 0 && commands.containsKey(args[0]);
    commands.forEach(
        (name, command) -> {
          if (!isOne || name.equals(args[0])) {
            line.addSubcommand(name, command.get());
          }
        });
    line.setOut(new PrintWriter(terminal.out(), true, terminal.out().charset()));
    line.setErr(new PrintWriter(terminal.err(), true, terminal.err().charset()));
    line.setUsageHelpAutoWidth(false).setUsageHelpWidth(100);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    CommandLine.IParameterExceptionHandler usual = line.getParameterExceptionHandler();
    line.setParameterExceptionHandler(
        (wrong, given) -> usual.handleParseException(misspelt(wrong), given));
    line.setExecutionExceptionHandler((e, command, parsed) -> complain(terminal, e));
    return line.execute(args);
  }

  private static Map<String, Supplier<Object>> commands(CommandContext terminal) {
    var commands = new LinkedHashMap<String, Supplier<Object>>();
    commands.put("demo", () -> new DemoCommand(terminal));
    commands.put("serve", () -> new ServeCommand(terminal));
    commands.put("check", () -> new CheckCommand(terminal));
    commands.put("nodes", () -> new NodesCommand(terminal));
    commands.put("lines", () -> new LinesCommand(terminal));
    commands.put("explain", () -> new ExplainCommand(terminal));
    commands.put("replay", () -> new ReplayCommand(terminal));
    commands.put(
        "catalog",
        () ->
            new CommandLine(new CatalogCommand())
                .addSubcommand(new CatalogImportCommand(terminal)));
    commands.put("bench", () -> new BenchCommand(terminal));
    commands.put("train", () -> new TrainCommand(terminal));
    return commands;
  }

  /**
   * An option that is misspelt is also missing, and its value stands alone: what helps is the name
   * that was probably meant.
   */
  private static ParameterException misspelt(ParameterException wrong) {
    List<String> options =
        wrong.getCommandLine().getUnmatchedArguments().stream()
            .filter(argument -> argument.startsWith("-"))
            .toList();
    return options.isEmpty()
        ? wrong
        : new UnmatchedArgumentException(wrong.getCommandLine(), options);
  }

  private static int complain(CommandContext terminal, Exception e) {
    if (e instanceof CommandException complaint) {
      terminal.err().println("gateway: " + complaint.getMessage());
      complaint.details().forEach(line -> terminal.err().println("  " + line));
      return FAILED;
    }
    if (e instanceof IOException) {
      terminal.err().println("gateway: " + e.getMessage());
      return FAILED;
    }
    LOG.debug("a command failed", e);
    terminal.err().println("gateway: internal error, please report it: " + e);
    return INTERNAL;
  }

  @Command(
      name = "gateway",
      description = "A gateway to language models.",
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      synopsisSubcommandLabel = "COMMAND")
  private static final class RootCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      spec.commandLine().usage(spec.commandLine().getErr());
      return USAGE;
    }
  }

  @Command(
      name = "catalog",
      description = "Works with price lists.",
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "COMMAND")
  private static final class CatalogCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      spec.commandLine().usage(spec.commandLine().getErr());
      return USAGE;
    }
  }
}
