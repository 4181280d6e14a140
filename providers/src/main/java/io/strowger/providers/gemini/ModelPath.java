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
  private static final Escaper NAME_ESCAPER = new PercentEscaper("-._~", false);

  private static final Escaper PATH_ESCAPER = new PercentEscaper("-._~/", false);

  private ModelPath() {}

  static String of(String model) {
    boolean hasCollection = COLLECTIONS.stream().anyMatch(model::startsWith);
    return hasCollection ? PATH_ESCAPER.escape(model) : "models/" + NAME_ESCAPER.escape(model);
  }
}
