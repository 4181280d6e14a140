package io.strowger.spring;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.List;
import java.util.Objects;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Refuses libraries that are too old for the gateway. Boot manages their versions, and an
 * application may override them. A library that is too old would fail at the first request that
 * needs it, so it is refused at the start.
 */
final class SupportedLibraries {
  /**
   * The versions of Boot 3.5.0, the oldest supported Boot: an application has older ones only by
   * overriding them. Boot does not manage protobuf; its version is the one that the classes of
   * OTLP's messages were generated for, which refuse an older one when they are loaded.
   */
  private static final List<Library> LIBRARIES =
      List.of(
          new Library(
              "com.fasterxml.jackson.core:jackson-core",
              "com.fasterxml.jackson.core.JsonFactory",
              "2.19.0"),
          new Library(
              "com.fasterxml.jackson.core:jackson-databind",
              "com.fasterxml.jackson.databind.ObjectMapper",
              "2.19.0"),
          new Library(
              "com.github.ben-manes.caffeine:caffeine",
              "com.github.benmanes.caffeine.cache.Caffeine",
              "3.2.0"),
          new Library("org.slf4j:slf4j-api", "org.slf4j.Logger", "2.0.0"),
          new Library(
              "org.apache.httpcomponents.core5:httpcore5",
              "org.apache.hc.core5.http.HttpHeaders",
              "5.3.4"),
          new Library("com.h2database:h2", "org.h2.Driver", "2.3.232"),
          new Library("org.postgresql:postgresql", "org.postgresql.Driver", "42.7.5"),
          new Library(
              "io.micrometer:micrometer-core",
              "io.micrometer.core.instrument.MeterRegistry",
              "1.15.0"),
          new Library(
              "io.opentelemetry:opentelemetry-api", "io.opentelemetry.api.OpenTelemetry", "1.49.0"),
          new Library(
              "com.google.protobuf:protobuf-java",
              "com.google.protobuf.Message",
              "4.35.1",
              "io.strowger.destinations.StandardDestinations"));

  private final ClassLoader loader;

  /**
   * A library.
   *
   * @param name its Maven group and artifact
   * @param type a class of it
   * @param minimumVersion the oldest version that the gateway works with
   * @param user a class that needs the library; without this class any version is accepted
   */
  private record Library(String name, String type, String minimumVersion, String user) {
    Library(String name, String type, String minimumVersion) {
      this(name, type, minimumVersion, type);
    }
  }

  private SupportedLibraries(ClassLoader loader) {
    this.loader = Objects.requireNonNull(loader, "loader");
  }

  /**
   * Checks every library on the class path. One without a version is assumed to be new enough.
   *
   * @param loader loads the libraries
   * @throws UnsupportedLibraryException when one is too old
   */
  static void check(ClassLoader loader) {
    var libraries = new SupportedLibraries(loader);
    LIBRARIES.forEach(libraries::check);
  }

  private void check(Library library) {
    String present = ClassUtils.isPresent(library.user(), loader) ? version(library.type()) : null;
    if (present == null || !isOlder(present, library.minimumVersion())) {
      return;
    }
    throw new UnsupportedLibraryException(
        "The gateway needs %s in version %s or newer, and the class path has %s."
            .formatted(library.name(), library.minimumVersion(), present),
        ("Set %s to %s or newer in your build, or set no version: what Boot 3.5.7 or newer and the"
                + " gateway's artifacts choose is new enough.")
            .formatted(library.name(), library.minimumVersion()));
  }

  /** Returns the version in the manifest of the jar; null when there is no jar or no version. */
  private @Nullable String version(String type) {
    if (!ClassUtils.isPresent(type, loader)) {
      return null;
    }
    Class<?> present = ClassUtils.resolveClassName(type, loader);
    Package classPackage = present.getPackage();
    String version = classPackage == null ? null : classPackage.getImplementationVersion();
    return version == null ? bundleVersion(present) : version;
  }

  /** Returns the version for OSGi in the manifest of the jar; null when there is none. */
  private static @Nullable String bundleVersion(Class<?> type) {
    URL file = type.getResource(type.getSimpleName() + ".class");
    try {
      if (file == null || !(file.openConnection() instanceof JarURLConnection jar)) {
        return null;
      }
      Manifest manifest = jar.getManifest();
      return manifest == null ? null : manifest.getMainAttributes().getValue("Bundle-Version");
    } catch (IOException unreadable) {
      return null;
    }
  }

  private static boolean isOlder(String present, String minimum) {
    try {
      return Version.parse(present).compareTo(Version.parse(minimum)) < 0;
    } catch (IllegalArgumentException unreadable) {
      return false;
    }
  }
}
