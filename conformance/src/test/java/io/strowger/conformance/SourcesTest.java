package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks what can be seen only in the text of sources. */
@DisplayName("The sources")
class SourcesTest {
  private static final Pattern MONITOR = Pattern.compile("\\bsynchronized\\s*\\(");
  private static final Pattern UNFINISHED = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");

  // both artifacts for Spring AI contain the shared sources
  private static final List<Source> MAIN = sources("main", "shared");
  private static final List<Source> TESTS = sources("test", "shared-test");

  /** A source file, with its path relative to the root of the project. */
  private record Source(String path, String text) {
    /** Returns the text without comments, well enough to search it for words. */
    String code() {
      return text.replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("//[^\n]*", "");
    }

    /** Returns the folder of the package. */
    String folder() {
      return path.substring(path.indexOf("/java/") + "/java/".length(), path.lastIndexOf('/'));
    }
  }

  /**
   * Returns the root of the project. Tests run either there or in the directory of their module.
   */
  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return Files.exists(here.resolve("engine-spi")) ? here : here.resolve("..").normalize();
  }

  private static List<Source> sources(String... kinds) {
    var found = new ArrayList<Source>();
    Path root = root();
    try (Stream<Path> top = Files.list(root);
        Stream<Path> adapters = Files.list(root.resolve("adapters"))) {
      Stream<Path> modules = Stream.concat(top, adapters);
      for (Path module : modules.filter(m -> Files.exists(m.resolve("pom.xml"))).toList()) {
        for (String kind : kinds) {
          Path folder = module.resolve("src/" + kind + "/java");
          if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
              files
                  .filter(file -> file.toString().endsWith(".java"))
                  .forEach(file -> found.add(read(root, file)));
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static Source read(Path root, Path file) {
    try {
      String path = root.relativize(file).toString().replace('\\', '/');
      return new Source(path, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> withCode(Pattern pattern) {
    return MAIN.stream()
        .filter(source -> pattern.matcher(source.code()).find())
        .map(Source::path)
        .toList();
  }

  @Test
  @DisplayName("are found, so that the other rules apply to something")
  void found() {
    assertThat(MAIN).hasSizeGreaterThan(150);
    assertThat(TESTS).hasSizeGreaterThan(40);
  }

  @Test
  @DisplayName("state the purpose of every package, and mark it with @NullMarked")
  void packages() {
    List<Source> all =
        MAIN.stream().filter(s -> !s.path().endsWith("/java/module-info.java")).toList();
    assertThat(all.stream().map(Source::folder).distinct())
        .allSatisfy(
            folder ->
                assertThat(all)
                    .as("%s/package-info.java with a purpose", folder)
                    .anyMatch(
                        source ->
                            source.path().endsWith("/java/" + folder + "/package-info.java")
                                && source.text().startsWith("/**")
                                && source.text().contains("@NullMarked")));
  }

  @Test
  @DisplayName("use no monitor, since waiting for a lock does not block a carrier thread")
  void monitors() {
    assertThat(withCode(MONITOR)).isEmpty();
    assertThat(MONITOR.matcher("    synchronized (this) {").find()).isTrue();
  }

  @Test
  @DisplayName("contain no TODO, FIXME or XXX")
  void unfinished() {
    assertThat(Stream.concat(MAIN.stream(), TESTS.stream()))
        .filteredOn(source -> !source.path().endsWith("SourcesTest.java"))
        .filteredOn(source -> UNFINISHED.matcher(source.text()).find())
        .extracting(Source::path)
        .isEmpty();
  }

  @Test
  @DisplayName("give the reason for each suppressed warning on the same line")
  void reasons() {
    assertThat(MAIN)
        .flatExtracting(source -> source.text().lines().toList())
        .filteredOn(line -> line.strip().startsWith("@SuppressWarnings("))
        .hasSizeGreaterThan(20)
        .allMatch(line -> line.matches(".*\\) // .+"));
  }

  @Test
  @DisplayName("are checked by all checks except those that CONTRIBUTING lists as off")
  void checks() throws IOException {
    String build = Files.readString(root().resolve("pom.xml"));
    String page = Files.readString(root().resolve("CONTRIBUTING.md"));
    var off = new ArrayList<String>();
    Pattern.compile("-Xep:(\\w+):OFF")
        .matcher(build)
        .results()
        .forEach(check -> off.add(check.group(1)));
    Pattern.compile("(?<=,)-([a-z-]+)(?=[,<])")
        .matcher(
            build.substring(
                build.indexOf("-Xlint:all,"),
                build.indexOf("</arg>", build.indexOf("-Xlint:all,")) + 1))
        .results()
        .forEach(lint -> off.add(lint.group(1)));
    assertThat(off).hasSizeGreaterThan(5);
    String section = page.substring(page.indexOf("## Static checks"));
    String table = section.substring(0, section.indexOf("\n## ", 1));
    assertThat(off).allSatisfy(check -> assertThat(table).contains("| `" + check + "` |"));
    assertThat(
            Pattern.compile("(?m)^\\| `([\\w-]+)` \\|")
                .matcher(table)
                .results()
                .map(row -> row.group(1)))
        .containsExactlyInAnyOrderElementsOf(off);
  }

  @Test
  @DisplayName("suppress no warning of the null checks")
  void silenced() {
    assertThat(withCode(Pattern.compile("SuppressWarnings\\([^)]*NullAway"))).isEmpty();
  }
}
