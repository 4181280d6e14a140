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
 * A configuration file and the directory of plugins that goes with it, read as often as asked.
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

  /** Creates one whose plugins are in the directory that the file names, if it names one. */
  public ConfigFile(Path file, CommandContext context) {
    this(file, context, null);
  }

  /** What came of reading. */
  public sealed interface Read {}

  /**
   * The file is valid and its plugins are loaded.
   *
   * @param plugins the caller's to close
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
   * @param what could not be used, for people
   * @param problems at least one
   */
  public record Refused(String what, List<Problem> problems) implements Read {}

  /**
   * Reads both now.
   *
   * @param before the current plugins, from which jars that did not change are taken over; stays
   *     open
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
   * Returns what the jars bring that the gateway has already.
   *
   * @param protocols gets those of the jars
   */
  private List<Problem> conflicts(PluginDirectory opened, List<String> protocols) {
    List<String> conflicts = RunningGateway.conflicts(opened);
    protocols.addAll(opened.protocols());
    return conflicts.stream().map(this::ofPlugins).toList();
  }

  /** What a file says of plugins is theirs to judge. */
  private Read read(ConfigResult result, PluginDirectory opened) {
    return switch (result) {
      case ConfigResult.Refused(var problems, var settings) -> {
        // a variable that is not set is told once, not as an empty setting too
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

  /** Says of an unknown protocol where an adapter may be that speaks it. */
  private static Problem hinted(Problem problem) {
    boolean unknown =
        PROTOCOL.matcher(problem.at().toString()).matches()
            && problem.allowed().startsWith("must be one of ");
    return unknown
        ? new Problem(problem.at(), problem.allowed() + JAR, problem.given(), problem.origin())
        : problem;
  }

  /** Its place is the option when that named the directory, and the file's member otherwise. */
  private Problem ofPlugins(String why) {
    return plugins == null ? new Problem(PLUGINS_DIR, why, "") : ofOption(why);
  }

  /** Returns a problem of the directory that the option {@code --plugins} names. */
  static Problem ofOption(String why) {
    return new Problem(JsonPointer.ROOT, "--plugins: " + why, "");
  }

  /** Returns what a check finds that asks plugins, or that they fail to answer. */
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
   * Reads where the store is, for maintenance of it: opens no jar and asks no plugin. What the file
   * says of plugins, and the protocols it names, are not judged; all the rest is.
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
