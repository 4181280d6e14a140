package io.strowger.conformance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * A jar as a plugin author would build it: compiled from source, with a file that names services.
 */
final class PluginJar {
  private static final String SERVICES = "META-INF/services/io.strowger.spi.plugin.PluginProvider";

  private PluginJar() {}

  /**
   * Builds a jar with a service file for plugin providers.
   *
   * @param sources the sources, by the name of their class with its package
   * @param services the classes that the service file names, whether they exist or not
   */
  static Path build(Path folder, Map<String, String> sources, List<String> services)
      throws IOException {
    Path work = Files.createTempDirectory(folder, "plugin");
    compile(work, sources);
    Path jar = work.resolve("third-party.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        var zip = new JarOutputStream(out)) {
      put(zip, SERVICES, String.join("\n", services).getBytes(StandardCharsets.UTF_8));
      Path classes = work.resolve("classes");
      for (Path file : files(classes)) {
        String name = classes.relativize(file).toString().replace('\\', '/');
        put(zip, name, Files.readAllBytes(file));
      }
    }
    return jar;
  }

  /**
   * Builds a jar at a path, and replaces the one that is there.
   *
   * @param sources the sources, by the name of their class with its package
   * @param files more files by name, such as those of {@code META-INF}
   */
  static Path write(Path jar, Map<String, String> sources, Map<String, String> files)
      throws IOException {
    Path work = Files.createTempDirectory("plugin");
    try {
      return write(jar, work, sources, files);
    } finally {
      try (Stream<Path> all = Files.walk(work)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private static Path write(
      Path jar, Path work, Map<String, String> sources, Map<String, String> files)
      throws IOException {
    compile(work, sources);
    var content = new ByteArrayOutputStream();
    try (var zip = new JarOutputStream(content)) {
      for (var file : new TreeMap<>(files).entrySet()) {
        put(zip, file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8));
      }
      Path classes = work.resolve("classes");
      for (Path file : files(classes)) {
        String name = classes.relativize(file).toString().replace('\\', '/');
        put(zip, name, Files.readAllBytes(file));
      }
    }
    return Files.write(jar, content.toByteArray());
  }

  private static void put(JarOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new JarEntry(name));
    zip.write(content);
    zip.closeEntry();
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void compile(Path work, Map<String, String> sources) throws IOException {
    Path classes = Files.createDirectories(work.resolve("classes"));
    var paths = new ArrayList<Path>();
    for (var source : sources.entrySet()) {
      Path file = work.resolve("src/" + source.getKey().replace('.', '/') + ".java");
      Files.createDirectories(file.getParent());
      paths.add(Files.writeString(file, source.getValue()));
    }
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    var diagnostics = new DiagnosticCollector<JavaFileObject>();
    try (var files = javac.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
      var options =
          List.of("-d", classes.toString(), "-classpath", Snippets.classPath(), "-proc:none");
      boolean isCompiled =
          paths.isEmpty()
              || javac
                  .getTask(
                      null,
                      files,
                      diagnostics,
                      options,
                      null,
                      files.getJavaFileObjectsFromPaths(paths))
                  .call();
      if (!isCompiled) {
        throw new AssertionError(List.copyOf(diagnostics.getDiagnostics()).toString());
      }
    }
  }

  /** Returns a class loader for the jars, with the class loader of the tests as its parent. */
  static URLClassLoader loader(Path... jars) throws IOException {
    var urls = new URL[jars.length];
    for (int i = 0; i < jars.length; i++) {
      urls[i] = jars[i].toUri().toURL();
    }
    return new URLClassLoader(urls, PluginJar.class.getClassLoader());
  }
}
