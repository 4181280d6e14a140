package io.strowger.core.decode.messages;

import io.strowger.core.decode.Members;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.Objects;

/** What is kept of a block: all of it, or the members beside those that have a typed form. */
final class Kept {
  /** A block of a type nobody knows. */
  static final Rule<Part> OTHER = whole(Members.table());

  private Kept() {}

  /** The rule for a block that is looked at and kept as it came. */
  static Rule<Part> whole(Members.Builder<Json.Obj> table) {
    return Members.made(table.build(), Kept::whole);
  }

  static Part whole(Json.Obj block) {
    return new Part.Unknown(text(block, "type"), block);
  }

  /** What is left of an object whose {@code type} and these members have a typed form. */
  static Json.Obj besides(Json.Obj object, String... modelled) {
    int others = object.size() - (object.has("type") ? 1 : 0);
    for (String name : modelled) {
      others -= object.has(name) ? 1 : 0;
    }
    if (others == 0) {
      return Json.Obj.EMPTY;
    }
    Json.Obj rest = object.without("type");
    for (String name : modelled) {
      rest = rest.without(name);
    }
    return rest;
  }

  /** A member that a table has found to be a string. */
  static Json.Str string(Json.Obj object, String name) {
    return (Json.Str) Objects.requireNonNull(object.get(name), name);
  }

  static String text(Json.Obj object, String name) {
    return string(object, name).text();
  }
}
