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

/** What only the text of a source tells. */
@DisplayName("The sources")
class SourcesTest {
  private static final Pattern MONITOR = Pattern.compile("\\bsynchronized\\s*\\(");
  private static final Pattern UNFINISHED = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");

  // both artifacts for Spring AI have what is shared
  private static final List<Source> MAIN = sources("main", "shared");
  private static final List<Source> TESTS = sources("test", "shared-test");

  /** One source. */
  private record Source(String path, String text) {
    /** Without comments and string literals, well enough for words to be looked for. */
    String code() {
      return text.replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("//[^\n]*", "");
    }

    /** Its folder, below that of all sources. */
    String folder() {
      return path.substring(path.indexOf("/java/") + "/java/".length(), path.lastIndexOf('/'));
    }
  }

  /** Tests run in their module, or all together above it. */
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
  @DisplayName("are found, so that the other rules have something to hold for")
  void found() {
    assertThat(MAIN).hasSizeGreaterThan(150);
    assertThat(TESTS).hasSizeGreaterThan(40);
  }

  @Test
  @DisplayName("say of every package what it is for, under @NullMarked")
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
  @DisplayName("hold no monitor: a lock can be waited for without holding a carrier thread")
  void monitors() {
    assertThat(withCode(MONITOR)).isEmpty();
    assertThat(MONITOR.matcher("    synchronized (this) {").find()).isTrue();
  }

  @Test
  @DisplayName("leave nothing for later without an issue")
  void unfinished() {
    assertThat(Stream.concat(MAIN.stream(), TESTS.stream()))
        .filteredOn(source -> !source.path().endsWith("SourcesTest.java"))
        .filteredOn(source -> UNFINISHED.matcher(source.text()).find())
        .extracting(Source::path)
        .isEmpty();
  }

  @Test
  @DisplayName("say why, where a warning is silenced, behind it on the same line")
  void reasons() {
    assertThat(MAIN)
        .flatExtracting(source -> source.text().lines().toList())
        .filteredOn(line -> line.strip().startsWith("@SuppressWarnings("))
        .hasSizeGreaterThan(20)
        .allMatch(line -> line.matches(".*\\) // .+"));
  }

  @Test
  @DisplayName("are checked by everything that CONTRIBUTING does not list, with the reason, as off")
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
  @DisplayName("silence no warning of null checking")
  void silenced() {
    assertThat(withCode(Pattern.compile("SuppressWarnings\\([^)]*NullAway"))).isEmpty();
  }
}
