package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import java.util.List;

/** Finds the members of an object that have no typed form. */
final class ChatExtras {
  private ChatExtras() {}

  /**
   * Returns the members of an object that have no typed form; empty when there are none, which is
   * usual.
   *
   * @param typedNames the names of the members with a typed form
   */
  static Json.Obj of(Json.Obj object, List<String> typedNames) {
    int typedCount = 0;
    for (int i = 0; i < typedNames.size(); i++) {
      typedCount += object.has(typedNames.get(i)) ? 1 : 0;
    }
    if (typedCount == object.size()) {
      return Json.Obj.EMPTY;
    }
    Json.Obj extras = object;
    for (int i = 0; i < typedNames.size(); i++) {
      extras = extras.without(typedNames.get(i));
    }
    return extras;
  }

  /**
   * Returns the members without a typed form of an object that has all the members with one. Faster
   * than {@link #of(Json.Obj, List)} when the object has no further members.
   */
  static Json.Obj ofComplete(Json.Obj object, List<String> typedNames) {
    return object.size() == typedNames.size() ? Json.Obj.EMPTY : of(object, typedNames);
  }

  /**
   * Returns the members without a typed form of an object with an inner object. Those of the inner
   * object are put under its name.
   *
   * @param typedNames the names of the outer object's members with a typed form, the inner object's
   *     name last
   * @param inner the members of the inner object that have no typed form
   */
  static Json.Obj of(Json.Obj object, List<String> typedNames, Json.Obj inner) {
    Json.Obj extras = of(object, typedNames);
    return inner.size() == 0 ? extras : extras.with(typedNames.getLast(), inner);
  }
}
