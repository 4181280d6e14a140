package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Breaks forty rows, one at a time, and expects one of their tests to fail. The rows were drawn by
 * shuffling all rows that were built with a fixed seed. Each change is made to a copy of one
 * source, which is compiled and put in front of the class path of a process that runs the tests of
 * the row.
 */
@DisplayName("A row that is sabotaged")
class SabotageTest {
  private static final long SEED = 21;

  /** The number of rows that were built when the forty were drawn. */
  private static final int DRAWN_FROM = 1_020;

  @TempDir private Path folder;

  static Stream<Sabotage> all() throws IOException {
    return Sabotage.read().stream();
  }

  private static List<Proof> proofs(Sabotage sabotage) {
    ConformanceMatrix matrix = ConformanceMatrix.ofThisProject();
    return matrix.rows().stream()
        .filter(row -> row.id().equals(sabotage.row()))
        .flatMap(row -> matrix.proofs(row).stream())
        .toList();
  }

  @Test
  @DisplayName("is one of forty, has tests, and changes a text that occurs once in its source")
  void places() throws IOException {
    List<Sabotage> sabotages = Sabotage.read();
    assertThat(sabotages).extracting(Sabotage::row).doesNotHaveDuplicates().hasSize(40);
    for (Sabotage sabotage : sabotages) {
      assertThat(proofs(sabotage)).as(sabotage.row()).isNotEmpty();
      assertThat(sabotage.occurrences()).as("%s in %s", sabotage, sabotage.file()).isOne();
      assertThat(sabotage.after()).as(sabotage.row()).isNotEqualTo(sabotage.before());
    }
  }

  @Test
  @DisplayName("was drawn by a seed, and not chosen")
  void drawn() throws IOException {
    var built = new ArrayList<String>();
    for (ContractRow row : ConformanceMatrix.ofThisProject().rows()) {
      if (row.status() != ContractRow.Status.NOT_BUILT) {
        built.add(row.id());
      }
    }
    assumeThat(built).as("the rows as they were drawn from").hasSize(DRAWN_FROM);
    Collections.shuffle(built, new Random(SEED));
    assertThat(Sabotage.read()).extracting(Sabotage::row).isEqualTo(built.subList(0, 40));
  }

  @ParameterizedTest
  @MethodSource("all")
  @Tag("full")
  @DisplayName("compiles, so that its tests fail for what it changes:")
  void compiles(Sabotage sabotage) throws Exception {
    assertThat(compile(sabotage)).isDirectory();
  }

  @Test
  @Tag("full")
  @Tag("sabotage")
  @Timeout(1_200)
  @DisplayName("has tests that pass without the sabotage")
  void unharmed() throws Exception {
    var byModule = new TreeMap<String, TreeSet<String>>();
    for (Sabotage sabotage : Sabotage.read()) {
      tests(sabotage)
          .forEach(
              (module, tests) ->
                  byModule.computeIfAbsent(module, m -> new TreeSet<>()).addAll(tests));
    }
    for (Map.Entry<String, TreeSet<String>> module : byModule.entrySet()) {
      assertThat(run(module.getKey(), module.getValue(), folder))
          .as("%s of %s; %s", module.getValue(), module.getKey(), output())
          .isEqualTo(ProofRunner.GREEN);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  @Tag("full")
  @Tag("sabotage")
  @Timeout(600)
  @DisplayName("makes one of its tests fail:")
  void red(Sabotage sabotage) throws Exception {
    Path classes = compile(sabotage);
    Map<String, List<String>> tests = tests(sabotage);
    var modules = new ArrayList<>(tests.keySet());
    // the slow module last
    modules.sort(Comparator.comparing((String module) -> module.equals("conformance")));
    for (String module : modules) {
      if (run(module, tests.getOrDefault(module, List.of()), classes) == ProofRunner.RED) {
        return;
      }
    }
    throw new AssertionError("None of %s failed; %s".formatted(tests, output()));
  }

  /** Returns the tests of a row, by the directory of their module. */
  private static Map<String, List<String>> tests(Sabotage sabotage) {
    var tests = new TreeMap<String, List<String>>();
    for (Proof proof : proofs(sabotage)) {
      String source = Modules.root().relativize(proof.source()).toString().replace('\\', '/');
      tests
          .computeIfAbsent(source.substring(0, source.indexOf("/src/")), m -> new ArrayList<>())
          .add(proof.method() == null ? proof.type() : proof.type() + "#" + proof.method());
    }
    return tests;
  }

  private Path compile(Sabotage sabotage) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("sources"));
    Path changed = sources.resolve(sabotage.path().getFileName());
    Files.writeString(changed, sabotage.changedSource());
    Path classes = Files.createDirectories(folder.resolve("classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      List<String> options =
          List.of(
              "-proc:none",
              "-nowarn",
              "-parameters",
              "-d",
              classes.toString(),
              "-cp",
              System.getProperty("java.class.path"));
      assertThat(
              compiler
                  .getTask(null, files, null, options, null, files.getJavaFileObjects(changed))
                  .call())
          .as("%s compiles", sabotage)
          .isTrue();
    }
    return classes;
  }

  /** Runs tests of a module in its directory, with some classes in front of all others. */
  private int run(String module, Collection<String> tests, Path classes) throws Exception {
    Path directory = Modules.root().resolve(module);
    String classPath =
        String.join(
            File.pathSeparator,
            classes.toString(),
            directory.resolve("target/test-classes").toString(),
            System.getProperty("java.class.path"));
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-cp", classPath));
    command.add(ProofRunner.class.getName());
    command.addAll(tests);
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    try {
      // a test that hangs has failed as well: the build would abort it
      return process.waitFor(300, TimeUnit.SECONDS) ? process.exitValue() : ProofRunner.RED;
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private String output() throws IOException {
    Path output = folder.resolve("output");
    return Files.exists(output) ? Files.readString(output) : "";
  }
}
