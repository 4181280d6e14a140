package io.strowger.providers.gemini;

import com.google.common.escape.Escaper;
import com.google.common.net.PercentEscaper;
import java.util.List;

/** The path of a model: {@code models/NAME}, unless the name already begins with a collection. */
final class ModelPath {
  private static final List<String> COLLECTIONS =
      List.of("models/", "tunedModels/", "publishers/", "projects/");

  /** Escapes all but plain characters; an unescaped colon would begin the method. */
  private static final Escaper NAME = new PercentEscaper("-._~", false);

  private static final Escaper PATH = new PercentEscaper("-._~/", false);

  private ModelPath() {}

  static String of(String model) {
    boolean whole = COLLECTIONS.stream().anyMatch(model::startsWith);
    return whole ? PATH.escape(model) : "models/" + NAME.escape(model);
  }
}
