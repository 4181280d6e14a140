package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;
import java.util.Objects;

/**
 * The rules for the items of a function call: the model's call, and its output. {@code call_id}
 * links the two; {@code id} identifies the item. Responses fact sheet, "Input items".
 */
final class FunctionItems {
  static final Rule<Message> CALL =
      MemberTable.mapped(
          MemberTable.<Json.Obj>table()
              .required("call_id", string())
              .required("name", string())
              .required("arguments", string())
              .optional("id", string().orNull())
              .optional("namespace", string().orNull())
              .optional("status", string().orNull())
              .build(),
          FunctionItems::call);

  static final Rule<Message> OUTPUT =
      (value, context) -> {
        int before = context.problemCount();
        var draft = new OutputDraft();
        if (!(value instanceof Json.Obj item)) {
          context.reject("must be an object", value);
          return null;
        }
        OutputDraft.TABLE.read(item, context, draft);
        return context.problemCount() == before ? draft.message(item) : null;
      };

  private FunctionItems() {}

  private static Message call(Json.Obj item) {
    Part call =
        new Part.ToolCall(
            text(item, "call_id").text(),
            text(item, "name").text(),
            text(item, "arguments"),
            SharedMembers.extras(item, "type", "call_id", "name", "arguments"),
            item);
    return messageOf(Message.Role.ASSISTANT, call, item);
  }

  /** Returns a message with this part as its only content. */
  private static Message messageOf(Message.Role role, Part part, Json.Obj item) {
    return new Message(role, List.of(part), Message.ContentForm.ABSENT, Json.Obj.EMPTY, item);
  }

  private static Json.Str text(Json.Obj item, String name) {
    return (Json.Str) Objects.requireNonNull(item.get(name));
  }

  private static final class OutputDraft {
    private static final Rule<List<Part>> CONTENT =
        ByJsonType.<List<Part>>of("must be a string or an array of input parts")
            .string(
                (value, context) -> List.of(new Part.Text((Json.Str) value, Json.Obj.EMPTY, null)))
            .array(list(ContentParts.INPUT));

    private static final MemberTable<OutputDraft> TABLE =
        MemberTable.<OutputDraft>table()
            .required("call_id", string())
            .required("output", CONTENT, OutputDraft::parts)
            .optional("id", string().orNull())
            .optional("status", string().orNull())
            .build();

    private List<Part> parts = List.of();

    private void parts(List<Part> output) {
      parts = output;
    }

    private Message message(Json.Obj item) {
      boolean isString = item.get("output") instanceof Json.Str;
      Part result =
          new Part.ToolResult(
              text(item, "call_id").text(),
              parts,
              isString ? Message.ContentForm.STRING : Message.ContentForm.LIST,
              false,
              SharedMembers.extras(item, "type", "call_id", "output"),
              item);
      return messageOf(Message.Role.TOOL, result, item);
    }
  }
}
