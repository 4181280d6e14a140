package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.word;

import io.strowger.core.decode.ByKind;
import io.strowger.core.decode.Members;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.FunctionName;
import io.strowger.spi.json.Json;

/**
 * {@code tool_choice}: a word, one tool, or a choice among some. A function is named flat. Any
 * other tool is chosen by its type, also one nobody knows. Responses fact sheet, "Request".
 */
final class ToolChoice {
  private static final Members<Json.Obj> FUNCTION =
      Members.<Json.Obj>table().required("name", FunctionName.RULE).build();

  private static final Rule<Json.Obj> ONE_OF_THEM =
      Members.kept(Members.<Json.Obj>table().required("type", name()).build());

  private static final Members<Json.Obj> ALLOWED_TOOLS =
      Members.<Json.Obj>table()
          .required("mode", word("auto", "required"))
          .required("tools", items(ONE_OF_THEM))
          .build();

  static final Rule<Json> RULE =
      ByKind.<Json>of("must be none, auto, required or an object that names a tool")
          .string(word("none", "auto", "required").asJson())
          .object(
              Union.<Json>on("type")
                  .when("function", Members.kept(FUNCTION))
                  .when("web_search_preview", object())
                  .when("web_search_preview_2025_03_11", object())
                  .when("allowed_tools", Members.kept(ALLOWED_TOOLS))
                  .when("apply_patch", object())
                  .when("shell", object())
                  .otherwise(object()));

  private ToolChoice() {}
}
