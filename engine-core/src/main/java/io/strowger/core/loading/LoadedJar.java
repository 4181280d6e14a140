package io.strowger.core.loading;

import io.strowger.core.ambient.BoundedCloser.Resource;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.ProviderFactory;
import java.net.URL;
import java.nio.file.Path;
import java.security.SecureClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The services of one jar, loaded by its own class loader. Successive loads of the plugin directory
 * share one object while the jar does not change. The resources of the jar are closed when the last
 * of these loads releases it. Safe on any thread.
 */
public final class LoadedJar {
  private static final int MAX_FAULTS = 100; // per kind; bounds a loader that always fails
  private static final ClassLoader SPI = new SpiClassLoader();

  private final Path file;
  private final JarContent content;
  private final List<PluginProvider> plugins;
  private final List<ServerTool> tools;
  private final List<ProviderFactory> factories;
  private final Set<String> providedNames = new LinkedHashSet<>(); // names for messages
  private final List<Resource> resources = new ArrayList<>();
  private final AtomicInteger users = new AtomicInteger(1);

  private LoadedJar(Path file, JarContent content, List<String> problems) {
    this.file = file;
    this.content = content;
    var loader = new JarClassLoader(name(file), content, SPI);
    var jarProblems = new ArrayList<String>();
    plugins = loadAll(PluginProvider.class, loader, jarProblems);
    tools = loadAll(ServerTool.class, loader, jarProblems);
    factories = loadAll(ProviderFactory.class, loader, jarProblems);
    register(plugins, plugin -> plugin(plugin.descriptor().id()), jarProblems);
    register(tools, tool -> tool(tool.spec().type()), jarProblems);
    register(factories, factory -> protocol(factory.protocol()), jarProblems);
    if (providedNames.isEmpty() && jarProblems.isEmpty()) {
      jarProblems.add(
          "provides nothing: it needs META-INF/services/"
              + PluginProvider.class.getName()
              + ", or one of "
              + ServerTool.class.getName()
              + " or "
              + ProviderFactory.class.getName()
              + "; if it is a library, put it into a subdirectory, and name it in the"
              + " Class-Path of the jar that needs it");
    }
    jarProblems.forEach(problem -> problems.add(name(file) + ": " + problem));
  }

  /** Returns what messages call a plugin, as in {@link #providedNames}. */
  public static String plugin(String id) {
    return "the plugin " + id;
  }

  /** Returns what messages call a server tool. */
  public static String tool(String type) {
    return "the tool " + type;
  }

  /** Returns what messages call a protocol of a provider factory. */
  public static String protocol(String protocol) {
    return "the protocol " + protocol;
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /**
   * Loads the services of a jar.
   *
   * @param problems receives one sentence for each problem; if there is any, the caller must
   *     release the jar
   */
  public static LoadedJar load(Path file, JarContent content, List<String> problems) {
    return new LoadedJar(file, content, problems);
  }

  private static <T> List<T> loadAll(Class<T> kind, ClassLoader loader, List<String> problems) {
    var services = new ArrayList<T>();
    var iterator = ServiceLoader.load(kind, loader).iterator();
    int faults = 0;
    while (faults < MAX_FAULTS) {
      try {
        if (!iterator.hasNext()) {
          break;
        }
        services.add(iterator.next());
      } catch (Throwable e) { // any error is the jar's; the rest must still be closed
        problems.add(loadProblem(kind, e));
        faults++;
      }
    }
    return List.copyOf(services);
  }

  private <T> void register(List<T> services, Function<T, String> describe, List<String> problems) {
    for (T service : services) {
      try {
        String name = describe.apply(service);
        addCloseable(name, service);
        if (!providedNames.add(name)) {
          problems.add(
              "provides " + name + " twice: name only one class for it in META-INF/services");
        }
      } catch (Throwable e) { // as above
        addCloseable(service.getClass().getName(), service);
        problems.add(describeProblem(service, e));
      }
    }
  }

  private void addCloseable(String name, Object service) {
    String label = name(file) + ": " + name;
    if (service instanceof ProviderFactory factory) {
      resources.add(new Resource(label, factory::close));
    } else if (service instanceof AutoCloseable autoCloseable) {
      resources.add(new Resource(label, autoCloseable));
    }
  }

  public Path file() {
    return file;
  }

  /** Returns whether this jar was loaded from equal files. */
  public boolean holds(JarContent other) {
    return content.isSameAs(other);
  }

  public List<PluginProvider> plugins() {
    return plugins;
  }

  public List<ServerTool> tools() {
    return tools;
  }

  public List<ProviderFactory> factories() {
    return factories;
  }

  /**
   * Returns the names of all services of the jar, such as "the plugin cheapest", "the protocol
   * acme-rpc".
   */
  public List<String> providedNames() {
    return List.copyOf(providedNames);
  }

  /** Adds a user; returns false when the last user has already released the jar. */
  public boolean retain() {
    return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
  }

  /**
   * Removes a user. The classes of the jar are unloaded after the last use.
   *
   * @return the resources to close now; empty while the jar has other users
   */
  public List<Resource> release() {
    return users.decrementAndGet() == 0 ? List.copyOf(resources) : List.of();
  }

  /**
   * Makes visible the classes that a plugin shares with the gateway: the SPI, the annotations of
   * JSpecify and the classes of the JDK. It has no resources but those of the JDK, so that {@link
   * ServiceLoader} never finds the gateway's own providers through it.
   */
  private static final class SpiClassLoader extends ClassLoader {
    static {
      registerAsParallelCapable();
    }

    private final ClassLoader spi = PluginProvider.class.getClassLoader();

    SpiClassLoader() {
      super("strowger-spi", ClassLoader.getPlatformClassLoader());
    }

    /** Returns whether a class belongs to the SPI, which is never loaded from a jar of plugins. */
    static boolean isSpiClass(String name) {
      return name.startsWith("io.strowger.spi.");
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (isSpiClass(name) || name.startsWith("org.jspecify.annotations.")) {
        return spi.loadClass(name);
      }
      throw new ClassNotFoundException(name);
    }
  }

  /**
   * Defines the classes of one jar from memory. It holds no file open, so it is not closed: it is
   * garbage collected once its classes are unused. Safe on any thread.
   */
  private static final class JarClassLoader extends SecureClassLoader {
    static {
      registerAsParallelCapable();
    }

    private final JarContent content;

    JarClassLoader(String name, JarContent content, ClassLoader parent) {
      super(name, parent);
      this.content = content;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      List<JarContent.Entry> matches = content.entries(name.replace('.', '/') + ".class");
      if (matches.isEmpty()
          || SpiClassLoader.isSpiClass(name)) { // the SPI is never taken from a jar
        throw new ClassNotFoundException(name);
      }
      JarContent.Entry entry = matches.getFirst();
      return defineClass(name, entry.bytes(), 0, entry.bytes().length, entry.source());
    }

    @Override
    protected @Nullable URL findResource(String name) {
      List<JarContent.Entry> matches = content.entries(name);
      return matches.isEmpty() ? null : matches.getFirst().url();
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
      return Collections.enumeration(
          content.entries(name).stream().map(JarContent.Entry::url).toList());
    }
  }

  /**
   * Returns why a class of the jar cannot be used and what to do, without the jar's name.
   *
   * @param service the service type that was searched for
   */
  private static String loadProblem(Class<?> service, Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    String prefix = service.getName() + ": ";
    String detail = message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    Throwable cause = failure.getCause();
    if (failure instanceof ServiceConfigurationError && cause != null) {
      return "%s: %s; %s".formatted(detail, cause, advice(cause));
    }
    return failure instanceof LinkageError
        ? "a %s cannot be loaded: %s; %s"
            .formatted(service.getSimpleName(), failure, advice(failure))
        : "%s; correct META-INF/services/%s in the jar".formatted(detail, service.getName());
  }

  /** Returns the problem of a loaded class that fails to return its descriptor. */
  private static String describeProblem(Object service, Throwable failure) {
    return "%s does not describe itself: %s; %s"
        .formatted(service.getClass().getName(), failure, advice(failure));
  }

  private static String advice(Throwable failure) {
    return switch (failure) {
      case UnsupportedClassVersionError newer ->
          "compile it for Java " + Runtime.version().feature() + " or older";
      case NoClassDefFoundError missing -> missingClassAdvice(String.valueOf(missing.getMessage()));
      case ClassNotFoundException missing ->
          missingClassAdvice(String.valueOf(missing.getMessage()).replace('.', '/'));
      case ExceptionInInitializerError thrown -> "correct the plugin, or remove the jar";
      case LinkageError other ->
          "it was built against another version of io.strowger.spi or of a library: build it again";
      default -> "correct the plugin, or remove the jar";
    };
  }

  private static String missingClassAdvice(String name) {
    return name.contains("io/strowger/spi/")
        ? "it was built against another version of io.strowger.spi: build it again"
        : "a plugin sees the JDK, io.strowger.spi and its jar: put what it needs into the jar, or"
            + " name it in the Class-Path of its manifest";
  }
}
