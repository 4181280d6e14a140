package io.strowger.core.dialect.messages;

import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;

/** Blocks of the contract where the contract has no room for them. Nothing else is said of one. */
final class MisplacedBlockRules {
  private MisplacedBlockRules() {}

  /** The rule for a block that may not stand where it does. */
  static Rule<Part> refused(String allowed) {
    return (given, context) -> {
      if (given instanceof Json.Obj block) {
        context.reject("type", allowed, UnmodelledBlocks.string(block, "type"));
      }
      return null;
    };
  }

  /**
   * The kinds of block a place has, with those it does not have refused; of a type nobody knows any
   * may stand there.
   */
  static Union<Part> refusing(Union<Part> kinds, String allowed, String... misplaced) {
    Union<Part> all = kinds;
    for (String kind : misplaced) {
      all = all.when(kind, refused(allowed));
    }
    return all.orElse(UnmodelledBlocks.OTHER);
  }
}
