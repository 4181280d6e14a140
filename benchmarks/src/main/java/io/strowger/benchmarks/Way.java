package io.strowger.benchmarks;

import java.util.Locale;

/** From an upstream of one dialect to a caller of another, or of the same. */
record Way(Api upstream, Api caller) {
  private static final String TO = "-to-";

  /**
   * @param name such as {@code chat-to-messages}
   */
  static Way of(String name) {
    int at = name.indexOf(TO);
    return new Way(api(name.substring(0, at)), api(name.substring(at + TO.length())));
  }

  private static Api api(String name) {
    return Api.valueOf(name.toUpperCase(Locale.ROOT));
  }
}
