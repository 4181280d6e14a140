package io.strowger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;

@DisplayName("A gateway that cannot be started")
class RefusedStartTest {
  private static final String[] NO_WEB = {"spring.main.web-application-type=none"};

  @TempDir Path folder;

  /** Returns what Boot prints instead of a stack trace, from the same analyzers. */
  private static FailureAnalysis analysis(Throwable failure) {
    return SpringFactoriesLoader.forDefaultResourceLocation()
        .load(
            FailureAnalyzer.class,
            SpringFactoriesLoader.FailureHandler.handleMessage((message, unmade) -> {}))
        .stream()
        .filter(analyzer -> analyzer.getClass().getPackageName().equals("io.strowger.spring"))
        .map(analyzer -> analyzer.analyze(failure))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no analyzer explains this", failure));
  }

  private FailureAnalysis refused(String config, String... properties) {
    return analysis(
        catchThrowable(
            () -> Application.start(folder, config, Application.Plain.class, properties).close()));
  }

  @Test
  @DisplayName("reports every problem of its configuration on a line of its own, without a secret")
  void problems() {
    String wrong =
        Application.config("http://127.0.0.1:1/v1")
            .replace("${ALPHA_KEY}", "${NOT_SET_ANYWHERE}")
            .replace("\"prompt\": \"0.000001\"", "\"prompt\": \"cheap\"");
    FailureAnalysis explained = refused(wrong, NO_WEB);
    assertThat(explained.getDescription())
        .contains("gateway.json", "has 2 problems:")
        .contains(
            "\n  - /providers/0/api_key: needs the environment variable NOT_SET_ANYWHERE, which is"
                + " not set\n")
        .contains("\n  - /models/0/endpoints/0/pricing/prompt: ")
        .doesNotContain(Application.KEY);
    assertThat(explained.getAction()).contains("Spring's Environment");
  }

  @Test
  @DisplayName("reports a protocol that no factory supports")
  void missingPart() {
    FailureAnalysis explained =
        refused(
            Application.config("http://127.0.0.1:1/v1").replace("openai-chat", "telex"), NO_WEB);
    assertThat(explained.getDescription())
        .contains("/providers/0/protocol: alpha speaks telex, which no factory speaks");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | strowger.config has a problem: | names no configuration: set it",
        "strowger.config=classpath:none.json | strowger.config | class path resource [none.json]",
        "strowger.config=none.json | strowger.config | begin it with classpath: or file:"
      })
  @DisplayName("reports that its configuration does not exist")
  void noConfiguration(String property, String source, String problem) {
    FailureAnalysis explained =
        analysis(
            catchThrowable(
                () ->
                    Application.start(
                            Application.Plain.class,
                            NO_WEB[0],
                            property.isEmpty() ? "strowger.serve=true" : property)
                        .close()));
    assertThat(explained.getDescription()).contains(source, problem);
  }

  @Test
  @DisplayName("asks for a data directory if the store is on a server")
  void noDirectory() {
    String config =
        Application.config("http://127.0.0.1:1/v1")
            .replaceFirst("\\{", "{\"store\": {\"url\": \"jdbc:postgresql://127.0.0.1:1/x\"},");
    assertThat(refused(config, NO_WEB).getDescription()).contains("strowger.data-dir", "journal");
  }

  @Test
  @DisplayName("reports that its store is unavailable")
  void storeUnavailable() {
    String config =
        Application.config("http://127.0.0.1:1/v1")
            .replaceFirst("\\{", "{\"store\": {\"url\": \"jdbc:postgresql://127.0.0.1:1/x\"},");
    FailureAnalysis explained =
        refused(config, NO_WEB[0], "strowger.data-dir=" + folder.resolve("data"));
    assertThat(explained.getDescription()).contains("store cannot be reached");
  }

  @Test
  @DisplayName("refuses a library that is too old in one sentence, with both versions")
  void oldLibrary() throws Exception {
    String type = "com.github.benmanes.caffeine.cache.Caffeine";
    try (var loader = new URLClassLoader(new URL[] {jar(type, "2.9.3")}, null)) {
      Throwable refusal = catchThrowable(() -> SupportedLibraries.check(loader));
      FailureAnalysis explained = analysis(refusal);
      assertThat(explained.getDescription())
          .isEqualTo(
              "The gateway needs com.github.ben-manes.caffeine:caffeine in version 3.2.0 or newer,"
                  + " and the class path has 2.9.3.");
      assertThat(explained.getAction()).contains("Boot");
    }
    try (var loader = new URLClassLoader(new URL[] {jar(type, "10.0.0")}, null)) {
      assertThat(catchThrowable(() -> SupportedLibraries.check(loader))).isNull();
    }
  }

  @Test
  @DisplayName(
      "refuses a protobuf that is too old for the exporters to destinations, if they are present")
  void oldProtobuf() throws Exception {
    String message = "com.google.protobuf.Message";
    String exporters = "io.strowger.destinations.StandardDestinations";
    try (var loader = new URLClassLoader(new URL[] {emptyJar("4.29.3", message)}, null)) {
      assertThat(catchThrowable(() -> SupportedLibraries.check(loader))).isNull();
    }
    try (var loader =
        new URLClassLoader(new URL[] {emptyJar("4.35.1", message, exporters)}, null)) {
      assertThat(catchThrowable(() -> SupportedLibraries.check(loader))).isNull();
    }
    try (var loader =
        new URLClassLoader(new URL[] {emptyJar("4.29.3", message, exporters)}, null)) {
      FailureAnalysis explained = analysis(catchThrowable(() -> SupportedLibraries.check(loader)));
      assertThat(explained.getDescription())
          .isEqualTo(
              "The gateway needs com.google.protobuf:protobuf-java in version 4.35.1 or newer, and"
                  + " the class path has 4.29.3.");
    }
  }

  /** Writes a jar whose manifest has only a version for OSGi, with empty interfaces. */
  private URL emptyJar(String version, String... types) throws IOException {
    Path sources = Files.createTempDirectory(folder, "sources");
    Path classes = Files.createTempDirectory(folder, "classes");
    var files = new ArrayList<String>(List.of("-proc:none", "-d", classes.toString()));
    for (String type : types) {
      int dot = type.lastIndexOf('.');
      Path source = sources.resolve(type.substring(dot + 1) + ".java");
      Files.writeString(
          source,
          "package %s; public interface %s {}"
              .formatted(type.substring(0, dot), type.substring(dot + 1)));
      files.add(source.toString());
    }
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, files.toArray(String[]::new)))
        .isZero();
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Bundle-Version", version);
    Path file = Files.createTempFile(folder, "protobuf", ".jar");
    try (var jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
      for (String type : types) {
        String name = type.replace('.', '/') + ".class";
        jar.putNextEntry(new JarEntry(name));
        Files.copy(classes.resolve(name), jar);
      }
    }
    return URI.create(file.toUri().toString()).toURL();
  }

  /** Writes a jar of this version with one real class. */
  private URL jar(String type, String version) throws IOException {
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    Path file = folder.resolve(version + ".jar");
    String name = type.replace('.', '/') + ".class";
    try (var jar = new JarOutputStream(Files.newOutputStream(file), manifest);
        InputStream content =
            Objects.requireNonNull(getClass().getClassLoader().getResourceAsStream(name))) {
      jar.putNextEntry(new JarEntry(name));
      content.transferTo(jar);
    }
    return URI.create(file.toUri().toString()).toURL();
  }
}
