package io.strowger.providers.gemini;

import com.google.common.escape.Escaper;
import com.google.common.net.PercentEscaper;
import java.util.List;

/** The model in an address: {@code models/NAME}, unless its name says itself where it is. */
final class ModelPath {
  private static final List<String> COLLECTIONS =
      List.of("models/", "tunedModels/", "publishers/", "projects/");

  /** A colon would begin the method, so it is escaped as everything else that is not plain. */
  private static final Escaper NAME = new PercentEscaper("-._~", false);

  private static final Escaper PATH = new PercentEscaper("-._~/", false);

  private ModelPath() {}

  static String of(String model) {
    boolean whole = COLLECTIONS.stream().anyMatch(model::startsWith);
    return whole ? PATH.escape(model) : "models/" + NAME.escape(model);
  }
}
