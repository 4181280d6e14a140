package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;

/**
 * {@code context_management}: how an upstream shortens a long conversation. Messages fact sheet,
 * section 1. Members whose type the sheet does not specify may be null.
 */
final class ContextManagement {
  private static final Rule<Json.Obj> VALUE = members().required("value", integer()).asJson();

  private static final Rule<Json.Obj> INPUT_TOKENS =
      Union.<Json.Obj>on("type").when("input_tokens", VALUE);

  private static final Rule<Json.Obj> TOOL_USES =
      Union.<Json.Obj>on("type").when("tool_uses", VALUE);

  private static final Rule<Json.Obj> TOKENS_OR_USES =
      Union.<Json.Obj>on("type").when("input_tokens", VALUE).when("tool_uses", VALUE);

  /** A boolean or the names of tools; {@link ByJsonType} does not support booleans. */
  private static final Rule<Json> BOOLEAN_OR_TOOL_NAMES =
      (value, context) -> {
        if (value instanceof Json.Bool) {
          return value;
        }
        return ByJsonType.<Json>of("must be true, false or an array of tool names")
            .array(items(string()))
            .read(value, context);
      };

  private static final Rule<Json> ALL_OR_THINKING_TURNS =
      ByJsonType.<Json>of("must be all or an object")
          .string(wordAmong("all").asJson())
          .object(
              Union.<Json.Obj>on("type").when("all", Rules.object()).when("thinking_turns", VALUE));

  private static final Rule<Json.Obj> EDIT =
      Union.<Json.Obj>on("type")
          .when(
              "clear_tool_uses_20250919",
              members()
                  .optional("trigger", TOKENS_OR_USES)
                  .optional("keep", TOOL_USES)
                  .optional("clear_at_least", INPUT_TOKENS.orNull())
                  .optional("clear_tool_inputs", BOOLEAN_OR_TOOL_NAMES.orNull())
                  .optional("exclude_tools", items(string()).orNull())
                  .asJson())
          .when(
              "clear_thinking_20251015", members().optional("keep", ALL_OR_THINKING_TURNS).asJson())
          .when(
              "compact_20260112",
              members()
                  .optional("trigger", INPUT_TOKENS.orNull())
                  .optional("instructions", string().orNull())
                  .optional("pause_after_compaction", bool())
                  .asJson());

  static final Rule<Json.Obj> RULE = members().optional("edits", items(EDIT)).asJson();

  private ContextManagement() {}
}
