package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;

/** A {@code text} block, which occurs wherever blocks do. Messages fact sheet, section 2. */
final class TextBlock {
  static final Rule<Part> RULE =
      MemberTable.mapped(
          MemberTable.<Json.Obj>table()
              .required("text", string())
              .optional("cache_control", SharedMembers.CACHE_CONTROL)
              .optional("citations", items(CitationRules.CITATION).orNull())
              .build(),
          block ->
              new Part.Text(
                  UnmodelledBlocks.string(block, "text"),
                  SharedMembers.extras(block, "type", "text"),
                  block));

  private TextBlock() {}
}
