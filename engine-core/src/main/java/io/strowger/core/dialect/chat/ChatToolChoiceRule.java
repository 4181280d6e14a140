package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.FunctionName;
import io.strowger.core.dialect.ServerTools;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;

/**
 * {@code tool_choice}: a word, one function by name, or a tool of the gateway by its type. Chat
 * fact sheet, section 5.
 */
final class ChatToolChoiceRule {
  private static final Rule<Json.Obj> FUNCTION =
      MemberTable.kept(
          MemberTable.<Json.Obj>table()
              .required(
                  "function",
                  MemberTable.kept(
                      MemberTable.<Json.Obj>table().required("name", FunctionName.RULE).build()))
              .build());

  static final Rule<Object> RULE =
      ByJsonType.of("must be none, auto, required or an object that names a tool")
          .string(wordAmong("none", "auto", "required"))
          .object(one());

  private ChatToolChoiceRule() {}

  private static Union<Json.Obj> one() {
    Union<Json.Obj> one = Union.<Json.Obj>on("type").when("function", FUNCTION);
    for (String type : ServerTools.types(Dialect.CHAT)) {
      one = one.when(type, object());
    }
    return ServerTools.withPluginTools(one, object());
  }
}
