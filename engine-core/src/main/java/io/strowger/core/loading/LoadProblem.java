package io.strowger.core.loading;

import java.util.ServiceConfigurationError;

/** Says why a class of a jar cannot be used, and what to do. */
final class LoadProblem {
  private static final String SPI = "io/strowger/spi/";

  private LoadProblem() {}

  /**
   * Returns a sentence without the name of the jar.
   *
   * @param service the kind of class that was looked for
   */
  static String ofLoading(Class<?> service, Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    String named = service.getName() + ": ";
    String what = message.startsWith(named) ? message.substring(named.length()) : message;
    Throwable cause = failure.getCause();
    if (failure instanceof ServiceConfigurationError && cause != null) {
      return "%s: %s; %s".formatted(what, cause, advice(cause));
    }
    return failure instanceof LinkageError
        ? "a %s cannot be loaded: %s; %s"
            .formatted(service.getSimpleName(), failure, advice(failure))
        : "%s; correct META-INF/services/%s in it".formatted(what, service.getName());
  }

  /** Returns a sentence on a class that was loaded and cannot say what it is. */
  static String ofDescribing(Object given, Throwable failure) {
    return "%s does not describe itself: %s; %s"
        .formatted(given.getClass().getName(), failure, advice(failure));
  }

  private static String advice(Throwable failure) {
    return switch (failure) {
      case UnsupportedClassVersionError newer ->
          "compile it for Java " + Runtime.version().feature() + " or older";
      case NoClassDefFoundError missing -> missing(String.valueOf(missing.getMessage()));
      case ClassNotFoundException missing ->
          missing(String.valueOf(missing.getMessage()).replace('.', '/'));
      case ExceptionInInitializerError thrown -> "correct the plugin, or take the jar away";
      case LinkageError other ->
          "it was built against another version of io.strowger.spi or of a library: build it again";
      default -> "correct the plugin, or take the jar away";
    };
  }

  private static String missing(String name) {
    return name.contains(SPI)
        ? "it was built against another version of io.strowger.spi: build it again"
        : "a plugin sees the JDK, io.strowger.spi and its jar: put what it needs into the jar, or"
            + " name it in the Class-Path of its manifest";
  }
}
