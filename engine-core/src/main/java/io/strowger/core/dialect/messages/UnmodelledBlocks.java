package io.strowger.core.dialect.messages;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.Objects;

/** Rules for blocks that are kept whole, and readers for the string members of the others. */
final class UnmodelledBlocks {
  /** The rule for a block of an unknown type. */
  static final Rule<Part> OTHER = whole(MemberTable.table());

  private UnmodelledBlocks() {}

  /** Returns the rule for a block that is checked and kept unchanged. */
  static Rule<Part> whole(MemberTable.Builder<Json.Obj> table) {
    return MemberTable.mapped(table.build(), UnmodelledBlocks::whole);
  }

  static Part whole(Json.Obj block) {
    return new Part.Unknown(text(block, "type"), block);
  }

  /** Returns a member that a table has already checked to be a string. */
  static Json.Str string(Json.Obj object, String name) {
    return (Json.Str) Objects.requireNonNull(object.get(name), name);
  }

  static String text(Json.Obj object, String name) {
    return string(object, name).text();
  }
}
