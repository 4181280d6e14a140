package io.strowger.host.cli;

import io.strowger.core.PluginDirectory;
import io.strowger.core.UnusablePluginsException;
import io.strowger.core.WhatIf;
import io.strowger.core.WhatIfReport;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.decisionlog.DecisionReplay;
import io.strowger.core.decisionlog.ReplayRouters;
import io.strowger.host.server.RunningGateway;
import io.strowger.host.show.PrettyJson;
import io.strowger.host.show.Quantity;
import io.strowger.host.show.WhatIfView;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code gateway replay}: repeats the decisions of a log, as they were made or under other
 * conditions.
 */
@Command(
    name = "replay",
    description = {
      "Makes every decision of a decision log again, from what the log says it was made from, and "
          + "compares. Exits with 0 when all came out as the log says, with 1 when one did not, or "
          + "could not be compared or read.",
      "With --what-if, --config or both: decides every request of the log again under the new"
          + " conditions, and says which decisions change, and what that means for money and"
          + " latency by the log's own figures, beside fixed rules (cheapest, fastest, first"
          + " listed). Exits with 0 when the whole log could be read, with 1 when a place in it"
          + " could not."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  ./gateway serve --config gateway.json --decisions decisions.log",
      "  ./gateway replay decisions.log",
      "  ./gateway replay decisions.log --what-if '{\"sort\":\"latency\"}'",
      "  ./gateway replay decisions.log --config new.json"
    },
    mixinStandardHelpOptions = true)
final class ReplayCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--what-if",
      paramLabel = "JSON",
      description =
          "Merges these provider preferences into every request: a member replaces the request's"
              + " own, null removes it.")
  private @Nullable String whatIf;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Decides over the models, endpoints, prices and plugin settings of this configuration.")
  private @Nullable Path config;

  @Option(
      names = "--show",
      paramLabel = "N",
      description =
          "How many changed decisions --what-if and --config list (default: ${DEFAULT-VALUE}).")
  private int maxShown = 10;

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description =
          "The configuration file with the settings of the plugins (default: none; with --config,"
              + " the settings of that file).")
  private @Nullable Path settings;

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description = "Loads the plugins of the jars in DIR, instead of the file's plugins_dir.")
  private @Nullable Path plugins;

  @Option(names = "--json", description = "Writes the result as one JSON object.")
  private boolean json;

  @Parameters(paramLabel = "LOG", description = "The decision log.")
  private Path log = Path.of("");

  ReplayCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException {
    if (maxShown < 0) {
      throw new ParameterException(
          spec.commandLine(), "--show must be at least 0, was " + maxShown);
    }
    if (config != null && settings != null) {
      throw new ParameterException(
          spec.commandLine(),
          "leave --settings out: the file of --config has the settings of the plugins");
    }
    Path file = config == null ? settings : config;
    if (file == null) {
      try (PluginDirectory jars = jars()) {
        return decide(jars, null);
      }
    }
    try (ConfigFile.OpenConfig opened = new ConfigFile(file, context, plugins).open()) {
      return decide(opened.plugins(), opened.config());
    }
  }

  private int decide(PluginDirectory jars, @Nullable GatewayConfig gatewayConfig)
      throws CommandException {
    PluginSettings pluginSettings =
        gatewayConfig == null ? PluginSettings.NONE : gatewayConfig.plugins();
    if (whatIf == null && config == null) {
      return replay(jars, pluginSettings);
    }
    WhatIf question =
        WhatIf.over(log)
            .plugins(RunningGateway.plugins(jars))
            .ambient(context.ambient())
            .settings(pluginSettings)
            .maxChanges(maxShown);
    if (whatIf != null) {
      prefer(question, preferences(whatIf));
    }
    if (config != null && gatewayConfig != null) {
      question.configuration(gatewayConfig);
    }
    WhatIfReport report = answer(question);
    show(new WhatIfView(report, config != null));
    return report.counts().damaged() == 0 ? CommandLines.DONE : CommandLines.FAILED;
  }

  private static Json.Obj preferences(String text) throws CommandException {
    if (Json.parseOrNull(text) instanceof Json.Obj object) {
      return object;
    }
    throw new CommandException(
        "--what-if must be a JSON object of provider preferences, such as"
            + " '{\"sort\":\"latency\"}'");
  }

  private static void prefer(WhatIf question, Json.Obj provider) throws CommandException {
    try {
      question.preferences(provider);
    } catch (GatewayException refusal) {
      throw CommandException.ofProblems("--what-if", refusal.error().problems());
    }
  }

  private WhatIfReport answer(WhatIf question) throws CommandException {
    try (var progress = new ProgressLine(context)) {
      return question
          .progress((decisions, bytes) -> progress.show(() -> progress(decisions, bytes)))
          .run();
    } catch (IOException e) {
      throw CommandException.unreadable(log, e);
    } catch (IllegalStateException conflict) {
      throw new CommandException(String.valueOf(conflict.getMessage()));
    }
  }

  /** Returns the progress of a replay as a text, with its share of the log. */
  private String progress(long decisions, long bytes) {
    long totalBytes = log.toFile().length();
    String share = totalBytes <= 0 ? "" : " (" + Math.min(100, 100 * bytes / totalBytes) + " %)";
    return "replayed "
        + Quantity.of(decisions, "decision")
        + ", "
        + Quantity.of(bytes, "byte")
        + share;
  }

  private void show(WhatIfView view) {
    if (json) {
      context.out().println(PrettyJson.pretty(view.toJson()));
    } else {
      view.lines(log.toString(), context.terminal().out()).forEach(context.out()::println);
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
      throw refusal(plugins, e.problems());
    }
    boolean keep = false;
    try {
      List<String> conflicts = RunningGateway.conflicts(opened);
      if (!conflicts.isEmpty()) {
        throw refusal(plugins, conflicts);
      }
      keep = true;
      return opened;
    } catch (IllegalStateException conflict) {
      throw new CommandException(String.valueOf(conflict.getMessage()));
    } finally {
      if (!keep) {
        opened.close();
      }
    }
  }

  private static CommandException refusal(Path directory, List<String> problems) {
    return CommandException.ofProblems(
        directory.toString(), problems.stream().map(ConfigFile::optionProblem).toList());
  }

  private ReplayRouters routers(PluginDirectory jars, PluginSettings settings)
      throws CommandException {
    try {
      return ReplayRouters.of(RunningGateway.plugins(jars), settings, context.ambient());
    } catch (IllegalStateException conflict) {
      throw new CommandException(String.valueOf(conflict.getMessage()));
    }
  }

  private int replay(PluginDirectory jars, PluginSettings settings) throws CommandException {
    DecisionReplay.Result result;
    ReplayReport report;
    try (var progress = new ProgressLine(context);
        ReplayRouters routers = routers(jars, settings);
        InputStream in = new BufferedInputStream(Files.newInputStream(log))) {
      report =
          new ReplayReport(
              log, (decisions, bytes) -> progress.show(() -> progress(decisions, bytes)));
      result = DecisionReplay.replayLog(in, routers, report);
    } catch (IOException e) {
      throw CommandException.unreadable(log, e);
    }
    if (json) {
      context.out().println(PrettyJson.pretty(report.json(result)));
    } else {
      report.text(result, context.terminal().out()).forEach(context.out()::println);
    }
    return result.isClean() ? CommandLines.DONE : CommandLines.FAILED;
  }
}
