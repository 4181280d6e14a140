package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("The public API")
class PublicApiTest {
  private static final String WRITE = "strowger.api.write";
  private static final String COMMAND =
      "mvn -o -pl conformance -am test -Dtest=PublicApiTest -D" + WRITE + "=true";

  @TestFactory
  @DisplayName("changes only together with the file that lists it:")
  Stream<DynamicTest> listed() throws Exception {
    var packages = new TreeSet<String>();
    Modules.ours().values().forEach(it -> packages.addAll(PublicApi.packages(it.descriptor())));
    var api = new PublicApi(packages);
    return Modules.ours().entrySet().stream()
        .map(
            module ->
                DynamicTest.dynamicTest(
                    module.getKey(), () -> compare(module.getKey(), module.getValue(), api)));
  }

  private static void compare(String directory, ModuleReference module, PublicApi api)
      throws Exception {
    Path file = Modules.root().resolve(directory).resolve("public-api.txt");
    List<String> now = api.lines(module);
    assertThat(now).as(directory).isNotEmpty();
    if (Boolean.getBoolean(WRITE)) {
      Files.write(file, now);
      return;
    }
    String difference = difference(Files.exists(file) ? Files.readAllLines(file) : List.of(), now);
    if (!difference.isEmpty()) {
      throw new AssertionError(
          "The public API of "
              + directory
              + " is not what "
              + directory
              + "/public-api.txt says."
              + difference
              + "\nIf the change is intended, write the files again and commit them: "
              + COMMAND);
    }
  }

  /**
   * Returns what was removed and added, each member after its type; empty if nothing has changed.
   */
  private static String difference(List<String> before, List<String> now) {
    Set<String> removed = entries(before);
    Set<String> added = entries(now);
    Set<String> kept = new LinkedHashSet<>(removed);
    kept.retainAll(added);
    removed.removeAll(kept);
    added.removeAll(kept);
    var text = new StringBuilder();
    removed.forEach(line -> text.append("\n  removed  ").append(line));
    added.forEach(line -> text.append("\n  added    ").append(line));
    return text.toString();
  }

  private static Set<String> entries(List<String> lines) {
    var entries = new LinkedHashSet<String>();
    String type = "";
    for (String line : lines) {
      if (line.startsWith("  ")) {
        entries.add(type + ": " + line.strip());
      } else if (!line.isEmpty()) {
        type = line.replaceAll("[(<].*", "").replaceAll(" (extends|implements) .*", "");
        entries.add(line);
      }
    }
    return entries;
  }

  @Test
  @DisplayName("is compared member by member, and a change shows the member before and after it")
  void shown() {
    assertThat(
            difference(
                List.of("final class a.B", "  int one()", "  int two()"),
                List.of("final class a.B", "  int one()", "  long two()", "", "interface a.C")))
        .isEqualTo(
            "\n  removed  final class a.B: int two()"
                + "\n  added    final class a.B: long two()"
                + "\n  added    interface a.C");
    assertThat(difference(List.of("final class a.B"), List.of("final class a.B"))).isEmpty();
  }

  @Test
  @DisplayName("names types that are not public only in the engine")
  void leaks() throws Exception {
    for (String directory : Modules.DIRECTORIES.values()) {
      if (!directory.equals("engine-core")) {
        assertThat(Files.readAllLines(Modules.root().resolve(directory).resolve("public-api.txt")))
            .as(directory)
            .noneMatch(line -> line.endsWith("// internal"));
      }
    }
  }
}
