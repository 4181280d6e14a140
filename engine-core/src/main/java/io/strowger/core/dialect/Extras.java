package io.strowger.core.dialect;

import io.strowger.spi.json.Json;

/** What is left of an object whose other members have a typed form. */
public final class Extras {
  private Extras() {}

  /**
   * The members that are not among the modelled ones, in their order; mostly there are none.
   *
   * @param modelled a few names
   */
  public static Json.Obj except(Json.Obj object, String... modelled) {
    int others = object.size();
    for (String name : modelled) {
      others -= object.has(name) ? 1 : 0;
    }
    if (others == 0) {
      return Json.Obj.EMPTY;
    }
    Json.Obj.Builder rest = Json.object();
    for (int i = 0; i < object.size(); i++) {
      if (!isAmong(modelled, object.name(i))) {
        rest.put(object.name(i), object.value(i));
      }
    }
    return rest.build();
  }

  private static boolean isAmong(String[] names, String name) {
    for (String one : names) {
      if (one.equals(name)) {
        return true;
      }
    }
    return false;
  }
}
