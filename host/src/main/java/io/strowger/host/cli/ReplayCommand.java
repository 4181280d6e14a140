package io.strowger.host.cli;

import io.strowger.core.PluginDirectory;
import io.strowger.core.UnusablePluginsException;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.decisionlog.DecisionReplay;
import io.strowger.core.decisionlog.ReplayRouters;
import io.strowger.host.server.RunningGateway;
import io.strowger.host.show.PrettyJson;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gateway replay}: makes the decisions of a log again and compares. */
@Command(
    name = "replay",
    description = {
      "Makes every decision of a decision log again, from what the log says it was made from, and "
          + "compares.",
      "Exits with 0 when all came out as the log says, with 1 when one did not, or could not be "
          + "compared or read."
    },
    mixinStandardHelpOptions = true)
final class ReplayCommand implements Callable<Integer> {
  private final CommandContext context;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration file whose settings plugins are made with.")
  private @Nullable Path config;

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description = "Loads the plugins of the jars in DIR, instead of the file's plugins_dir.")
  private @Nullable Path plugins;

  @Option(names = "--json", description = "Writes what was found as one JSON object.")
  private boolean json;

  @Parameters(paramLabel = "LOG", description = "The decision log.")
  private Path log = Path.of("");

  ReplayCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException {
    if (config == null) {
      try (PluginDirectory jars = jars()) {
        return replay(jars, PluginSettings.NONE);
      }
    }
    try (ConfigFile.Opened opened = new ConfigFile(config, context, plugins).open()) {
      return replay(opened.plugins(), opened.config().plugins());
    }
  }

  private PluginDirectory jars() throws CommandException {
    if (plugins == null) {
      return PluginDirectory.none(context.ambient());
    }
    PluginDirectory opened;
    try {
      opened = PluginDirectory.none(context.ambient()).reload(plugins);
    } catch (UnusablePluginsException e) {
      throw refused(plugins, e.problems());
    }
    boolean kept = false;
    try {
      List<String> conflicts = RunningGateway.conflicts(opened);
      if (!conflicts.isEmpty()) {
        throw refused(plugins, conflicts);
      }
      kept = true;
      return opened;
    } catch (IllegalStateException apart) {
      throw new CommandException(String.valueOf(apart.getMessage()));
    } finally {
      if (!kept) {
        opened.close();
      }
    }
  }

  private static CommandException refused(Path directory, List<String> problems) {
    return CommandException.ofProblems(
        directory.toString(), problems.stream().map(ConfigFile::ofOption).toList());
  }

  private ReplayRouters routers(PluginDirectory jars, PluginSettings settings)
      throws CommandException {
    try {
      return ReplayRouters.of(RunningGateway.plugins(jars), settings, context.ambient());
    } catch (IllegalStateException apart) {
      throw new CommandException(String.valueOf(apart.getMessage()));
    }
  }

  private int replay(PluginDirectory jars, PluginSettings settings) throws CommandException {
    var report = new ReplayReport(log, context);
    DecisionReplay.Result result;
    try (ReplayRouters routers = routers(jars, settings);
        InputStream in = new BufferedInputStream(Files.newInputStream(log))) {
      result = DecisionReplay.of(in, routers, report);
    } catch (IOException e) {
      throw CommandException.unreadable(log, e);
    }
    if (json) {
      context.out().println(PrettyJson.pretty(report.json(result)));
    } else {
      report.text(result).forEach(context.out()::println);
    }
    return result.isClean() ? CommandLines.DONE : CommandLines.FAILED;
  }
}
