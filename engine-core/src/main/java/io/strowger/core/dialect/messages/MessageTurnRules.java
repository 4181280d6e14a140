package io.strowger.core.dialect.messages;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import java.util.List;

/**
 * The rules for {@code system} and the items of {@code messages}. A system message among the
 * messages has block types of its own, since it occurs within a conversation. Messages fact sheet,
 * section 2.
 */
final class MessageTurnRules {
  static final Rule<Message> MESSAGE =
      Union.<Message>on("role")
          .when("user", messageRule(Role.USER, ContentBlockRules.USER_OR_ASSISTANT))
          .when("assistant", messageRule(Role.ASSISTANT, ContentBlockRules.USER_OR_ASSISTANT))
          .when("system", messageRule(Role.SYSTEM, ContentBlockRules.SYSTEM));

  private static final Rule<List<Part>> SYSTEM =
      SharedMembers.content(
          "must be a string or an array of text blocks",
          Union.<Part>on("type").when("text", BlockRules.TEXT));

  static final Rule<Message> INSTRUCTIONS =
      (value, context) -> {
        List<Part> parts = SYSTEM.read(value, context);
        return parts == null
            ? null
            : new Message(
                Role.SYSTEM, parts, SharedMembers.contentForm(value), Json.Obj.EMPTY, value);
      };

  private static final class Draft {
    private List<Part> parts = List.of();
  }

  private MessageTurnRules() {}

  private static Rule<Message> messageRule(Role role, Rule<Part> block) {
    return MemberTable.<Draft>table()
        .required(
            "content",
            SharedMembers.content("must be a string or an array of blocks", block),
            (draft, parts) -> draft.parts = parts)
        .withSource(Draft::new, (message, draft) -> message(role, message, draft.parts));
  }

  private static Message message(Role role, Json.Obj message, List<Part> parts) {
    Json.Obj extras =
        message.size() == 2 ? Json.Obj.EMPTY : message.without("role").without("content");
    return new Message(
        role, parts, SharedMembers.contentForm(message.get("content")), extras, message);
  }
}
