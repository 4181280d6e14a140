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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** Compiles the code of documents against the class path of the tests. */
final class Snippets {
  private static final Pattern TYPE =
      Pattern.compile("^public (?:final class|record) (\\w+)", Pattern.MULTILINE);

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

  /** Compiles a whole file of the package {@code com.example} and returns its public type. */
  static Class<?> program(String file) throws Exception {
    Matcher type = TYPE.matcher(file);
    if (!file.startsWith("package com.example;") || !type.find()) {
      throw new AssertionError("no public type of com.example in\n" + file);
    }
    return compile(type.group(1), "com.example." + type.group(1), file);
  }

  private static Class<?> compile(String imports, String members) throws Exception {
    return compile(
        "Snippet", "Snippet", imports + "\npublic final class Snippet {\n" + members + "\n}\n");
  }

  private static Class<?> compile(String file, String type, String text) throws Exception {
    Path folder = Files.createTempDirectory("snippet");
    Path source = folder.resolve(file + ".java");
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
    return loader.loadClass(type);
  }

  static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path");
    return surefire != null ? surefire : System.getProperty("java.class.path");
  }
}
