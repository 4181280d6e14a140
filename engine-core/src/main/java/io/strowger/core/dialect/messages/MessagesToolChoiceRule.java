package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.MemberTable.kept;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.name;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;

/** The rule for {@code tool_choice} of a messages body. Messages fact sheet, section 1. */
final class MessagesToolChoiceRule {
  private static final Rule<Json.Obj> ANY_TOOL =
      kept(MemberTable.<Json.Obj>table().optional("disable_parallel_tool_use", bool()).build());

  static final Rule<Json.Obj> RULE =
      Union.<Json.Obj>on("type")
          .when("auto", ANY_TOOL)
          .when("any", ANY_TOOL)
          .when(
              "tool",
              kept(
                  MemberTable.<Json.Obj>table()
                      .required("name", name())
                      .optional("disable_parallel_tool_use", bool())
                      .build()))
          .when("none", kept(MemberTable.<Json.Obj>table().build()));

  private MessagesToolChoiceRule() {}
}
