package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Generates Javadoc with the options of the profile {@code release}, for the public packages of all
 * published modules at once.
 */
@DisplayName("The Javadoc of the public packages")
class JavadocTest {
  /**
   * The health indicators for Spring Boot 3 and 4. They are not public, and compile only with a
   * library of one line of Spring Boot each, which are not on this class path.
   */
  private static final Pattern OF_ONE_BOOT_LINE =
      Pattern.compile("Boot[34]HealthConfiguration\\.java");

  @TempDir private Path folder;

  /** Returns the warnings and errors, and expects the exit code to agree with them. */
  private String warnings(List<Path> sources) {
    var output = new StringWriter();
    var writer = new PrintWriter(output, true);
    var arguments =
        new ArrayList<>(
            List.of(
                "-quiet",
                "-notimestamp",
                "-Werror",
                "-Xdoclint:all,-missing",
                "-encoding",
                "UTF-8",
                "-d",
                folder.resolve("javadoc").toString(),
                "-cp",
                System.getProperty("java.class.path")));
    sources.forEach(source -> arguments.add(source.toString()));
    int code =
        ToolProvider.findFirst("javadoc")
            .orElseThrow()
            .run(writer, writer, arguments.toArray(String[]::new));
    String warnings = output.toString();
    assertThat(code == 0).as("exit code %d: %s", code, warnings).isEqualTo(warnings.isEmpty());
    return warnings;
  }

  private static List<Path> sources() throws IOException {
    var sources = new ArrayList<Path>();
    for (Map.Entry<String, ModuleReference> module : Modules.ours().entrySet()) {
      int before = sources.size();
      for (String name : PublicApi.packages(module.getValue().descriptor())) {
        for (String kind : List.of("main", "shared")) {
          Path directory =
              Modules.root()
                  .resolve(module.getKey())
                  .resolve("src/" + kind + "/java")
                  .resolve(name.replace('.', '/'));
          if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
              files.filter(JavadocTest::isDocumented).forEach(sources::add);
            }
          }
        }
      }
      assertThat(sources.size()).as("sources of %s", module.getKey()).isGreaterThan(before);
    }
    return sources;
  }

  private static boolean isDocumented(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".java") && !OF_ONE_BOOT_LINE.matcher(name).matches();
  }

  @Test
  @Tag("full")
  @DisplayName("is generated without a warning")
  void complete() throws IOException {
    assertThat(warnings(sources())).isEmpty();
    assertThat(folder.resolve("javadoc/io/strowger/core/Gateway.html")).isRegularFile();
  }

  @Test
  @Tag("full")
  @DisplayName("is not generated if a reference leads nowhere, and the message names the place")
  void wrong() throws IOException {
    Path source = folder.resolve("Planted.java");
    Files.writeString(source, "/** See {@link Nowhere}. */\npublic class Planted {}\n");
    assertThat(warnings(List.of(source))).contains("Planted.java:1", "reference not found");
  }
}
