package io.strowger.conformance.fuzz;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** Follows the text of a pointer through a document, RFC 6901. */
final class Places {
  private Places() {}

  /**
   * Whether something is there, or could be: a member that is missing in an object that is there.
   */
  static boolean names(String pointer, Json document) {
    if (pointer.isEmpty() || find(pointer, document) != null) {
      return true;
    }
    int last = pointer.lastIndexOf('/');
    return last >= 0 && find(pointer.substring(0, last), document) instanceof Json.Obj;
  }

  /** What is there; null when nothing is. */
  static @Nullable Json find(String pointer, Json document) {
    Json here = document;
    String rest = pointer;
    while (!rest.isEmpty()) {
      if (rest.charAt(0) != '/') {
        return null;
      }
      int end = rest.indexOf('/', 1);
      String name = end < 0 ? rest.substring(1) : rest.substring(1, end);
      here = child(here, name.replace("~1", "/").replace("~0", "~"));
      if (here == null) {
        return null;
      }
      rest = end < 0 ? "" : rest.substring(end);
    }
    return here;
  }

  private static @Nullable Json child(Json json, String name) {
    if (json instanceof Json.Obj object) {
      return object.get(name);
    }
    if (json instanceof Json.Arr items && name.matches("0|[1-9][0-9]{0,8}")) {
      int index = Integer.parseInt(name);
      return index < items.size() ? items.get(index) : null;
    }
    return null;
  }
}
