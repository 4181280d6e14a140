package io.strowger.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** Compiles the code of documents against the class path of the tests. */
final class Snippets {
  private static final List<String> IMPORTS =
      List.of(
          "com.sun.net.httpserver.*",
          "io.strowger.core.*",
          "io.strowger.core.config.*",
          "io.strowger.core.registry.*",
          "io.strowger.core.wire.*",
          "io.strowger.providers.chat.*",
          "io.strowger.spi.catalog.*",
          "io.strowger.spi.json.*",
          "io.strowger.spi.model.*",
          "io.strowger.spi.plugin.*",
          "io.strowger.spi.provider.*",
          "java.math.*",
          "java.net.InetSocketAddress",
          "java.nio.file.*",
          "java.util.*",
          "java.util.concurrent.*");

  private Snippets() {}

  /**
   * Runs a block that begins with its imports and goes on with statements, then these further
   * statements, which return something. The block has no imports but its own.
   */
  static Object run(String block, String end, String... args) throws Exception {
    String imports =
        block.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
    String statements =
        block.lines().filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
    Class<?> compiled =
        compile(
            imports,
            "public static Object run(String[] args) throws Exception {\n"
                + statements
                + end
                + "\n}");
    try {
      return compiled.getMethod("run", String[].class).invoke(null, (Object) args);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** A class that has these members. */
  static Class<?> member(String members) throws Exception {
    return compile(
        IMPORTS.stream().map(name -> "import " + name + ";").collect(Collectors.joining("\n")),
        members);
  }

  private static Class<?> compile(String imports, String members) throws Exception {
    Path folder = Files.createTempDirectory("snippet");
    Path source = folder.resolve("Snippet.java");
    var text = new StringBuilder();
    text.append(imports).append("\npublic final class Snippet {\n").append(members).append("\n}\n");
    Files.writeString(source, text);
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    var diagnostics = new DiagnosticCollector<JavaFileObject>();
    try (var files = javac.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
      boolean good =
          javac
              .getTask(
                  null,
                  files,
                  diagnostics,
                  List.of("-d", folder.toString(), "-classpath", classPath(), "-proc:none"),
                  null,
                  files.getJavaFileObjects(source))
              .call();
      if (!good) {
        throw new AssertionError(diagnostics.getDiagnostics() + "\nin\n" + text);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var loader =
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, Snippets.class.getClassLoader());
    return loader.loadClass("Snippet");
  }

  static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path");
    return surefire != null ? surefire : System.getProperty("java.class.path");
  }
}
