package io.strowger.core.dialect.messages;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.Objects;

/** Blocks that are kept as a whole, and what is read of those that are not. */
final class PreservedBlocks {
  /** A block of a type nobody knows. */
  static final Rule<Part> OTHER = whole(MemberTable.table());

  private PreservedBlocks() {}

  /** The rule for a block that is looked at and kept as it came. */
  static Rule<Part> whole(MemberTable.Builder<Json.Obj> table) {
    return MemberTable.made(table.build(), PreservedBlocks::whole);
  }

  static Part whole(Json.Obj block) {
    return new Part.Unknown(text(block, "type"), block);
  }

  /** A member that a table has found to be a string. */
  static Json.Str string(Json.Obj object, String name) {
    return (Json.Str) Objects.requireNonNull(object.get(name), name);
  }

  static String text(Json.Obj object, String name) {
    return string(object, name).text();
  }
}
