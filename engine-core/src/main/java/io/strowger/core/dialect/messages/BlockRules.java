package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.items;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;

/**
 * The rules for blocks that do not depend on the place of the block. Messages fact sheet, section
 * 2.
 */
final class BlockRules {
  /** A {@code text} block, which occurs wherever blocks do. */
  static final Rule<Part> TEXT =
      members()
          .required("text", Rules.string())
          .optional("cache_control", SharedMembers.CACHE_CONTROL)
          .optional("citations", items(CitationRules.CITATION).orNull())
          .as(
              block ->
                  new Part.Text(
                      RequiredMember.string(block, "text"),
                      SharedMembers.extras(block, "type", "text"),
                      block));

  /** A block of an unknown type. */
  static final Rule<Part> UNKNOWN = unchanged(members());

  private BlockRules() {}

  /** Returns the rule for a block that is checked and kept unchanged. */
  static Rule<Part> unchanged(MemberTable.JsonBuilder table) {
    return table.as(BlockRules::unchanged);
  }

  /** Returns a block that is kept unchanged. */
  static Part unchanged(Json.Obj block) {
    return new Part.Unknown(RequiredMember.text(block, "type"), block);
  }

  /**
   * Returns the rule that rejects a block in the wrong place and checks nothing else.
   *
   * @param allowed the reason, as the rest of a sentence that begins with the type
   */
  static Rule<Part> misplaced(String allowed) {
    return (value, context) -> {
      if (value instanceof Json.Obj block) {
        context.reject("type", allowed, RequiredMember.string(block, "type"));
      }
      return null;
    };
  }

  /**
   * Returns the rule for the block types of a place, with the types of other places rejected. A
   * block of an unknown type may stand anywhere.
   */
  static Union<Part> rejecting(Union<Part> types, String allowed, String... misplacedTypes) {
    Union<Part> union = types;
    for (String type : misplacedTypes) {
      union = union.when(type, misplaced(allowed));
    }
    return union.orElse(UNKNOWN);
  }
}
