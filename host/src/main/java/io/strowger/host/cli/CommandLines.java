package io.strowger.host.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
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
  public static int run(CommandContext context, String... args) {
    CommandLine line = new CommandLine(new RootCommand());
    Map<String, Supplier<Object>> commands = commands(context);
    // reading all of them takes longer than a start should
    boolean isOne = args.length > 0 && commands.containsKey(args[0]);
    commands.forEach(
        (name, command) -> {
          if (!isOne || name.equals(args[0])) {
            line.addSubcommand(name, command.get());
          }
        });
    line.setOut(new PrintWriter(context.out(), true, context.out().charset()));
    line.setErr(new PrintWriter(context.err(), true, context.err().charset()));
    line.setUsageHelpAutoWidth(false).setUsageHelpWidth(100);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    CommandLine.IParameterExceptionHandler usual = line.getParameterExceptionHandler();
    line.setParameterExceptionHandler(
        (wrong, given) -> usual.handleParseException(misspelt(wrong), given));
    line.setExecutionExceptionHandler((e, command, parsed) -> complain(context, e));
    return line.execute(args);
  }

  private static Map<String, Supplier<Object>> commands(CommandContext context) {
    var commands = new LinkedHashMap<String, Supplier<Object>>();
    commands.put("demo", () -> new DemoCommand(context));
    commands.put("serve", () -> new ServeCommand(context));
    commands.put("check", () -> new CheckCommand(context));
    commands.put("nodes", () -> new NodesCommand(context));
    commands.put("lines", () -> new LinesCommand(context));
    commands.put("explain", () -> new ExplainCommand(context));
    commands.put("replay", () -> new ReplayCommand(context));
    commands.put(
        "catalog",
        () ->
            new CommandLine(new CatalogCommand()).addSubcommand(new CatalogImportCommand(context)));
    commands.put("bench", () -> new BenchCommand(context));
    commands.put("train", () -> new TrainCommand(context));
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

  private static int complain(CommandContext context, Exception e) {
    if (e instanceof CommandException complaint) {
      context.err().println("gateway: " + complaint.getMessage());
      complaint.details().forEach(line -> context.err().println("  " + line));
      return FAILED;
    }
    if (e instanceof IOException) {
      context.err().println("gateway: " + e.getMessage());
      return FAILED;
    }
    LOG.debug("a command failed", e);
    context.err().println("gateway: internal error, please report it: " + e);
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

  /** Says which build this is. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Version.class.getPackage().getImplementationVersion();
      return new String[] {
        "strowger "
            + Objects.requireNonNullElse(version, "(not packaged)")
            + ", Java "
            + Runtime.version()
      };
    }
  }
}
