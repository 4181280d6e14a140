package io.strowger.host.cli;

import io.strowger.core.PluginDirectory;
import io.strowger.core.UnusablePluginsException;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.ConfigResult;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.StoreSettings;
import io.strowger.core.json.JacksonCodec;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.JsonPointer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A configuration file with its directory of plugins. Each call reads the file and the directory
 * again.
 *
 * @param plugins the directory of plugins, used instead of the file's {@code plugins_dir}; null to
 *     use the file's, if it names one
 */
public record ConfigFile(Path file, CommandContext context, @Nullable Path plugins) {
  private static final Logger LOG = LoggerFactory.getLogger("gateway");
  private static final JsonPointer PLUGINS_DIR = JsonPointer.ROOT.child("plugins_dir");
  private static final Pattern PROTOCOL = Pattern.compile("/providers/[0-9]+/protocol");
  private static final String JAR_HINT =
      ", or a protocol of an adapter in a jar; to load jars, set --plugins or plugins_dir";

  /** Creates a configuration file whose plugins are in its {@code plugins_dir}, if it names one. */
  public ConfigFile(Path file, CommandContext context) {
    this(file, context, null);
  }

  /** The result of reading a file. */
  public sealed interface Result {}

  /**
   * The file is valid and its plugins are loaded.
   *
   * @param plugins the loaded plugins, which the caller closes
   */
  public record OpenConfig(GatewayConfig config, PluginDirectory plugins)
      implements Result, AutoCloseable {
    @Override
    public void close() {
      plugins.close();
    }
  }

  /**
   * The file or its plugins cannot be used; nothing is left open.
   *
   * @param source the file or directory that cannot be used, as shown to users
   * @param problems the problems; at least one
   */
  public record Refused(String source, List<Problem> problems) implements Result {}

  /**
   * Reads the file and its plugins now.
   *
   * @param current the current plugins, whose unchanged jars are reused; stays open
   * @throws CommandException when the file cannot be read
   */
  Result read(PluginDirectory current) throws CommandException {
    ConfigDocument document;
    try {
      document = ConfigDocument.read(file);
    } catch (YamlDocument.UnreadableException e) {
      return new Refused(file.toString(), List.of(e.problem()));
    }
    return switch (read(document, current)) {
      case OpenConfig opened -> opened;
      case Refused(var source, var problems) -> new Refused(source, document.withLines(problems));
    };
  }

  private Result read(ConfigDocument document, PluginDirectory current) {
    var reader = new ConfigReader(new JacksonCodec(), context.environment());
    Path directory = directory(reader.pluginsDir(document.json()));
    PluginDirectory opened;
    try {
      opened =
          directory == null ? PluginDirectory.none(context.ambient()) : current.reload(directory);
    } catch (UnusablePluginsException e) {
      return new Refused(
          directory.toString(), e.problems().stream().map(this::pluginProblem).toList());
    }
    boolean keep = false;
    try {
      var protocols = new ArrayList<String>();
      List<Problem> problems = checkWithPlugins(opened, () -> conflicts(opened, protocols));
      Result result =
          problems.isEmpty()
              ? checkPlugins(reader.withProtocols(protocols).read(document.json()), opened)
              : new Refused(String.valueOf(directory == null ? file : directory), problems);
      keep = result instanceof OpenConfig;
      return result;
    } finally {
      if (!keep) {
        opened.close();
      }
    }
  }

  /**
   * Returns a problem for each plugin, tool and protocol in the jars that is also built in.
   *
   * @param protocols receives the protocols of the adapters in the jars
   */
  private List<Problem> conflicts(PluginDirectory opened, List<String> protocols) {
    List<String> conflicts = RunningGateway.conflicts(opened);
    protocols.addAll(opened.protocols());
    return conflicts.stream().map(this::pluginProblem).toList();
  }

  /** Lets the plugins check their parts of a configuration; returns it, or all problems. */
  private Result checkPlugins(ConfigResult result, PluginDirectory opened) {
    return switch (result) {
      case ConfigResult.Refused(var problems, var settings) -> {
        // an environment variable that is not set leaves an empty setting, of which the plugin
        // complains at the same place
        Set<JsonPointer> places =
            problems.stream().map(Problem::pointer).collect(Collectors.toSet());
        var allProblems =
            new ArrayList<>(
                opened.isRead() ? problems : problems.stream().map(ConfigFile::withHint).toList());
        checkWithPlugins(opened, () -> RunningGateway.problems(settings, opened, context.ambient()))
            .stream()
            .filter(problem -> !places.contains(problem.pointer()))
            .forEach(allProblems::add);
        yield new Refused(file.toString(), allProblems);
      }
      case ConfigResult.Accepted(var config) -> {
        List<Problem> problems =
            checkWithPlugins(
                opened, () -> RunningGateway.problems(config, opened, context.ambient()));
        yield problems.isEmpty()
            ? new OpenConfig(config, opened)
            : new Refused(file.toString(), problems);
      }
    };
  }

  /** Adds a hint to the problem of an unknown protocol: a jar may contain an adapter for it. */
  private static Problem withHint(Problem problem) {
    boolean isUnknownProtocol =
        PROTOCOL.matcher(problem.pointer().toString()).matches()
            && problem.allowed().startsWith("must be one of ");
    return isUnknownProtocol
        ? new Problem(
            problem.pointer(), problem.allowed() + JAR_HINT, problem.value(), problem.origin())
        : problem;
  }

  /**
   * Returns a problem of the plugins; its place is {@code --plugins} if that option was given, else
   * the file's {@code plugins_dir}.
   */
  private Problem pluginProblem(String reason) {
    return plugins == null ? new Problem(PLUGINS_DIR, reason, "") : optionProblem(reason);
  }

  /** Returns a problem of the directory that the option {@code --plugins} names. */
  static Problem optionProblem(String reason) {
    return new Problem(JsonPointer.ROOT, "--plugins: " + reason, "");
  }

  /**
   * Returns the problems that a check by plugins finds; a failure of a plugin is a problem, too.
   */
  private List<Problem> checkWithPlugins(PluginDirectory opened, Supplier<List<Problem>> check) {
    try {
      return check.get();
    } catch (IllegalStateException conflict) {
      String reason = String.valueOf(conflict.getMessage());
      return List.of(
          checkProblem(opened, opened.isRead() ? reason + "; remove one of the jars" : reason));
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failure) {
      LOG.error("a plugin failed while a configuration was checked", failure);
      return List.of(
          checkProblem(opened, "a plugin failed while the configuration was checked: " + failure));
    }
  }

  private Problem checkProblem(PluginDirectory opened, String reason) {
    return opened.isRead() ? pluginProblem(reason) : new Problem(JsonPointer.ROOT, reason, "");
  }

  private @Nullable Path directory(@Nullable String configured) {
    if (plugins != null || configured == null) {
      return plugins;
    }
    return file.toAbsolutePath().resolveSibling(configured);
  }

  /**
   * Reads the file and its plugins now.
   *
   * @throws CommandException when the file cannot be read or is refused, with every problem
   */
  public OpenConfig open() throws CommandException {
    return switch (read(PluginDirectory.none(context.ambient()))) {
      case OpenConfig opened -> opened;
      case Refused(var source, var problems) -> throw CommandException.ofProblems(source, problems);
    };
  }

  /**
   * Reads the store's settings, for maintenance of the store. Opens no jar and runs no plugin, so
   * the settings of plugins and the names of protocols are not checked; everything else is.
   */
  StoreSettings readStoreSettings() throws CommandException {
    ConfigDocument document;
    try {
      document = ConfigDocument.read(file);
    } catch (YamlDocument.UnreadableException e) {
      throw CommandException.ofProblems(file.toString(), List.of(e.problem()));
    }
    var reader = new ConfigReader(new JacksonCodec(), context.environment()).withAnyProtocol();
    return switch (reader.read(document.json())) {
      case ConfigResult.Accepted(var config) -> config.store();
      case ConfigResult.Refused(var problems, var settings) ->
          throw CommandException.ofProblems(file.toString(), document.withLines(problems));
    };
  }
}
