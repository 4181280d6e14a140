package io.strowger.core;

import io.strowger.core.ambient.BoundedCloser;
import io.strowger.core.ambient.BoundedCloser.Resource;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.loading.JarContent;
import io.strowger.core.loading.LoadedJar;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.ProviderFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plugins, server tools and provider factories found in the jars of a directory when it was
 * read.
 *
 * <pre>{@code
 * PluginDirectory plugins = PluginDirectory.open(Path.of("plugins"));
 * Gateway gateway = Gateway.builder(config).pluginDirectory(plugins).build();
 * // later
 * gateway.reload(config, plugins.reload(Path.of("plugins")), AuditActor.CONFIGURATION);
 * }</pre>
 *
 * <p>Every {@code *.jar} is read into memory and has a class loader of its own, which sees the jar,
 * the jars of its {@code Class-Path}, {@code io.strowger.spi} and the JDK. What the jar names in
 * {@code META-INF/services} of {@link PluginProvider}, {@link ServerTool} and {@link
 * ProviderFactory} is constructed once. The code of a jar runs with all the rights of the process.
 *
 * <p>A gateway that was given a directory closes it when no configuration and no request uses it
 * any more. When building or reloading the gateway fails, the caller must close it. Safe on any
 * thread.
 */
public final class PluginDirectory implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PluginDirectory.class);

  private final BoundedCloser closer;
  private final boolean wasRead;
  private final AtomicReference<@Nullable List<LoadedJar>> jars; // null once closed
  private final AtomicReference<List<String>> unloggedChanges; // not logged yet

  private PluginDirectory(
      BoundedCloser closer, boolean wasRead, List<LoadedJar> jars, List<String> changes) {
    this.closer = closer;
    this.wasRead = wasRead;
    this.jars = new AtomicReference<>(List.copyOf(jars));
    this.unloggedChanges = new AtomicReference<>(List.copyOf(changes));
  }

  private List<LoadedJar> jars() {
    List<LoadedJar> current = jars.get();
    return current == null ? List.of() : current;
  }

  /** Returns an empty directory that was not read, for a gateway without plugins of its own. */
  public static PluginDirectory none() {
    return none(new SystemAmbient());
  }

  /**
   * Returns an empty directory that was not read.
   *
   * @param ambient the source of the threads that close jars, for this directory and for those that
   *     {@link #reload} returns
   */
  public static PluginDirectory none(Ambient ambient) {
    return new PluginDirectory(new BoundedCloser(ambient), false, List.of(), List.of());
  }

  /**
   * Reads a directory and loads every jar of it, in the order of the file names. Jars are closed on
   * threads of the JDK; to use other threads, call {@link #reload} on {@link #none(Ambient)}.
   *
   * @throws UnusablePluginsException with every problem: an unusable directory, a jar that cannot
   *     be read or has nothing to load, a class that cannot be loaded, an id that exists twice.
   *     What was loaded is then closed as by {@link #close}
   */
  public static PluginDirectory open(Path directory) throws UnusablePluginsException {
    return none().reload(directory);
  }

  /**
   * Reads a directory, the same or another one, and returns it as a new object. Jars of this object
   * whose content did not change are shared, not loaded again. This object does not change and
   * stays open.
   *
   * @throws UnusablePluginsException as {@link #open}
   * @throws IllegalStateException when this one is closed
   */
  public PluginDirectory reload(Path directory) throws UnusablePluginsException {
    if (isClosed()) {
      throw new IllegalStateException("the directory of plugins is closed");
    }
    var problems = new ArrayList<String>();
    var loaded = new ArrayList<LoadedJar>();
    try {
      for (Path file : files(directory, problems)) {
        LoadedJar jar = jar(file, problems);
        if (jar != null) {
          loaded.add(jar);
        }
      }
      findDuplicates(loaded, problems);
      if (!problems.isEmpty()) {
        throw new UnusablePluginsException(directory, problems);
      }
    } catch (UnusablePluginsException | RuntimeException | Error e) {
      closer.close(loaded.stream().flatMap(jar -> jar.release().stream()).toList());
      throw e;
    }
    return new PluginDirectory(closer, true, loaded, describeChanges(loaded));
  }

  private List<String> describeChanges(List<LoadedJar> loaded) {
    var changes = new ArrayList<String>();
    for (LoadedJar jar : loaded) {
      if (!jars().contains(jar)) {
        changes.add(name(jar.file()) + " provides " + String.join(", ", jar.providedNames()));
      }
    }
    Set<Path> present = loaded.stream().map(LoadedJar::file).collect(Collectors.toSet());
    for (LoadedJar previousJar : jars()) {
      if (!present.contains(previousJar.file())) {
        changes.add(
            name(previousJar.file())
                + " was removed, with "
                + String.join(", ", previousJar.providedNames()));
      }
    }
    return changes;
  }

  /**
   * Logs which jars are new, changed or gone compared with the previous directory. The gateway
   * calls this once the directory is the current one; a second call logs nothing.
   */
  public void logChanges() {
    unloggedChanges.getAndSet(List.of()).forEach(sentence -> log.info("{}", sentence));
  }

  private static List<Path> files(Path directory, List<String> problems) {
    if (!Files.isDirectory(directory)) {
      problems.add(
          Files.exists(directory)
              ? directory + " is a file: name the directory that holds the jars"
              : directory + " does not exist: create it, or name another one");
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> name(file).endsWith(".jar"))
          .map(file -> file.toAbsolutePath().normalize())
          .sorted((left, right) -> name(left).compareTo(name(right)))
          .toList();
    } catch (IOException e) {
      problems.add(
          directory + " cannot be read: " + e + "; give the gateway permission to read it");
      return List.of();
    }
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private @Nullable LoadedJar jar(Path file, List<String> problems) {
    JarContent content;
    try {
      content = JarContent.of(file);
    } catch (IOException e) {
      problems.add(
          "%s: %s; replace it with a complete jar, or remove it"
              .formatted(name(file), e.getMessage()));
      return null;
    }
    for (LoadedJar previousJar : jars()) {
      if (previousJar.file().equals(file) && previousJar.holds(content) && previousJar.retain()) {
        return previousJar;
      }
    }
    return LoadedJar.load(file, content, problems);
  }

  private static void findDuplicates(List<LoadedJar> loaded, List<String> problems) {
    var jarsByName = new LinkedHashMap<String, LoadedJar>();
    for (LoadedJar jar : loaded) {
      for (String name : jar.providedNames()) {
        LoadedJar firstJar = jarsByName.putIfAbsent(name, jar);
        if (firstJar != null) {
          problems.add(
              "%s and %s: both provide %s; remove one of them"
                  .formatted(name(firstJar.file()), name(jar.file()), name));
        }
      }
    }
  }

  /** Returns whether a directory was read, even an empty one. */
  public boolean isRead() {
    return wasRead;
  }

  /** Returns whether this directory is closed; a gateway refuses a closed one. */
  public boolean isClosed() {
    return jars.get() == null;
  }

  /** Returns the plugins in the order of the jars; none once closed. */
  public List<PluginProvider> plugins() {
    return collect(LoadedJar::plugins);
  }

  /** Returns the server tools in the order of the jars; none once closed. */
  public List<ServerTool> tools() {
    return collect(LoadedJar::tools);
  }

  /** Returns the provider factories in the order of the jars; none once closed. */
  public List<ProviderFactory> factories() {
    return collect(LoadedJar::factories);
  }

  /** Returns the protocols of the factories as the configuration names them, sorted. */
  public List<String> protocols() {
    return List.copyOf(new TreeSet<>(factories().stream().map(ProviderFactory::protocol).toList()));
  }

  /**
   * Returns one sentence, with the name of the jar, for each plugin, server tool and protocol of
   * the jars that the gateway already has from another source.
   *
   * @param plugins ids of the gateway's plugins
   * @param tools types of the gateway's server tools
   * @param protocols the protocols of the gateway, as the configuration names them
   */
  public List<String> conflicts(
      Collection<String> plugins, Collection<String> tools, Collection<String> protocols) {
    var builtIn = new HashSet<String>();
    plugins.forEach(id -> builtIn.add(LoadedJar.plugin(id)));
    tools.forEach(type -> builtIn.add(LoadedJar.tool(type)));
    protocols.forEach(protocol -> builtIn.add(LoadedJar.protocol(protocol)));
    var conflicts = new ArrayList<String>();
    for (LoadedJar jar : jars()) {
      for (String name : jar.providedNames()) {
        if (builtIn.contains(name)) {
          conflicts.add(
              "%s: provides %s, which the gateway has already; rename it, or remove the jar"
                  .formatted(name(jar.file()), name));
        }
      }
    }
    return List.copyOf(conflicts);
  }

  private <T> List<T> collect(Function<LoadedJar, List<T>> part) {
    return jars().stream().flatMap(jar -> part.apply(jar).stream()).toList();
  }

  /**
   * Releases the jars. When no other directory shares a jar, its provider factories are closed, and
   * its plugin providers and server tools where they are {@link AutoCloseable}; its classes are
   * unloaded once no object of them is left. Each object is closed on its own thread: a failure is
   * logged with the jar, and an object that takes longer than a few seconds to close is interrupted
   * and abandoned. Idempotent.
   */
  @Override
  public void close() {
    closer.close(release());
  }

  /** Releases the jars as {@link #close} does; returns the resources the caller must close. */
  List<Resource> release() {
    List<LoadedJar> last = jars.getAndSet(null);
    return last == null ? List.of() : last.stream().flatMap(jar -> jar.release().stream()).toList();
  }
}
