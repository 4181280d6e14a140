package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.any;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.textUpTo;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.ContentForm;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The rule for {@code messages}, with a table for each role. Chat fact sheet, section 3. */
final class ChatMessageRules {
  /** The members of messages of roles that only give instructions. */
  private static final MemberTable.Builder<Draft> TEXT_ONLY =
      MemberTable.<Draft>table()
          .required("content", ChatPartRules.TEXT_CONTENT, Draft::content)
          .optional("name", string());

  private static final MemberTable.Builder<Draft> USER =
      MemberTable.<Draft>table()
          .required("content", ChatPartRules.CONTENT, Draft::content)
          .optional("name", string());

  private static final Rule<Json.Obj> IMAGE =
      members().required("image_url", members().required("url", string()).asJson()).asJson();

  private static final Rule<Json.Obj> AUDIO =
      members()
          .optional("id", string())
          .optional("data", string())
          .optional("expires_at", integer())
          .optional("transcript", string())
          .asJson();

  /**
   * An item of {@code tool_calls}. Its arguments are JSON text that a model wrote, so they may be
   * malformed.
   */
  private static final Rule<Part> TOOL_CALL =
      members()
          .required("id", string())
          .required("type", wordAmong("function"))
          .required(
              "function",
              members().required("name", string()).required("arguments", string()).asJson())
          .as(ChatMessageRules::toolCall);

  private static final MemberTable.Builder<Draft> ASSISTANT =
      MemberTable.<Draft>table()
          .optional("content", ChatPartRules.CONTENT.orNull(), Draft::content)
          .optional("name", string())
          .optional("model", string())
          .optional("tool_calls", list(TOOL_CALL), Draft::calls)
          .optional("refusal", string().orNull(), Draft::refusal)
          .optional("reasoning", string().orNull(), Draft::reasoning)
          .optional("reasoning_details", list(ReasoningDetailsRule.DETAIL), Draft::details)
          .optional("images", items(IMAGE))
          .optional("audio", AUDIO)
          .optional("annotations", any());

  private static final MemberTable.Builder<Draft> TOOL =
      MemberTable.<Draft>table()
          .required("tool_call_id", textUpTo(Integer.MAX_VALUE), Draft::callId)
          .required("content", ChatPartRules.CONTENT, Draft::content);

  private static final Union<Message> BY_ROLE =
      Union.<Message>on("role")
          .when("system", TEXT_ONLY.withSource(Draft::new, messageFactory(Role.SYSTEM)))
          .when("user", USER.withSource(Draft::new, messageFactory(Role.USER)))
          .when("developer", TEXT_ONLY.withSource(Draft::new, messageFactory(Role.DEVELOPER)))
          .when("assistant", ASSISTANT.withSource(Draft::new, ChatMessageRules::assistantMessage))
          .when("tool", TOOL.withSource(Draft::new, ChatMessageRules::toolMessage));

  static final Rule<List<Message>> RULE = list(ChatMessageRules::message, 1, Integer.MAX_VALUE);

  private static final List<String> CALL_MEMBERS = List.of("id", "type", "function");
  private static final List<String> FUNCTION_MEMBERS = List.of("name", "arguments");
  private static final List<String> TEXT_MESSAGE_MEMBERS = List.of("role", "content");
  private static final List<String> ASSISTANT_MEMBERS = List.of("role", "content", "tool_calls");
  private static final List<String> TOOL_MEMBERS = List.of("role", "content", "tool_call_id");

  /** The roles whose content may be one string. */
  private static final List<Role> SIMPLE_ROLES =
      List.of(Role.USER, Role.ASSISTANT, Role.SYSTEM, Role.DEVELOPER);

  private static final List<String> SIMPLE_ROLE_NAMES =
      SIMPLE_ROLES.stream().map(Role::wireName).toList();

  private ChatMessageRules() {}

  private static @Nullable Message message(Json value, DecodingContext context) {
    Message simple = simpleMessage(value);
    return simple == null ? BY_ROLE.read(value, context) : simple;
  }

  /**
   * Returns a message that has only a role and a text, which every table except a tool's allows;
   * null for other messages. Most messages have this form, and reading each by its table would
   * dominate the cost of a long conversation.
   */
  private static @Nullable Message simpleMessage(Json value) {
    if (value instanceof Json.Obj message
        && message.size() == 2
        && message.get("role") instanceof Json.Str role
        && message.get("content") instanceof Json.Str text) {
      for (int i = 0; i < SIMPLE_ROLE_NAMES.size(); i++) {
        if (role.is(SIMPLE_ROLE_NAMES.get(i))) {
          List<Part> parts = List.of(new Part.Text(text, Json.Obj.EMPTY, null));
          return new Message(
              SIMPLE_ROLES.get(i), parts, ContentForm.STRING, Json.Obj.EMPTY, message);
        }
      }
    }
    return null;
  }

  private static final class Draft {
    private List<Part> content = List.of();
    private List<Part> calls = List.of();
    private String callId = "";
    private final AssistantExtras extras = new AssistantExtras(); // used only for an assistant

    void content(List<Part> parts) {
      content = parts;
    }

    void calls(List<Part> parts) {
      calls = parts;
    }

    void callId(String id) {
      callId = id;
    }

    void refusal(Json.Str text) {
      extras.refusal = text;
    }

    void reasoning(Json.Str text) {
      extras.reasoning = text;
    }

    void details(List<Part> items) {
      extras.details = items;
    }
  }

  private static BiFunction<Json.Obj, Draft, Message> messageFactory(Role role) {
    return (message, draft) ->
        message(role, message, draft.content, ChatExtras.ofComplete(message, TEXT_MESSAGE_MEMBERS));
  }

  private static Message assistantMessage(Json.Obj message, Draft draft) {
    return message(
        Role.ASSISTANT,
        message,
        draft.extras.allParts(draft.content, draft.calls),
        ChatExtras.of(
            message,
            draft.extras.isEmpty()
                ? ASSISTANT_MEMBERS
                : draft.extras.withMemberNames(ASSISTANT_MEMBERS)));
  }

  private static Part toolCall(Json.Obj call) {
    Json.Obj function = RequiredMember.object(call, "function");
    return new Part.ToolCall(
        RequiredMember.text(call, "id"),
        RequiredMember.text(function, "name"),
        RequiredMember.string(function, "arguments"),
        ChatExtras.of(call, CALL_MEMBERS, ChatExtras.of(function, FUNCTION_MEMBERS)),
        call);
  }

  private static Message toolMessage(Json.Obj message, Draft draft) {
    boolean isString = message.get("content") instanceof Json.Str;
    Part result = new Part.ToolResult(draft.callId, draft.content, isString);
    return message(
        Role.TOOL, message, List.of(result), ChatExtras.ofComplete(message, TOOL_MEMBERS));
  }

  private static Message message(Role role, Json.Obj message, List<Part> parts, Json.Obj extras) {
    ContentForm form = SharedMembers.contentForm(message.get("content"));
    return new Message(role, parts, form, extras, message);
  }
}
