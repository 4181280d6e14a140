package io.strowger.host.cli;

import io.strowger.spi.store.StoreRefusedException;
import io.strowger.spi.store.StoreUnavailableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Runs commands. Exit codes: 0 success, 1 failure (explained in a sentence on standard error), 2
 * invalid command line, 70 a bug of this program.
 */
public final class CommandLines {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int INTERNAL = 70;

  private static final String NAME = "gateway";
  private static final String HELP = "help";

  /** Commands that need the table of all commands. */
  private static final Set<String> NEEDS_ALL_COMMANDS = Set.of(HELP, "completion");

  private static final Map<String, String> EXIT_CODES = exitCodes();

  private static final Logger LOG = LoggerFactory.getLogger(CommandLines.class);

  private CommandLines() {}

  private static Map<String, String> exitCodes() {
    var codes = new LinkedHashMap<String, String>();
    codes.put(" " + DONE, "done");
    codes.put(" " + FAILED, "the command failed; a sentence on standard error says why");
    codes.put(" " + USAGE, "the command line was not understood");
    codes.put(String.valueOf(INTERNAL), "an error of this program");
    return codes;
  }

  /** Runs the command that the arguments name and returns its exit code; never throws. */
  public static int run(CommandContext context, String... args) {
    ServeArguments serve = ServeArguments.read(args);
    if (serve == null) {
      return runParsed(context, args);
    }
    try {
      return ServeRunner.run(serve, context);
    } catch (Exception e) {
      return report(context, e);
    }
  }

  private static int runParsed(CommandContext context, String... args) {
    CommandLine line = commandLine(context, args.length == 0 ? "" : args[0]);
    line.setOut(new PrintWriter(context.out(), true, context.out().charset()));
    line.setErr(new PrintWriter(context.err(), true, context.err().charset()));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    CommandLine.IParameterExceptionHandler defaultHandler = line.getParameterExceptionHandler();
    line.setParameterExceptionHandler(
        (exception, arguments) ->
            defaultHandler.handleParseException(nameUnknownOption(exception), arguments));
    line.setExecutionExceptionHandler((e, command, parsed) -> report(context, e));
    return line.execute(args);
  }

  /**
   * Returns the table of commands.
   *
   * @param first the first argument; if it names a command that needs no others, the table contains
   *     only this command, since building all of them would slow down the start
   */
  private static CommandLine commandLine(CommandContext context, String first) {
    CommandLine line = new CommandLine(new RootCommand());
    Map<String, Supplier<Object>> commands = commands(context);
    boolean isSingle = commands.containsKey(first) && !NEEDS_ALL_COMMANDS.contains(first);
    commands.forEach(
        (name, command) -> {
          if (!isSingle || name.equals(first)) {
            line.addSubcommand(name, command.get());
          }
        });
    line.setUsageHelpAutoWidth(false).setUsageHelpWidth(100);
    // picocli has one color scheme for both streams
    boolean colored = context.terminal().out().isColored() && context.terminal().err().isColored();
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            colored ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
    explainExitCodes(line);
    return line;
  }

  private static void explainExitCodes(CommandLine line) {
    line.getCommandSpec()
        .usageMessage()
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(EXIT_CODES);
    line.getSubcommands().values().forEach(CommandLines::explainExitCodes);
  }

  private static Map<String, Supplier<Object>> commands(CommandContext context) {
    var commands = new LinkedHashMap<String, Supplier<Object>>();
    commands.put("demo", () -> new DemoCommand(context));
    commands.put("init", () -> new InitCommand(context));
    commands.put("check", () -> new CheckCommand(context));
    commands.put("serve", () -> new ServeCommand(context));
    commands.put("explain", () -> new ExplainCommand(context));
    commands.put("replay", () -> new ReplayCommand(context));
    commands.put(
        "catalog",
        () ->
            new CommandLine(new CatalogCommand()).addSubcommand(new CatalogImportCommand(context)));
    commands.put("nodes", () -> new NodesCommand(context));
    commands.put("lines", () -> new LinesCommand(context));
    commands.put("prepare", () -> new PrepareCommand(context));
    commands.put(
        "bench",
        () ->
            // the options are those of the benchmarks, which this program does not know
            new CommandLine(new BenchCommand(context))
                .setUnmatchedOptionsArePositionalParams(true));
    commands.put("completion", () -> new CompletionCommand(context));
    commands.put(HELP, HelpCommand::new);
    commands.put("train", () -> new TrainCommand(context));
    return commands;
  }

  /**
   * Returns the most helpful exception for a misspelt option, which picocli may report as a missing
   * option or as an unexpected value: one that names the unknown option and suggests similar ones.
   */
  private static ParameterException nameUnknownOption(ParameterException exception) {
    List<String> unmatched = exception.getCommandLine().getUnmatchedArguments();
    boolean isCommand = !exception.getCommandLine().getSubcommands().isEmpty();
    if (isCommand && !unmatched.isEmpty() && !unmatched.getFirst().startsWith("-")) {
      return exception; // the command itself is misspelt, so the rest are not options of this one
    }
    List<String> options = unmatched.stream().filter(argument -> argument.startsWith("-")).toList();
    return options.isEmpty()
        ? exception
        : new UnmatchedArgumentException(exception.getCommandLine(), options);
  }

  private static int report(CommandContext context, Exception e) {
    String name = context.terminal().err().error("gateway: ");
    switch (e) {
      case CommandException failure -> {
        context.err().println(name + failure.getMessage());
        failure.details().forEach(line -> context.err().println("  " + line));
      }
      case StoreRefusedException refusal -> context.err().println(name + refusal.sentence());
      case StoreUnavailableException outage -> context.err().println(name + outage.getMessage());
      case IOException failure -> context.err().println(name + failure.getMessage());
      default -> {
        LOG.debug("a command failed", e);
        context.err().println(name + "internal error, please report it: " + e);
        return INTERNAL;
      }
    }
    return FAILED;
  }

  @Command(
      name = NAME,
      description = "A gateway to language models.",
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      synopsisSubcommandLabel = "COMMAND",
      commandListHeading = "%nCommands (gateway help COMMAND explains one):%n",
      footerHeading = "%nExample:%n",
      footer = {
        "  ./gateway demo                           everything at work, without a key or a network",
        "  ./gateway init                           a first configuration, explained",
        "  ./gateway serve --config gateway.json    the API at http://127.0.0.1:8080/api/v1"
      })
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
      footerHeading = "%nExample:%n",
      footer = "  ./gateway catalog import --from models-dev --out gateway.json models.json",
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

  @Command(
      name = HELP,
      description = "Explains a command, or lists all of them.",
      footerHeading = "%nExample:%n",
      footer = "  ./gateway help catalog import",
      mixinStandardHelpOptions = true)
  private static final class HelpCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
        arity = "0..*",
        paramLabel = "COMMAND",
        description = "The command, such as serve or catalog import (default: all of them).")
    private List<String> names = List.of();

    @Override
    public Integer call() {
      CommandLine command = spec.commandLine().getParent();
      for (String name : names) {
        CommandLine next = command.getSubcommands().get(name);
        if (next == null) {
          throw new ParameterException(
              command, command.getCommandSpec().qualifiedName() + " has no command " + name);
        }
        command = next;
      }
      command.usage(command.getOut());
      return DONE;
    }
  }

  /** Returns the version of this build and of Java. */
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
