package io.strowger.core.dialect;

import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.numberAtLeast;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;

/**
 * {@code stop_server_tools_when}. Contract: "Chat request body"; chat fact sheet, section 2;
 * plugins fact sheet, section 12.
 */
public final class StopConditions {
  private static final Union<Json.Obj> CONDITION =
      Union.<Json.Obj>on("type")
          .when("step_count_is", with("step_count", integerAtLeast(1)))
          .when("has_tool_call", with("tool_name", name()))
          .when("max_tokens_used", with("max_tokens", integerAtLeast(0)))
          .when("max_cost", with("max_cost_in_dollars", numberAtLeast(0)))
          .when("finish_reason_is", with("reason", name()));

  /** One alone may come without an array: the contract's table says object. */
  public static final Rule<Json> RULE =
      ByJsonType.<Json>of("must be an array")
          .array(items(CONDITION, 1, Integer.MAX_VALUE))
          .object(CONDITION);

  private StopConditions() {}

  private static Rule<Json.Obj> with(String member, Rule<?> rule) {
    return MemberTable.kept(MemberTable.<Json.Obj>table().required(member, rule).build());
  }
}
