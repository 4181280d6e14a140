package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.PluginDirectory;
import io.strowger.core.UnusablePluginsException;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.provider.ProviderFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A directory of jars with plugins")
class PluginDirectoryTest {
  private static final String SERVICES = "META-INF/services/";
  private static final String PLUGINS = SERVICES + PluginProvider.class.getName();

  @TempDir private Path folder;

  /**
   * Writes a jar with one provider factory.
   *
   * @param protocol the expression in Java that the factory returns as its protocol
   * @param more the sources of more classes
   */
  private Path factory(String jar, String protocol, Map<String, String> more) throws IOException {
    var sources = new HashMap<>(more);
    sources.put(
        "com.acme.Factory",
        """
        package com.acme;
        public final class Factory implements io.strowger.spi.provider.ProviderFactory {
          @Override public String protocol() { return %s; }
          @Override public io.strowger.spi.provider.ChatProvider create(
              io.strowger.spi.provider.ProviderSettings settings) { return null; }
          @Override public void close() { System.setProperty("closed." + protocol(), "yes"); }
        }
        """
            .formatted(protocol));
    return PluginJar.write(
        folder.resolve(jar),
        sources,
        Map.of(SERVICES + ProviderFactory.class.getName(), "com.acme.Factory"));
  }

  private static String library(String version) {
    return "package org.lib; public final class Lib { public static String version() { return \"%s\"; } }"
        .formatted(version);
  }

  private List<String> problems() {
    var problems = new ArrayList<String>();
    assertThatThrownBy(() -> PluginDirectory.open(folder))
        .isInstanceOfSatisfying(UnusablePluginsException.class, e -> problems.addAll(e.problems()));
    return problems;
  }

  @Test
  @DisplayName("may have no jars, and ignores other files")
  void empty() throws Exception {
    Files.writeString(folder.resolve("README"), "nothing");
    try (PluginDirectory directory = PluginDirectory.open(folder)) {
      assertThat(directory.isRead()).isTrue();
      assertThat(directory.plugins()).isEmpty();
      assertThat(directory.tools()).isEmpty();
      assertThat(directory.factories()).isEmpty();
    }
  }

  @Test
  @DisplayName("loads different versions of one library side by side, in the order of the names")
  void versions() throws Exception {
    factory("b.jar", "org.lib.Lib.version()", Map.of("org.lib.Lib", library("two")));
    factory("a.jar", "org.lib.Lib.version()", Map.of("org.lib.Lib", library("one")));
    try (PluginDirectory directory = PluginDirectory.open(folder)) {
      assertThat(directory.factories())
          .extracting(ProviderFactory::protocol)
          .containsExactly("one", "two");
    }
  }

  @Test
  @DisplayName("lets a jar see the SPI, the JDK and itself, and nothing of the gateway")
  void isolated() throws Exception {
    factory("a.jar", "\"p\"", Map.of());
    try (PluginDirectory directory = PluginDirectory.open(folder)) {
      ClassLoader loader = directory.factories().getFirst().getClass().getClassLoader();
      assertThat(loader.loadClass(PluginProvider.class.getName())).isSameAs(PluginProvider.class);
      assertThat(loader.loadClass("java.sql.Connection")).isNotNull();
      for (String hidden :
          List.of(
              "io.strowger.core.Gateway",
              "io.strowger.host.Main",
              "org.slf4j.Logger",
              "com.fasterxml.jackson.core.JsonFactory")) {
        assertThatThrownBy(() -> loader.loadClass(hidden))
            .isInstanceOf(ClassNotFoundException.class);
      }
      assertThat(ServiceLoader.load(PluginProvider.class, loader)).isEmpty();
      assertThat(loader.getResource(PLUGINS)).isNull();
    }
  }

  @Test
  @DisplayName(
      "reads each jar into memory, so that overwriting the file changes nothing that is loaded")
  void inMemory() throws Exception {
    Path jar =
        PluginJar.write(
            folder.resolve("a.jar"),
            Map.of(
                "com.acme.Factory",
                """
                package com.acme;
                public final class Factory implements io.strowger.spi.provider.ProviderFactory {
                  @Override public String protocol() { return "p"; }
                  @Override public io.strowger.spi.provider.ChatProvider create(
                      io.strowger.spi.provider.ProviderSettings settings) { return null; }
                }
                """,
                "com.acme.Later",
                "package com.acme; public final class Later {}"),
            Map.of(
                SERVICES + ProviderFactory.class.getName(),
                "com.acme.Factory",
                "com/acme/words.txt",
                "hello"));
    try (PluginDirectory directory = PluginDirectory.open(folder)) {
      Files.writeString(jar, "no jar any more");
      Class<?> type = directory.factories().getFirst().getClass();
      assertThat(type.getClassLoader().loadClass("com.acme.Later")).isNotNull();
      try (InputStream in = Objects.requireNonNull(type.getResourceAsStream("words.txt"))) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("hello");
      }
      assertThat(Objects.requireNonNull(type.getResource("words.txt")).toString())
          .isEqualTo("plugin-jar:" + jar + "!/com/acme/words.txt");
      assertThat(type.getProtectionDomain().getCodeSource().getLocation())
          .isEqualTo(jar.toUri().toURL());
    }
  }

  @Test
  @DisplayName("reads the jars of a Class-Path too, and names one that is missing")
  void classPath() throws Exception {
    Path lib = Files.createDirectories(folder.resolve("lib"));
    PluginJar.write(lib.resolve("lib.jar"), Map.of("org.lib.Lib", library("three")), Map.of());
    PluginJar.write(
        folder.resolve("a.jar"),
        Map.of("com.acme.Factory", factoryOfLibrary()),
        Map.of(
            SERVICES + ProviderFactory.class.getName(),
            "com.acme.Factory",
            "META-INF/MANIFEST.MF",
            "Manifest-Version: 1.0\nClass-Path: lib/lib.jar\n"));
    try (PluginDirectory directory = PluginDirectory.open(folder)) {
      assertThat(directory.factories().getFirst().protocol()).isEqualTo("three");
    }
    Files.delete(lib.resolve("lib.jar"));
    assertThat(problems())
        .singleElement()
        .asString()
        .startsWith("a.jar: ")
        .contains("lib.jar, which its Class-Path names, does not exist");
  }

  @Test
  @DisplayName("ignores missing jars that the manifest of a library names")
  void dangling() throws Exception {
    Path lib = Files.createDirectories(folder.resolve("lib"));
    PluginJar.write(
        lib.resolve("lib.jar"),
        Map.of("org.lib.Lib", library("four")),
        Map.of(
            "META-INF/MANIFEST.MF",
            "Manifest-Version: 1.0\nClass-Path: gone.jar http://a.test/b.jar\n"));
    PluginJar.write(
        folder.resolve("a.jar"),
        Map.of("com.acme.Factory", factoryOfLibrary()),
        Map.of(
            SERVICES + ProviderFactory.class.getName(),
            "com.acme.Factory",
            "META-INF/MANIFEST.MF",
            "Manifest-Version: 1.0\nClass-Path: lib/lib.jar\n"));
    try (PluginDirectory directory = PluginDirectory.open(folder)) {
      assertThat(directory.factories().getFirst().protocol()).isEqualTo("four");
    }
  }

  private static String factoryOfLibrary() {
    return """
    package com.acme;
    public final class Factory implements io.strowger.spi.provider.ProviderFactory {
      @Override public String protocol() {
        try {
          return (String) Class.forName("org.lib.Lib").getMethod("version").invoke(null);
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e);
        }
      }
      @Override public io.strowger.spi.provider.ChatProvider create(
          io.strowger.spi.provider.ProviderSettings settings) { return null; }
    }
    """;
  }

  @Test
  @DisplayName("that does not exist or is a file is refused in one sentence")
  void noDirectory() throws Exception {
    Path gone = folder.resolve("gone");
    assertThatThrownBy(() -> PluginDirectory.open(gone))
        .isInstanceOf(UnusablePluginsException.class)
        .hasMessageContaining(gone + " does not exist: create it, or name another one");
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> PluginDirectory.open(file))
        .isInstanceOf(UnusablePluginsException.class)
        .hasMessageContaining(file + " is a file: name the directory that holds the jars");
  }

  @Test
  @DisplayName("is refused with every problem at once, each with its jar and what to do")
  void everyProblem() throws Exception {
    Files.writeString(folder.resolve("a-no-zip.jar"), "not a zip");
    PluginJar.write(
        folder.resolve("b-nothing.jar"), Map.of("x.Y", "package x; class Y {}"), Map.of());
    PluginJar.write(folder.resolve("c-gone.jar"), Map.of(), Map.of(PLUGINS, "com.acme.Gone"));
    PluginJar.write(
        folder.resolve("d-throws.jar"),
        Map.of(
            "com.acme.Throws",
            """
            package com.acme;
            public final class Throws implements io.strowger.spi.provider.ProviderFactory {
              public Throws() { throw new IllegalStateException("no licence"); }
              @Override public String protocol() { return "p"; }
              @Override public io.strowger.spi.provider.ChatProvider create(
                  io.strowger.spi.provider.ProviderSettings settings) { return null; }
            }
            """),
        Map.of(SERVICES + ProviderFactory.class.getName(), "com.acme.Throws"));
    otherSpi(folder.resolve("e-other-spi.jar"));
    factory("f-one.jar", "\"p\"", Map.of());
    factory("g-two.jar", "\"p\"", Map.of());
    Files.createDirectory(folder.resolve("h-folder.jar"));
    assertThat(problems())
        .satisfiesExactly(
            p -> assertThat(p).startsWith("a-no-zip.jar: is not a jar, or is incomplete"),
            p -> assertThat(p).startsWith("b-nothing.jar: provides nothing: it needs " + PLUGINS),
            p ->
                assertThat(p)
                    .startsWith("c-gone.jar: Provider com.acme.Gone not found; correct " + PLUGINS),
            p ->
                assertThat(p)
                    .startsWith("d-throws.jar: Provider com.acme.Throws")
                    .contains("no licence")
                    .endsWith("correct the plugin, or remove the jar"),
            p ->
                assertThat(p)
                    .startsWith("e-other-spi.jar: com.acme.Old does not describe itself: ")
                    .contains("NoSuchMethodError")
                    .contains("another version of io.strowger.spi")
                    .endsWith("build it again"),
            p -> assertThat(p).startsWith("h-folder.jar: is not a file"),
            p ->
                assertThat(p)
                    .isEqualTo(
                        "f-one.jar and g-two.jar: both provide the protocol p; remove one of"
                            + " them"));
    assertThat(System.getProperty("closed.p")).as("what was loaded is closed").isEqualTo("yes");
    System.clearProperty("closed.p");
  }

  @Test
  @DisplayName("is refused if a class throws an unexpected error, and closes what it loaded")
  void odd() throws Exception {
    PluginJar.write(
        folder.resolve("odd.jar"),
        Map.of(
            "com.acme.Good",
            """
            package com.acme;
            public final class Good implements io.strowger.spi.provider.ProviderFactory {
              @Override public String protocol() { return "good"; }
              @Override public io.strowger.spi.provider.ChatProvider create(
                  io.strowger.spi.provider.ProviderSettings settings) { return null; }
              @Override public void close() { System.setProperty("closed.good", "yes"); }
            }
            """,
            "com.acme.Odd",
            """
            package com.acme;
            public final class Odd implements io.strowger.spi.provider.ProviderFactory {
              @Override public String protocol() { throw new Error("odd"); }
              @Override public io.strowger.spi.provider.ChatProvider create(
                  io.strowger.spi.provider.ProviderSettings settings) { return null; }
              @Override public void close() { System.setProperty("closed.odd", "yes"); }
            }
            """),
        Map.of(SERVICES + ProviderFactory.class.getName(), "com.acme.Good\ncom.acme.Odd"));
    try {
      assertThat(problems())
          .containsExactly(
              "odd.jar: com.acme.Odd does not describe itself: java.lang.Error: odd; correct the"
                  + " plugin, or remove the jar");
      assertThat(System.getProperty("closed.good")).isEqualTo("yes");
      assertThat(System.getProperty("closed.odd")).isEqualTo("yes");
    } finally {
      System.clearProperty("closed.good");
      System.clearProperty("closed.odd");
    }
  }

  /** Writes a jar that was compiled against an SPI with a method that the gateway's SPI lacks. */
  private static void otherSpi(Path jar) throws IOException {
    PluginJar.write(
        jar,
        Map.of(
            "io.strowger.spi.provider.Credential",
            """
            package io.strowger.spi.provider;
            public final class Credential {
              public static String ofTomorrow() { return "p"; }
            }
            """,
            "com.acme.Old",
            """
            package com.acme;
            public final class Old implements io.strowger.spi.provider.ProviderFactory {
              @Override public String protocol() {
                return io.strowger.spi.provider.Credential.ofTomorrow();
              }
              @Override public io.strowger.spi.provider.ChatProvider create(
                  io.strowger.spi.provider.ProviderSettings settings) { return null; }
            }
            """),
        Map.of(SERVICES + ProviderFactory.class.getName(), "com.acme.Old"));
  }

  @Test
  @DisplayName(
      "keeps the jars that did not change, and closes the others with their last directory")
  void unchanged() throws Exception {
    Path a = factory("a.jar", "\"a\"", Map.of());
    factory("b.jar", "\"b\"", Map.of());
    PluginDirectory first = PluginDirectory.open(folder);
    Files.setLastModifiedTime(a, FileTime.fromMillis(1));
    factory("b.jar", "\"b2\"", Map.of());
    PluginDirectory second = first.reload(folder);
    assertThat(second.factories().getFirst()).isSameAs(first.factories().getFirst());
    assertThat(second.protocols()).containsExactly("a", "b2");
    first.close();
    first.close();
    assertThat(System.getProperty("closed.b")).isEqualTo("yes");
    assertThat(System.getProperty("closed.a")).isNull();
    second.close();
    assertThat(System.getProperty("closed.a")).isEqualTo("yes");
    List.of("a", "b", "b2").forEach(name -> System.clearProperty("closed." + name));
    assertThat(second.factories()).isEmpty();
  }
}
