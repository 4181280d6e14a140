package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.list;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule for {@code input}: one string, or items that each become one message. Responses fact
 * sheet, "Input items".
 *
 * <p>Items are new messages of the caller, or items of earlier answers that are sent back. Answers
 * write missing members as null, so the optional members of such items may be null. Items of an
 * unknown type are kept unchanged.
 */
final class InputItems {
  private static final Union<Message> TYPED =
      Union.<Message>on("type")
          .when("message", MessageItem.RULE)
          .when("reasoning", ReasoningItemRule.RULE)
          .when("function_call", FunctionItems.CALL)
          .when("function_call_output", FunctionItems.OUTPUT)
          .when("custom_tool_call", CallItems.CUSTOM)
          .when("custom_tool_call_output", CallItems.CUSTOM_OUTPUT)
          .when("apply_patch_call", CallItems.APPLY_PATCH)
          .when("apply_patch_call_output", CallItems.APPLY_PATCH_OUTPUT)
          .when("shell_call", CallItems.SHELL)
          .when("shell_call_output", CallItems.SHELL_OUTPUT)
          .when("local_shell_call", CallItems.LOCAL_SHELL)
          .when("local_shell_call_output", CallItems.LOCAL_SHELL_OUTPUT)
          .when("web_search_call", ReplayedItems.WEB_SEARCH)
          .when("file_search_call", ReplayedItems.FILE_SEARCH)
          .when("image_generation_call", ReplayedItems.IMAGE_GENERATION)
          .when("code_interpreter_call", ReplayedItems.CODE_INTERPRETER)
          .when("computer_call", ReplayedItems.COMPUTER)
          .when("mcp_list_tools", ReplayedItems.MCP_LIST_TOOLS)
          .when("mcp_approval_request", ReplayedItems.MCP_APPROVAL_REQUEST)
          .when("mcp_approval_response", ReplayedItems.MCP_APPROVAL_RESPONSE)
          .when("mcp_call", ReplayedItems.MCP_CALL)
          .when("compaction", ReplayedItems.COMPACTION)
          .when("context_compaction", ReplayedItems.COMPACTION)
          .when("item_reference", ReplayedItems.REFERENCE)
          .when("additional_tools", ReplayedItems.ADDITIONAL_TOOLS)
          .when("agent_message", ReplayedItems.AGENT_MESSAGE)
          .orElse(InputItems::unknownItem);

  static final Rule<List<Message>> RULE =
      ByJsonType.<List<Message>>of("must be a string or an array of items")
          .string(InputItems::prompt)
          .array(list(InputItems::item, 1, Integer.MAX_VALUE));

  private InputItems() {}

  /** Returns whether the contract lists this type of item or content part. */
  static boolean isKnown(String type) {
    return TYPED.hasKind(type) || ContentParts.ANY_PART.hasKind(type) || type.startsWith("router:");
  }

  /** Returns the message for an item that no typed part describes; the item is kept unchanged. */
  static Message unchanged(Json.Obj item) {
    String type = item.text("type");
    Part part = new Part.Unknown(type == null ? "" : type, item);
    return new Message(
        Message.Role.ASSISTANT, List.of(part), Message.ContentForm.ABSENT, Json.Obj.EMPTY, item);
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
        ? ReplayedItems.ROUTER.read(item, context)
        : unchanged(item);
  }
}
