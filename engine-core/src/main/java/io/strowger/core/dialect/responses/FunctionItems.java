package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;

/**
 * The rules for the items of a function call: the model's call, and its output. {@code call_id}
 * links the two; {@code id} identifies the item. Responses fact sheet, "Input items".
 */
final class FunctionItems {
  static final Rule<Message> CALL =
      members()
          .required("call_id", string())
          .required("name", string())
          .required("arguments", string())
          .optional("id", string().orNull())
          .optional("namespace", string().orNull())
          .optional("status", string().orNull())
          .as(FunctionItems::call);

  static final Rule<Message> OUTPUT =
      MemberTable.<OutputDraft>table()
          .required("call_id", string())
          .required(
              "output",
              SharedMembers.content(
                  "must be a string or an array of input parts", ContentParts.INPUT),
              (draft, parts) -> draft.parts = parts)
          .optional("id", string().orNull())
          .optional("status", string().orNull())
          .withSource(OutputDraft::new, (item, draft) -> output(item, draft.parts));

  private FunctionItems() {}

  private static Message call(Json.Obj item) {
    Part call =
        new Part.ToolCall(
            RequiredMember.text(item, "call_id"),
            RequiredMember.text(item, "name"),
            RequiredMember.string(item, "arguments"),
            SharedMembers.extras(item, "type", "call_id", "name", "arguments"),
            item);
    return InputItems.message(Message.Role.ASSISTANT, call, item);
  }

  private static Message output(Json.Obj item, List<Part> parts) {
    Part result =
        new Part.ToolResult(
            RequiredMember.text(item, "call_id"),
            parts,
            SharedMembers.contentForm(item.get("output")),
            false,
            SharedMembers.extras(item, "type", "call_id", "output"),
            item);
    return InputItems.message(Message.Role.TOOL, result, item);
  }

  private static final class OutputDraft {
    private List<Part> parts = List.of();
  }
}
