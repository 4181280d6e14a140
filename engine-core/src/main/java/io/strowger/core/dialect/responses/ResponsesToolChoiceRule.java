package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;

/**
 * The rule for {@code tool_choice}: a word, one tool, or a list of tools. A function is chosen by a
 * flat name, any other tool by its type, which may be unknown. Responses fact sheet, "Request".
 */
final class ResponsesToolChoiceRule {
  private static final Rule<Json.Obj> FUNCTION =
      members().required("name", SharedMembers.FUNCTION_NAME).asJson();

  private static final Rule<Json.Obj> ALLOWED_TOOL = members().required("type", name()).asJson();

  private static final Rule<Json.Obj> ALLOWED_TOOLS =
      members()
          .required("mode", wordAmong("auto", "required"))
          .required("tools", items(ALLOWED_TOOL))
          .asJson();

  static final Rule<Json> RULE =
      ByJsonType.<Json>of("must be none, auto, required or an object that names a tool")
          .string(wordAmong("none", "auto", "required").asJson())
          .object(
              Union.<Json>on("type")
                  .when("function", FUNCTION)
                  .when("web_search_preview", object())
                  .when("web_search_preview_2025_03_11", object())
                  .when("allowed_tools", ALLOWED_TOOLS)
                  .when("apply_patch", object())
                  .when("shell", object())
                  .orElse(object()));

  private ResponsesToolChoiceRule() {}
}
