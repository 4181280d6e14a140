package io.strowger.host.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code gateway completion}: prints a completion script for a shell, made from the table of
 * commands.
 */
@Command(
    name = "completion",
    description = {
      "Prints a script that completes commands, options and files in a shell.",
      "It completes the words after ./gateway, and after gateway when that is on the path."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  source <(./gateway completion bash)                                    bash, this shell",
      "  source <(./gateway completion zsh)                                     zsh, this shell",
      "  ./gateway completion fish > ~/.config/fish/completions/gateway.fish    fish, every shell"
    },
    mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A shell for which there is a script. */
  enum Shell {
    bash,
    zsh,
    fish
  }

  @Parameters(paramLabel = "bash|zsh|fish", description = "The shell.")
  private Shell shell = Shell.bash;

  CompletionCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    CommandLine gateway = Objects.requireNonNull(spec.commandLine().getParent());
    context
        .out()
        .print(
            switch (shell) {
              // the bash script also works in zsh, where it loads zsh's emulation of bash
              // completion
              case bash, zsh -> AutoComplete.bash("gateway", gateway);
              case fish -> fish(gateway);
            });
    return CommandLines.DONE;
  }

  private static String fish(CommandLine gateway) {
    var script = new StringBuilder("# completes the words after gateway\ncomplete -c gateway -f\n");
    options(script, gateway.getCommandSpec(), "__fish_use_subcommand");
    subcommands(script, gateway, "__fish_use_subcommand");
    return script.toString();
  }

  private static void subcommands(StringBuilder script, CommandLine parent, String when) {
    for (Map.Entry<String, CommandLine> each : parent.getSubcommands().entrySet()) {
      String name = each.getKey();
      CommandLine command = each.getValue();
      if (command.getCommandSpec().usageMessage().hidden()) {
        continue;
      }
      String[] description = command.getCommandSpec().usageMessage().description();
      script.append(
          "complete -c gateway -n %s -a %s -d %s%n"
              .formatted(quote(when), name, quote(description.length == 0 ? "" : description[0])));
      String seen = "__fish_seen_subcommand_from " + name;
      options(script, command.getCommandSpec(), seen);
      String inner = String.join(" ", command.getSubcommands().keySet());
      if (!inner.isEmpty()) {
        subcommands(script, command, seen + "; and not __fish_seen_subcommand_from " + inner);
      }
    }
  }

  private static void options(StringBuilder script, CommandSpec command, String when) {
    for (OptionSpec option : command.options()) {
      script.append("complete -c gateway -n ").append(quote(when));
      for (String name : option.names()) {
        boolean isLong = name.startsWith("--");
        script.append(isLong ? " -l " : " -s ").append(name.replaceFirst("^--?", ""));
      }
      if (option.arity().max() > 0) {
        script.append(isFile(option) ? " -r -F" : " -x");
        List<String> words = words(option);
        if (!words.isEmpty()) {
          script.append(" -a ").append(quote(String.join(" ", words)));
        }
      }
      String[] description = option.description();
      script
          .append(" -d ")
          .append(quote(description.length == 0 ? "" : description[0]))
          .append('\n');
    }
    for (ArgSpec parameter : command.positionalParameters()) {
      List<String> words = words(parameter);
      if (isFile(parameter)) {
        script.append("complete -c gateway -n ").append(quote(when)).append(" -F\n");
      } else if (!words.isEmpty()) {
        script.append(
            "complete -c gateway -n %s -a %s%n"
                .formatted(quote(when), quote(String.join(" ", words))));
      }
    }
  }

  private static boolean isFile(ArgSpec argument) {
    return argument.type() == Path.class || argument.type() == File.class;
  }

  /** Returns the allowed values of an argument; empty when any value is allowed. */
  private static List<String> words(ArgSpec argument) {
    var words = new ArrayList<String>();
    if (argument.completionCandidates() instanceof Iterable<String> candidates) {
      candidates.forEach(words::add);
    }
    return words;
  }

  private static String quote(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
