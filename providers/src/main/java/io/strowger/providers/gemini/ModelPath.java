package io.strowger.providers.gemini;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** The model in an address: {@code models/NAME}, unless its name says itself where it is. */
final class ModelPath {
  private static final List<String> COLLECTIONS =
      List.of("models/", "tunedModels/", "publishers/", "projects/");

  private ModelPath() {}

  static String of(String model) {
    boolean whole = COLLECTIONS.stream().anyMatch(model::startsWith);
    return whole ? escaped(model, true) : "models/" + escaped(model, false);
  }

  /** A colon would begin the method, so it is escaped as everything else that is not plain. */
  private static String escaped(String name, boolean slashes) {
    var path = new StringBuilder();
    for (byte one : name.getBytes(StandardCharsets.UTF_8)) {
      if (isPlain(one) || slashes && one == '/') {
        path.append((char) one);
      } else {
        path.append('%').append(HexFormat.of().withUpperCase().toHexDigits(one));
      }
    }
    return path.toString();
  }

  private static boolean isPlain(byte c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~';
  }
}
