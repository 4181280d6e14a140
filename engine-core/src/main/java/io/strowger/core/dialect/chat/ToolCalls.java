package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.List;
import java.util.Objects;

/**
 * An item of {@code tool_calls}. Its arguments are JSON as text that a model wrote, and may be
 * malformed. Chat fact sheet, section 3.
 */
final class ToolCalls {
  static final Rule<Part> CALL =
      MemberTable.mapped(
          MemberTable.<Json.Obj>table()
              .required("id", string())
              .required("type", wordAmong("function"))
              .required(
                  "function",
                  MemberTable.kept(
                      MemberTable.<Json.Obj>table()
                          .required("name", string())
                          .required("arguments", string())
                          .build()))
              .build(),
          ToolCalls::call);

  private static final List<String> OF_CALL = List.of("id", "type", "function");
  private static final List<String> OF_FUNCTION = List.of("name", "arguments");

  private ToolCalls() {}

  private static Part call(Json.Obj call) {
    Json.Obj function = Objects.requireNonNull(call.object("function"));
    return new Part.ToolCall(
        Objects.requireNonNull(call.text("id")),
        Objects.requireNonNull(function.text("name")),
        (Json.Str) Objects.requireNonNull(function.get("arguments")),
        ChatExtras.of(call, OF_CALL, ChatExtras.of(function, OF_FUNCTION)),
        call);
  }
}
