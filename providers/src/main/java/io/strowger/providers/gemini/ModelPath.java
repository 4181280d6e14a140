package io.strowger.providers.gemini;

import com.google.common.escape.Escaper;
import com.google.common.net.PercentEscaper;
import java.util.List;

/**
 * Makes the path of a model: {@code models/NAME}, or the name itself if it already begins with a
 * collection.
 */
final class ModelPath {
  private static final List<String> COLLECTIONS =
      List.of("models/", "tunedModels/", "publishers/", "projects/");

  /** Escapes all but plain characters, since a colon in the name would separate path and method. */
  private static final Escaper NAME = new PercentEscaper("-._~", false);

  private static final Escaper PATH = new PercentEscaper("-._~/", false);

  private ModelPath() {}

  static String of(String model) {
    boolean whole = COLLECTIONS.stream().anyMatch(model::startsWith);
    return whole ? PATH.escape(model) : "models/" + NAME.escape(model);
  }
}
