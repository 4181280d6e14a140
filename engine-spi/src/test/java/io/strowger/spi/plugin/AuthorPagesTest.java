package io.strowger.spi.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
    "The descriptions of four packages, which are the pages for authors of plugins and hosts,")
class AuthorPagesTest {
  private static final Path SOURCES = Path.of("src/main/java/io/strowger/spi");
  private static final Pattern LINK = Pattern.compile("\\{@link\\s+([\\w.]+)}");
  private static final Pattern HEADING = Pattern.compile("<p><b>(?:An? )?([^<]+)</b>");
  private static final List<String> PAGES = List.of("plugin", "provider", "store", "observe");

  private static String text(Path file) {
    try {
      return Files.readString(file).replaceAll("\\n \\*", " ");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the types that each kind of author has to read. */
  private static Map<String, Set<String>> authors() {
    var authors = new TreeMap<String, Set<String>>();
    for (String page : PAGES) {
      String text = text(SOURCES.resolve(page + "/package-info.java"));
      List<MatchResult> headings = HEADING.matcher(text).results().toList();
      for (int i = 0; i < headings.size(); i++) {
        int end = i + 1 < headings.size() ? headings.get(i + 1).start() : text.length();
        var types = new TreeSet<String>();
        LINK.matcher(text.substring(headings.get(i).start(), end))
            .results()
            .forEach(link -> types.add(link.group(1)));
        authors.put(headings.get(i).group(1), types);
      }
    }
    return authors;
  }

  private static Set<String> publicTypes() throws IOException {
    var types = new TreeSet<String>();
    try (var files = Files.walk(SOURCES)) {
      for (Path file :
          (Iterable<Path>) files.filter(f -> f.toString().endsWith(".java"))::iterator) {
        String name = file.getFileName().toString().replace(".java", "");
        if (Pattern.compile("(?m)^public [\\w -]*\\b" + name + "\\b").matcher(text(file)).find()) {
          String folder = SOURCES.relativize(file.getParent()).toString().replace('/', '.');
          types.add("io.strowger.spi." + folder + "." + name);
        }
      }
    }
    return types;
  }

  @Test
  @DisplayName("are for routers, interceptors and tools, adapters, stores, hosts and destinations")
  void kinds() {
    assertThat(authors())
        .containsOnlyKeys(
            "router", "interceptor or a server tool", "adapter", "store", "host", "destination");
  }

  @Test
  @DisplayName("name every public type and nothing else, so that the SPI has no unnecessary types")
  void complete() throws IOException {
    var named = new TreeSet<String>();
    authors().values().forEach(named::addAll);
    assertThat(publicTypes()).hasSizeGreaterThan(100);
    assertThat(named).isEqualTo(publicTypes());
  }

  @Test
  @DisplayName("are short: an author of a router reads about 25 types, one of a store about 20")
  void small() {
    assertThat(authors().get("router")).hasSizeLessThanOrEqualTo(27);
    assertThat(authors().get("store")).hasSizeLessThanOrEqualTo(20);
  }
}
