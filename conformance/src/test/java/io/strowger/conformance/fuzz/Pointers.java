package io.strowger.conformance.fuzz;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** Finds the values that JSON pointers (RFC 6901) name in a document. */
final class Pointers {
  private Pointers() {}

  /**
   * Returns whether the pointer names a value of the document, or a missing member of an object in
   * it.
   */
  static boolean canExist(String pointer, Json document) {
    if (pointer.isEmpty() || find(pointer, document) != null) {
      return true;
    }
    int last = pointer.lastIndexOf('/');
    return last >= 0 && find(pointer.substring(0, last), document) instanceof Json.Obj;
  }

  /** Returns the value that the pointer names; null when there is none. */
  static @Nullable Json find(String pointer, Json document) {
    Json found = document;
    String rest = pointer;
    while (!rest.isEmpty()) {
      if (rest.charAt(0) != '/') {
        return null;
      }
      int end = rest.indexOf('/', 1);
      String name = end < 0 ? rest.substring(1) : rest.substring(1, end);
      found = child(found, name.replace("~1", "/").replace("~0", "~"));
      if (found == null) {
        return null;
      }
      rest = end < 0 ? "" : rest.substring(end);
    }
    return found;
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
