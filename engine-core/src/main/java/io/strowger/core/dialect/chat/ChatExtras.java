package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import java.util.List;

/** Finds the members of an object that have no typed form. */
final class ChatExtras {
  private ChatExtras() {}

  /**
   * Returns the members other than the modelled ones; empty when there are none, which is usual.
   */
  static Json.Obj of(Json.Obj object, List<String> modelled) {
    int modelledCount = 0;
    for (int i = 0; i < modelled.size(); i++) {
      modelledCount += object.has(modelled.get(i)) ? 1 : 0;
    }
    if (modelledCount == object.size()) {
      return Json.Obj.EMPTY;
    }
    Json.Obj extras = object;
    for (int i = 0; i < modelled.size(); i++) {
      extras = extras.without(modelled.get(i));
    }
    return extras;
  }

  /**
   * Returns the members other than the modelled ones of an object that has every modelled member.
   * Faster than {@link #of(Json.Obj, List)} when it has no further members.
   */
  static Json.Obj ofComplete(Json.Obj object, List<String> modelled) {
    return object.size() == modelled.size() ? Json.Obj.EMPTY : of(object, modelled);
  }

  /**
   * Returns the members other than the modelled ones of an object with an inner object. The extra
   * members of the inner object are put under its name.
   *
   * @param modelled the modelled members of the outer object, the inner object's name last
   * @param inner the members of the inner object that have no typed form
   */
  static Json.Obj of(Json.Obj object, List<String> modelled, Json.Obj inner) {
    Json.Obj extras = of(object, modelled);
    return inner.size() == 0 ? extras : extras.with(modelled.getLast(), inner);
  }
}
