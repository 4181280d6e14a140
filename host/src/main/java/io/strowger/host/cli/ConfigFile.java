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
 * A configuration file with its directory of plugins. Each call reads both again.
 *
 * @param plugins the directory of plugins instead of the file's {@code plugins_dir}; null: the
 *     file's, if it names one
 */
public record ConfigFile(Path file, CommandContext context, @Nullable Path plugins) {
  private static final Logger LOG = LoggerFactory.getLogger("gateway");
  private static final JsonPointer PLUGINS_DIR = JsonPointer.ROOT.child("plugins_dir");
  private static final Pattern PROTOCOL = Pattern.compile("/providers/[0-9]+/protocol");
  private static final String JAR =
      ", or that of an adapter in a jar: give its directory with --plugins or plugins_dir";

  /** Creates a configuration file whose plugins are in its {@code plugins_dir}, if it names one. */
  public ConfigFile(Path file, CommandContext context) {
    this(file, context, null);
  }

  /** The result of reading a file. */
  public sealed interface Read {}

  /**
   * The file is valid and its plugins are loaded.
   *
   * @param plugins the loaded plugins, which the caller closes
   */
  public record Opened(GatewayConfig config, PluginDirectory plugins)
      implements Read, AutoCloseable {
    @Override
    public void close() {
      plugins.close();
    }
  }

  /**
   * The file or its plugins cannot be used; nothing is left open.
   *
   * @param what the file or directory that cannot be used, for people
   * @param problems the problems; at least one
   */
  public record Refused(String what, List<Problem> problems) implements Read {}

  /**
   * Reads both now.
   *
   * @param before the current plugins, whose unchanged jars are reused; stays open
   * @throws CommandException when the file cannot be read
   */
  Read read(PluginDirectory before) throws CommandException {
    ConfigDocument document;
    try {
      document = ConfigDocument.read(file);
    } catch (YamlDocument.UnreadableException e) {
      return new Refused(file.toString(), List.of(e.problem()));
    }
    return switch (read(document, before)) {
      case Opened opened -> opened;
      case Refused(var what, var problems) -> new Refused(what, document.located(problems));
    };
  }

  private Read read(ConfigDocument document, PluginDirectory before) {
    var reader = new ConfigReader(new JacksonCodec(), context.environment());
    Path directory = directory(reader.pluginsDir(document.json()));
    PluginDirectory opened;
    try {
      opened =
          directory == null ? PluginDirectory.none(context.ambient()) : before.reload(directory);
    } catch (UnusablePluginsException e) {
      return new Refused(directory.toString(), e.problems().stream().map(this::ofPlugins).toList());
    }
    boolean kept = false;
    try {
      var protocols = new ArrayList<String>();
      List<Problem> problems = checkedByPlugins(opened, () -> conflicts(opened, protocols));
      Read read =
          problems.isEmpty()
              ? read(reader.withProtocols(protocols).read(document.json()), opened)
              : new Refused(String.valueOf(directory == null ? file : directory), problems);
      kept = read instanceof Opened;
      return read;
    } finally {
      if (!kept) {
        opened.close();
      }
    }
  }

  /**
   * Returns problems for everything in the jars that the gateway already has.
   *
   * @param protocols receives the protocols of the adapters in the jars
   */
  private List<Problem> conflicts(PluginDirectory opened, List<String> protocols) {
    List<String> conflicts = RunningGateway.conflicts(opened);
    protocols.addAll(opened.protocols());
    return conflicts.stream().map(this::ofPlugins).toList();
  }

  /**
   * Returns the result of reading, after the plugins have checked their parts of the configuration.
   */
  private Read read(ConfigResult result, PluginDirectory opened) {
    return switch (result) {
      case ConfigResult.Refused(var problems, var settings) -> {
        // a variable that is not set is reported once, not also as an empty setting
        Set<JsonPointer> places = problems.stream().map(Problem::at).collect(Collectors.toSet());
        var all =
            new ArrayList<>(
                opened.isRead() ? problems : problems.stream().map(ConfigFile::hinted).toList());
        checkedByPlugins(opened, () -> RunningGateway.problems(settings, opened, context.ambient()))
            .stream()
            .filter(problem -> !places.contains(problem.at()))
            .forEach(all::add);
        yield new Refused(file.toString(), all);
      }
      case ConfigResult.Accepted(var config) -> {
        List<Problem> problems =
            checkedByPlugins(
                opened, () -> RunningGateway.problems(config, opened, context.ambient()));
        yield problems.isEmpty()
            ? new Opened(config, opened)
            : new Refused(file.toString(), problems);
      }
    };
  }

  /** Adds a hint to the problem of an unknown protocol: a jar may contain an adapter for it. */
  private static Problem hinted(Problem problem) {
    boolean unknown =
        PROTOCOL.matcher(problem.at().toString()).matches()
            && problem.allowed().startsWith("must be one of ");
    return unknown
        ? new Problem(problem.at(), problem.allowed() + JAR, problem.given(), problem.origin())
        : problem;
  }

  /**
   * Returns a problem of the plugins; its place is {@code --plugins} if that option was given, else
   * the file's {@code plugins_dir}.
   */
  private Problem ofPlugins(String why) {
    return plugins == null ? new Problem(PLUGINS_DIR, why, "") : ofOption(why);
  }

  /** Returns a problem of the directory that the option {@code --plugins} names. */
  static Problem ofOption(String why) {
    return new Problem(JsonPointer.ROOT, "--plugins: " + why, "");
  }

  /**
   * Returns the problems that a check by plugins finds; a failure of a plugin is a problem, too.
   */
  private List<Problem> checkedByPlugins(PluginDirectory opened, Supplier<List<Problem>> check) {
    try {
      return check.get();
    } catch (IllegalStateException apart) {
      String why = String.valueOf(apart.getMessage());
      return List.of(ofAll(opened, opened.isRead() ? why + "; take one of the jars away" : why));
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      LOG.error("a plugin failed while a configuration was checked", bug);
      return List.of(ofAll(opened, "a plugin failed while the configuration was checked: " + bug));
    }
  }

  private Problem ofAll(PluginDirectory opened, String why) {
    return opened.isRead() ? ofPlugins(why) : new Problem(JsonPointer.ROOT, why, "");
  }

  private @Nullable Path directory(@Nullable String named) {
    if (plugins != null || named == null) {
      return plugins;
    }
    return file.toAbsolutePath().resolveSibling(named);
  }

  /**
   * Reads both now.
   *
   * @throws CommandException when the file cannot be read or is refused, with every problem
   */
  public Opened open() throws CommandException {
    return switch (read(PluginDirectory.none(context.ambient()))) {
      case Opened opened -> opened;
      case Refused(var what, var problems) -> throw CommandException.ofProblems(what, problems);
    };
  }

  /**
   * Reads the store's settings, for maintenance of the store. Opens no jar and runs no plugin, so
   * the settings of plugins and the names of protocols are not checked; everything else is.
   */
  StoreSettings store() throws CommandException {
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
          throw CommandException.ofProblems(file.toString(), document.located(problems));
    };
  }
}
