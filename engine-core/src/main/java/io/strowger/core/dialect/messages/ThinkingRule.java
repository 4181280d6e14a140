package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.MemberTable.kept;
import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;

/** The rule for {@code thinking} of a messages body. Messages fact sheet, section 1. */
final class ThinkingRule {
  static final int LEAST_BUDGET = 1024;

  private static final Rule<String> DISPLAY = wordAmong("summarized", "omitted").orNull();

  static final Rule<Json.Obj> RULE =
      Union.<Json.Obj>on("type")
          .when(
              "enabled",
              kept(
                  MemberTable.<Json.Obj>table()
                      .required("budget_tokens", integerAtLeast(LEAST_BUDGET))
                      .optional("display", DISPLAY)
                      .build()))
          .when(
              "adaptive", kept(MemberTable.<Json.Obj>table().optional("display", DISPLAY).build()))
          .when("disabled", kept(MemberTable.<Json.Obj>table().build()));

  private ThinkingRule() {}
}
