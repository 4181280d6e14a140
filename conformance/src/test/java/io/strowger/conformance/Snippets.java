package io.strowger.conformance;

import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
      Pattern.compile("^(?:public )?(?:final )?(?:class|record) (\\w+)", Pattern.MULTILINE);

  private Snippets() {}

  /**
   * Runs a block that begins with its imports and continues with statements, followed by more
   * statements, and returns their result.
   *
   * @param end the statements after the block, which must return a value
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

  /**
   * Compiles whole files of the package {@code com.example}, which may use each other, and returns
   * the first class of each, all of one class loader, in the order of the files.
   */
  static List<Class<?>> programs(List<String> files) throws Exception {
    var sources = new LinkedHashMap<String, String>();
    for (String file : files) {
      Matcher type = TYPE.matcher(file);
      if (!file.startsWith("package com.example;") || !type.find()) {
        throw new AssertionError("no type of com.example in\n" + file);
      }
      sources.put(type.group(1), file);
    }
    ClassLoader loader = compile(sources);
    var programs = new ArrayList<Class<?>>();
    for (String type : sources.keySet()) {
      programs.add(loader.loadClass("com.example." + type));
    }
    return programs;
  }

  private static Class<?> compile(String imports, String members) throws Exception {
    String text = imports + "\npublic final class Snippet {\n" + members + "\n}\n";
    return compile(Map.of("Snippet", text)).loadClass("Snippet");
  }

  private static ClassLoader compile(Map<String, String> sources) throws Exception {
    URL folder = compileTo(sources).toUri().toURL();
    return new URLClassLoader(new URL[] {folder}, Snippets.class.getClassLoader());
  }

  /**
   * Compiles sources and returns the folder of their classes.
   *
   * @param sources texts by the names of their files
   */
  static Path compileTo(Map<String, String> sources) throws Exception {
    // below target, since a class loader may read the classes as long as the tests run
    Path folder =
        Files.createTempDirectory(
            Files.createDirectories(Path.of("target", "snippets")).toAbsolutePath(), "snippet");
    var paths = new ArrayList<Path>();
    for (Map.Entry<String, String> source : sources.entrySet()) {
      paths.add(Files.writeString(folder.resolve(source.getKey() + ".java"), source.getValue()));
    }
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    var diagnostics = new DiagnosticCollector<JavaFileObject>();
    List<String> options =
        List.of("-d", folder.toString(), "-classpath", classPath(), "-proc:none");
    try (var files = javac.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
      var units = files.getJavaFileObjectsFromPaths(paths);
      if (!javac.getTask(null, files, diagnostics, options, null, units).call()) {
        throw new AssertionError(diagnostics.getDiagnostics() + "\nin\n" + sources.values());
      }
    }
    return folder;
  }

  static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path");
    return surefire != null ? surefire : System.getProperty("java.class.path");
  }
}
