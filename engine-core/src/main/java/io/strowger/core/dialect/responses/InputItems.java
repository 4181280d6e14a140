package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.array;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule for {@code input}: one string, or items that each become one message. Responses fact
 * sheet, "Input items".
 *
 * <p>Items are new messages of the caller, or items of earlier answers that are sent back. Answers
 * write missing members as null, so the optional members of such items may be null. The sheet lists
 * only some of the members of most items; those in the table are checked for their type, and the
 * items passed on unchanged, like items of an unknown type.
 */
final class InputItems {
  private static final Rule<Json.Obj> OBJECT_OR_NULL = object().orNull();

  /** A call of a tool, except for a function, is linked to its output by {@code call_id}. */
  private static final Rule<Message> CALL_OUTPUT = unchanged(callMembers());

  /** A local shell is linked to its output by {@code id} instead. */
  private static final Rule<Message> ACTION =
      unchanged(commonMembers("call_id").optional("action", OBJECT_OR_NULL));

  private static final Rule<Message> MCP_CALL =
      unchanged(commonMembers("server_label", "name", "arguments"));

  private static final Rule<Message> COMPACTION = unchanged(commonMembers("encrypted_content"));

  private static final Union<Message> TYPED =
      Union.<Message>on("type")
          .when("message", MessageItem.RULE)
          .when("reasoning", ReasoningItemRule.RULE)
          .when("function_call", FunctionItems.CALL)
          .when("function_call_output", FunctionItems.OUTPUT)
          .when("custom_tool_call", unchanged(callMembers("name", "input")))
          .when("custom_tool_call_output", CALL_OUTPUT)
          .when("apply_patch_call", unchanged(callMembers().optional("operation", OBJECT_OR_NULL)))
          .when("apply_patch_call_output", CALL_OUTPUT)
          .when("shell_call", unchanged(callMembers().optional("action", OBJECT_OR_NULL)))
          .when("shell_call_output", CALL_OUTPUT)
          .when("local_shell_call", ACTION)
          .when("local_shell_call_output", unchanged(commonMembers("call_id")))
          .when("web_search_call", unchanged(commonMembers().optional("action", OBJECT_OR_NULL)))
          .when(
              "file_search_call",
              unchanged(
                  commonMembers()
                      .optional("queries", items(string()).orNull())
                      .optional("results", array().orNull())))
          .when("image_generation_call", unchanged(commonMembers("result")))
          .when(
              "code_interpreter_call",
              unchanged(
                  commonMembers("container_id", "code").optional("outputs", array().orNull())))
          .when("computer_call", ACTION)
          .when(
              "mcp_list_tools",
              unchanged(commonMembers("server_label").optional("tools", items(object()).orNull())))
          .when("mcp_approval_request", MCP_CALL)
          .when(
              "mcp_approval_response",
              unchanged(commonMembers("approval_request_id").optional("approve", bool().orNull())))
          .when("mcp_call", MCP_CALL)
          .when("compaction", COMPACTION)
          .when("context_compaction", COMPACTION)
          .when("item_reference", unchanged(members().required("id", string())))
          .when(
              "additional_tools", unchanged(commonMembers().optional("tools", ResponsesTools.RULE)))
          .when("agent_message", unchanged(commonMembers("author", "recipient")))
          .orElse(InputItems::unknownItem);

  /** A run of one of the gateway's tools. An incomplete item is kept unchanged. */
  private static final Rule<Message> TOOL_RUN = commonMembers().as(InputItems::toolRun);

  static final Rule<List<Message>> RULE =
      ByJsonType.<List<Message>>of("must be a string or an array of items")
          .string(InputItems::prompt)
          .array(list(InputItems::item, 1, Integer.MAX_VALUE));

  private InputItems() {}

  /** Returns the table of the members that every item has, and of further texts. */
  private static MemberTable.JsonBuilder commonMembers(String... texts) {
    MemberTable.JsonBuilder table =
        members().optional("id", string().orNull()).optional("status", string().orNull());
    for (String text : texts) {
      table.optional(text, string().orNull());
    }
    return table;
  }

  private static MemberTable.JsonBuilder callMembers(String... texts) {
    return commonMembers(texts).required("call_id", string());
  }

  private static Rule<Message> unchanged(MemberTable.JsonBuilder members) {
    return members.as(InputItems::unchanged);
  }

  /** Returns whether the contract lists this type of item or content part. */
  static boolean isKnown(String type) {
    return TYPED.hasKind(type) || ContentParts.ANY_PART.hasKind(type) || type.startsWith("router:");
  }

  /** Returns the message for an item that no typed part describes; the item is kept unchanged. */
  static Message unchanged(Json.Obj item) {
    String type = item.text("type");
    return message(Message.Role.ASSISTANT, new Part.Unknown(type == null ? "" : type, item), item);
  }

  /** Returns the message for an item with this part as its only content. */
  static Message message(Message.Role role, Part part, Json.Obj item) {
    return new Message(role, List.of(part), Message.ContentForm.ABSENT, Json.Obj.EMPTY, item);
  }

  private static Message toolRun(Json.Obj item) {
    Json output = item.get("output");
    if (output == null
        || !(item.get("type") instanceof Json.Str type)
        || !(item.get("call_id") instanceof Json.Str callId)
        || !(item.get("arguments") instanceof Json.Str arguments)) {
      return unchanged(item);
    }
    Part run =
        new Part.ServerToolRun(
            callId.text(), type.text(), new Arguments.Text(arguments), output, item);
    return message(Message.Role.ASSISTANT, run, item);
  }

  private static @Nullable List<Message> prompt(Json value, DecodingContext context) {
    if (!(value instanceof Json.Str prompt) || prompt.isEmpty()) {
      context.reject("must be a string, not empty", value);
      return null;
    }
    List<Part> text = List.of(new Part.Text(prompt, Json.Obj.EMPTY, null));
    return List.of(
        new Message(Message.Role.USER, text, Message.ContentForm.STRING, Json.Obj.EMPTY, prompt));
  }

  /** Reads an item. A message may omit its type when it has a role. */
  private static @Nullable Message item(Json value, DecodingContext context) {
    boolean isUntypedMessage =
        value instanceof Json.Obj item && !item.has("type") && item.has("role");
    return isUntypedMessage ? MessageItem.RULE.read(value, context) : TYPED.read(value, context);
  }

  private static @Nullable Message unknownItem(Json value, DecodingContext context) {
    if (!(value instanceof Json.Obj item)) {
      context.reject("must be an object", value);
      return null;
    }
    String type = item.text("type");
    return type != null && type.startsWith("router:")
        ? TOOL_RUN.read(item, context)
        : unchanged(item);
  }
}
