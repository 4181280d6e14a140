package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.array;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.dialect.responses.CallItems.commonMembers;
import static io.strowger.core.dialect.responses.CallItems.unchanged;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;

/**
 * The rules for items of an earlier answer that the caller sends back and that are passed on
 * unchanged. Responses fact sheet, "Input items", which lists only some of their members. The
 * members in the rules here are checked for their type.
 */
final class ReplayedItems {
  static final Rule<Message> WEB_SEARCH =
      unchanged(commonMembers().optional("action", object().orNull()));

  static final Rule<Message> FILE_SEARCH =
      unchanged(
          commonMembers()
              .optional("queries", items(string()).orNull())
              .optional("results", array().orNull()));

  static final Rule<Message> IMAGE_GENERATION =
      unchanged(commonMembers().optional("result", string().orNull()));

  static final Rule<Message> CODE_INTERPRETER =
      unchanged(
          commonMembers()
              .optional("container_id", string().orNull())
              .optional("code", string().orNull())
              .optional("outputs", array().orNull()));

  static final Rule<Message> COMPUTER =
      unchanged(
          commonMembers()
              .optional("call_id", string().orNull())
              .optional("action", object().orNull()));

  static final Rule<Message> MCP_LIST_TOOLS =
      unchanged(
          commonMembers()
              .optional("server_label", string().orNull())
              .optional("tools", items(object()).orNull()));

  static final Rule<Message> MCP_APPROVAL_REQUEST = unchanged(mcpCall());

  static final Rule<Message> MCP_APPROVAL_RESPONSE =
      unchanged(
          commonMembers()
              .optional("approval_request_id", string().orNull())
              .optional("approve", bool().orNull()));

  static final Rule<Message> MCP_CALL = unchanged(mcpCall());

  /** The rule for {@code compaction} and {@code context_compaction}. */
  static final Rule<Message> COMPACTION =
      unchanged(commonMembers().optional("encrypted_content", string().orNull()));

  static final Rule<Message> REFERENCE =
      unchanged(MemberTable.<Json.Obj>table().required("id", string()));

  static final Rule<Message> ADDITIONAL_TOOLS =
      unchanged(commonMembers().optional("tools", ResponsesTools.RULE));

  static final Rule<Message> AGENT_MESSAGE =
      unchanged(
          commonMembers()
              .optional("author", string().orNull())
              .optional("recipient", string().orNull()));

  /** The rule for a run of one of the gateway's tools. An incomplete item is kept unchanged. */
  static final Rule<Message> ROUTER =
      MemberTable.mapped(commonMembers().build(), ReplayedItems::toolRun);

  private ReplayedItems() {}

  private static Message toolRun(Json.Obj item) {
    Json output = item.get("output");
    if (output == null
        || !(item.get("type") instanceof Json.Str type)
        || !(item.get("call_id") instanceof Json.Str callId)
        || !(item.get("arguments") instanceof Json.Str arguments)) {
      return InputItems.unchanged(item);
    }
    Part run =
        new Part.ServerToolRun(
            callId.text(), type.text(), new Arguments.Text(arguments), output, item);
    return new Message(
        Message.Role.ASSISTANT, List.of(run), Message.ContentForm.ABSENT, Json.Obj.EMPTY, item);
  }

  private static MemberTable.Builder<Json.Obj> mcpCall() {
    return commonMembers()
        .optional("server_label", string().orNull())
        .optional("name", string().orNull())
        .optional("arguments", string().orNull());
  }
}
