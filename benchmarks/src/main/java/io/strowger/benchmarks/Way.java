package io.strowger.benchmarks;

import java.util.Locale;

/** The dialects of an upstream and a caller, which may be the same. */
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
