package io.strowger.core.decode.responses;

import io.strowger.spi.json.Json;
import java.util.List;

/** What is left of an object whose other members have a typed form. */
final class Extras {
  private Extras() {}

  static Json.Obj besides(Json.Obj object, String... modelled) {
    List<String> names = List.of(modelled);
    Json.Obj.Builder rest = null;
    for (int i = 0; i < object.size(); i++) {
      if (!names.contains(object.name(i))) {
        rest = rest == null ? Json.object() : rest;
        rest.put(object.name(i), object.value(i));
      }
    }
    return rest == null ? Json.Obj.EMPTY : rest.build();
  }
}
