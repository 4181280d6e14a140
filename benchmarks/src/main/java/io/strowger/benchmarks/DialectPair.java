package io.strowger.benchmarks;

import java.util.Locale;

/** The dialects of an upstream and a caller, which may be the same. */
record DialectPair(Api upstream, Api caller) {
  private static final String SEPARATOR = "-to-";

  /**
   * Returns a pair by its name.
   *
   * @param name the name, such as {@code chat-to-messages}
   */
  static DialectPair of(String name) {
    int separator = name.indexOf(SEPARATOR);
    return new DialectPair(
        api(name.substring(0, separator)), api(name.substring(separator + SEPARATOR.length())));
  }

  private static Api api(String name) {
    return Api.valueOf(name.toUpperCase(Locale.ROOT));
  }
}
