package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import java.util.List;

/** What is left of an object beside the members with a typed form. */
final class ChatExtras {
  private ChatExtras() {}

  /** The members that are not among the modelled ones; mostly there are none. */
  static Json.Obj of(Json.Obj object, List<String> modelled) {
    int known = 0;
    for (int i = 0; i < modelled.size(); i++) {
      known += object.has(modelled.get(i)) ? 1 : 0;
    }
    if (known == object.size()) {
      return Json.Obj.EMPTY;
    }
    Json.Obj rest = object;
    for (int i = 0; i < modelled.size(); i++) {
      rest = rest.without(modelled.get(i));
    }
    return rest;
  }

  /** The same of an object that has every modelled member: mostly it has no other. */
  static Json.Obj beside(Json.Obj object, List<String> modelled) {
    return object.size() == modelled.size() ? Json.Obj.EMPTY : of(object, modelled);
  }

  /**
   * The same of an object with another one inside of it, whose own rest stands under its name.
   *
   * @param modelled members of the outer object, the name of the inner one last
   * @param inner what is left of the inner one
   */
  static Json.Obj of(Json.Obj object, List<String> modelled, Json.Obj inner) {
    Json.Obj rest = of(object, modelled);
    return inner.size() == 0 ? rest : rest.with(modelled.getLast(), inner);
  }
}
