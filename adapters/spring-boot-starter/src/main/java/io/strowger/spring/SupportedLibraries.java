package io.strowger.spring;

import java.lang.module.ModuleDescriptor.Version;
import java.util.List;
import java.util.Objects;
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
   * overriding them.
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
              "io.opentelemetry:opentelemetry-api",
              "io.opentelemetry.api.OpenTelemetry",
              "1.49.0"));

  private final ClassLoader loader;

  /**
   * A library.
   *
   * @param name its Maven group and artifact
   * @param type a class of it
   * @param minimumVersion the oldest version that the gateway works with
   */
  private record Library(String name, String type, String minimumVersion) {}

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
    String present = version(library.type());
    if (present == null || !isOlder(present, library.minimumVersion())) {
      return;
    }
    throw new UnsupportedLibraryException(
        "The gateway needs %s in version %s or newer, and the class path has %s."
            .formatted(library.name(), library.minimumVersion(), present),
        "Leave the version to Boot 3.5.7 or newer, or set %s to %s or newer in your build."
            .formatted(library.name(), library.minimumVersion()));
  }

  /** Returns the version in the manifest of the jar; null when there is no jar or no version. */
  private @Nullable String version(String type) {
    if (!ClassUtils.isPresent(type, loader)) {
      return null;
    }
    Package classPackage = ClassUtils.resolveClassName(type, loader).getPackage();
    return classPackage == null ? null : classPackage.getImplementationVersion();
  }

  private static boolean isOlder(String present, String minimum) {
    try {
      return Version.parse(present).compareTo(Version.parse(minimum)) < 0;
    } catch (IllegalArgumentException unreadable) {
      return false;
    }
  }
}
