package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import java.util.Objects;

/**
 * Members that an object must have with a certain type: a {@link MemberTable} has accepted it, or
 * the engine wrote it.
 */
public final class RequiredMember {
  private RequiredMember() {}

  /** Returns a member of any type. */
  public static Json value(Json.Obj object, String name) {
    return Objects.requireNonNull(object.get(name), name);
  }

  /** Returns a string in its JSON form. */
  public static Json.Str string(Json.Obj object, String name) {
    return (Json.Str) value(object, name);
  }

  /** Returns the text of a string. */
  public static String text(Json.Obj object, String name) {
    return string(object, name).text();
  }

  /** Returns an object. */
  public static Json.Obj object(Json.Obj object, String name) {
    return (Json.Obj) value(object, name);
  }
}
