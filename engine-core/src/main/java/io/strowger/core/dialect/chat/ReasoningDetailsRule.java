package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.any;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Part.Thinking.Kind;
import java.util.List;
import java.util.Objects;

/**
 * The rule for an item of {@code reasoning_details}, which callers send back unchanged. Each item
 * becomes one part, so that its members stay together. Chat fact sheet, section 3; translation fact
 * sheet, section 4.
 */
final class ReasoningDetailsRule {
  /** The value of {@code format} that names no vendor. */
  private static final String UNKNOWN_FORMAT = "unknown";

  private static final Rule<String> FORMAT =
      wordAmong(
          UNKNOWN_FORMAT,
          "openai-responses-v1",
          "azure-openai-responses-v1",
          "bedrock-openai-responses-v1",
          "bedrock-xai-responses-v1",
          "xai-responses-v1",
          "meta-responses-v1",
          "anthropic-claude-v1",
          "google-gemini-v1");

  static final Rule<Part> DETAIL =
      Union.<Part>on("type")
          .when(
              "reasoning.text",
              commonMembers()
                  .optional("text", string().orNull())
                  .optional("signature", string().orNull())
                  .as(item -> thinking(Kind.TEXT, "text", item)))
          .when(
              "reasoning.summary",
              commonMembers()
                  .required("summary", string())
                  .as(item -> thinking(Kind.SUMMARY, "summary", item)))
          .when(
              "reasoning.encrypted",
              commonMembers()
                  .required("data", string())
                  .as(item -> thinking(Kind.ENCRYPTED, "data", item)))
          .when(
              "reasoning.server_tool_call",
              commonMembers()
                  .required("tool_name", string())
                  .required("arguments", any())
                  .required("result", any())
                  .optional("tool_call_id", string())
                  .as(ReasoningDetailsRule::serverToolRun));

  private static final Json.Str NO_TEXT = Json.of("");

  private ReasoningDetailsRule() {}

  /** Returns the table of the members that every type may have. */
  private static MemberTable.JsonBuilder commonMembers() {
    return members()
        .optional("id", string().orNull())
        .optional("index", integer())
        .optional("format", FORMAT.orNull());
  }

  private static Part thinking(Kind kind, String member, Json.Obj item) {
    return new Part.Thinking(
        kind,
        item.get(member) instanceof Json.Str text ? text : NO_TEXT,
        item.get("signature") instanceof Json.Str signature ? signature : null,
        UNKNOWN_FORMAT.equals(item.text("format")) ? null : item.text("format"),
        item.text("id"),
        ChatExtras.of(item, List.of("type", member, "signature", "format", "id")),
        item);
  }

  private static Part serverToolRun(Json.Obj item) {
    Json arguments = RequiredMember.value(item, "arguments");
    return new Part.ServerToolRun(
        Objects.requireNonNullElse(item.text("tool_call_id"), ""),
        RequiredMember.text(item, "tool_name"),
        arguments instanceof Json.Str text
            ? new Arguments.Text(text)
            : new Arguments.Value(arguments),
        RequiredMember.value(item, "result"),
        item);
  }
}
