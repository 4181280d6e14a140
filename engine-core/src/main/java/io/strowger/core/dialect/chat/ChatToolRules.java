package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.CacheControl;
import io.strowger.core.dialect.FunctionName;
import io.strowger.core.dialect.ServerTools;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Tool;
import java.util.List;
import java.util.Objects;

/** {@code tools}: functions of the caller, and tools of the gateway. Chat fact sheet, section 5. */
final class ChatToolRules {
  private static final Rule<Tool> FUNCTION =
      MemberTable.mapped(
          MemberTable.<Json.Obj>table()
              .required(
                  "function",
                  MemberTable.kept(
                      MemberTable.<Json.Obj>table()
                          .required("name", FunctionName.RULE)
                          .optional("description", string())
                          .optional("parameters", object())
                          .optional("strict", bool().orNull())
                          .build()))
              .optional("cache_control", CacheControl.RULE)
              .build(),
          ChatToolRules::function);

  static final Rule<List<Tool>> RULE =
      ServerTools.all(
          ServerTools.addTo(Union.<Tool>on("type").when("function", FUNCTION), Dialect.CHAT));

  private static final List<String> OF_TOOL = List.of("type", "function");
  private static final List<String> OF_FUNCTION = List.of("name", "description", "parameters");

  private ChatToolRules() {}

  private static Tool function(Json.Obj tool) {
    Json.Obj function = Objects.requireNonNull(tool.object("function"));
    return new Tool.Function(
        Objects.requireNonNull(function.text("name")),
        function.text("description"),
        function.object("parameters"),
        ChatExtras.of(tool, OF_TOOL, ChatExtras.of(function, OF_FUNCTION)),
        tool);
  }
}
