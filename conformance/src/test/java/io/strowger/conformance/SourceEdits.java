package io.strowger.conformance;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Sources of this project with the changes of a recipe: added lines and new types. They are
 * compiled separately, and a program is run with them in front of the classes of the build.
 */
final class SourceEdits {
  private final Map<String, String> sources = new LinkedHashMap<>(); // by the name of the type

  /**
   * Inserts lines before another line.
   *
   * @param type a top-level type with its package
   * @param line a text that occurs in exactly one line of its source
   */
  SourceEdits insertBefore(String type, String line, String lines) throws IOException {
    String source = sources.containsKey(type) ? sources.get(type) : Files.readString(file(type));
    List<String> all = source.lines().toList();
    List<String> matches = all.stream().filter(one -> one.contains(line)).toList();
    if (matches.size() != 1) {
      throw new AssertionError(
          matches.size()
              + " lines of "
              + type
              + " have "
              + line
              + ": the recipe needs another place");
    }
    var edited = new ArrayList<>(all);
    edited.add(all.indexOf(matches.getFirst()), lines);
    sources.put(type, String.join("\n", edited));
    return this;
  }

  /** Adds the source of a new type. */
  SourceEdits add(String type, String source) {
    sources.put(type, source);
    return this;
  }

  private static Path file(String type) throws IOException {
    String path = "src/main/java/" + type.replace('.', '/') + ".java";
    try (Stream<Path> directories = Files.walk(Modules.root(), 2)) {
      return directories
          .map(directory -> directory.resolve(path))
          .filter(Files::exists)
          .findFirst()
          .orElseThrow(() -> new AssertionError("no source of " + type));
    }
  }

  /**
   * Runs a program with the edited classes and all other classes of the build.
   *
   * @param program has a constructor without parameters; it is loaded again by another class loader
   */
  List<String> run(Class<? extends Callable<List<String>>> program) throws Exception {
    var files = new LinkedHashMap<String, String>();
    sources.forEach((type, source) -> files.put(type.substring(type.lastIndexOf('.') + 1), source));
    var places = new ArrayList<URL>();
    places.add(Snippets.compileTo(files).toUri().toURL());
    for (String place : Snippets.classPath().split(File.pathSeparator)) {
      places.add(Path.of(place).toUri().toURL());
    }
    try (var loader =
        new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      var constructor = loader.loadClass(program.getName()).getDeclaredConstructor();
      constructor.setAccessible(true);
      List<String> results = new ArrayList<>();
      for (Object line : (List<?>) ((Callable<?>) constructor.newInstance()).call()) {
        results.add((String) line);
      }
      return results;
    }
  }
}
